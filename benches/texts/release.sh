version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
previous=$(git describe --tags --abbrev=0 --match 'v*')
if [ "v$version" = "$previous" ]; then
  echo "the version is still $version; change it in Cargo.toml first" >&2
  exit 1
fi
notes=target/notes.md
{
  echo "## $version"
  echo
  git log --no-merges --format='- %s (%an)' "$previous"..HEAD | grep -v -i -E '^- (chore|ci|wip)' || echo '- nothing that a user can see'
  echo
  echo "Thanks to $(git shortlog -sn "$previous"..HEAD | cut -f2 | paste -sd, - | sed 's/,/, /g')."
} > "$notes"
wc -w "$notes"
for target in {x86_64,aarch64}-unknown-linux-{gnu,musl}; do
  file="target/$target/release/tool"
  test -e "$file" || continue
  mkdir -p "dist/$target" && cp --preserve=timestamps "$file" README.md LICENSE "dist/$target/"
  (cd dist && zip -q -r "tool-$version-$target.zip" "$target" && sha256sum "tool-$version-$target.zip" >> SHA256SUMS)
done
git checkout -b "release/$version" && git add CHANGELOG.md && git status --short --branch | head -20
gh pr list --state merged --search "merged:>$(git log -1 --format=%cs "$previous")" --json number,title --jq '.[] | "#\(.number) \(.title)"' | head -30
