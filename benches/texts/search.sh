rg --no-heading -n --type rust -e 'fn (parse|decode)_\w+' crates | cut -d: -f1 | sort | uniq -c | sort -rn | head -20
find . -path ./node_modules -prune -o -path ./target -prune -o -type f \( -name '*.toml' -o -name '*.yaml' -o -name '*.yml' \) -newer Cargo.lock -print0 \
  | xargs -0 -r grep -l 'timeout' | while IFS= read -r file; do
    printf '%s\n' "$file"
    grep -n -B1 -A2 'timeout' -- "$file" | sed 's/^/    /'
  done
echo "== who calls it"
git grep -n -w 'retry_with' -- '*.rs' ':!*/tests/*' | awk -F: '{ print $1 ":" $2 }' | tr '\n' ' '; echo
case "$(uname -s)" in
  Linux) sed -n '120,180p' crates/net/src/retry.rs ;;
  Darwin) sed -n -e '120,180p' crates/net/src/retry.rs ;;
  *) echo "unknown system" ;;
esac
tree -L 2 -I 'target|node_modules|.git' crates | tail -40
ls -la --time-style=long-iso crates/*/src/*.rs | awk '{ s += $5; if ($5 > m) { m = $5; f = $8 } } END { print s, "bytes, the largest is", f }'
head -n 60 crates/net/README.md; wc -l crates/net/src/*.rs | tail -1
