git fetch --quiet origin main && git log --oneline --no-merges origin/main..HEAD | cat
echo '--- changed files'
git diff --stat=120 origin/main...HEAD -- . ':!package-lock.json' ':!*.snap' | tail -30
echo '--- suspicious leftovers'
git diff -U0 origin/main...HEAD | grep -nE '^\+.*(console\.log|debugger;|FIXME|\.only\()' | cut -c1-160 || echo none
for file in $(git diff --name-only --diff-filter=AM origin/main...HEAD -- 'src/*.ts' 'src/**/*.tsx'); do
  lines=$(wc -l < "$file")
  test -f "${file%.*}.test.ts" || test -f "${file%.*}.test.tsx" || echo "no test beside $file"
  if [ "$lines" -gt 400 ]; then
    echo "$file has $lines lines; its longest functions:"
    awk '/^(export )?(async )?function /{ name = $0; from = NR } /^}/{ if (name) print NR - from, name; name = "" }' "$file" | sort -rn | head -3
  fi
done
echo '--- types and lint'
npx tsc --noEmit -p tsconfig.json && npx eslint --max-warnings 0 --format compact src test | sed -e "s|$PWD/||" -e '/^$/d' | head -50
git stash list | wc -l
