set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
profile=${PROFILE:-release}
features=(tls metrics "store-${STORE:-sqlite}")
mkdir -p target/reports
start=$(date +%s)
cargo build --workspace --profile "$profile" --features "$(IFS=,; echo "${features[*]}")" 2>&1 | tee target/reports/build.log
if grep -q '^warning: unused' target/reports/build.log; then
  echo "there are unused items:" >&2
  grep -A4 '^warning: unused' target/reports/build.log | head -40 >&2
fi
for name in api worker migrate; do
  binary="target/$profile/$name"
  [[ -x $binary ]] || { echo "no $binary" >&2; exit 1; }
  printf '%-10s %8s bytes  %s\n' "$name" "$(stat -c %s "$binary")" "$("./$binary" --version 2>/dev/null | head -1)"
done
cargo test --workspace --profile "$profile" -- --test-threads=4 --skip slow_ | tail -25
end=$(date +%s)
echo "built and tested in $((end - start)) s" >> target/reports/times.txt
sort -n target/reports/times.txt | uniq -c | awk '$1 > 1 { n++ } END { print n + 0, "repeated times" }'
