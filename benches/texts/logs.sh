log=${1:-/var/log/app/access.log}
day=$(date -u +%Y-%m-%d)
echo "requests of $day by status:"
grep -F "$day" "$log" | awk '{ count[$9]++ } END { for (status in count) printf "%6d %s\n", count[status], status }' | sort -rn
echo
echo "slowest paths (95th of a hundred, in ms):"
grep -F "$day" "$log" | awk '$9 < 500 { print $7, $NF }' | sed 's/?[^ ]*//' | sort -k1,1 -k2,2n \
  | awk '{ if ($1 != last) { if (n) print time[int(n * 0.95)], n, last; n = 0; last = $1 } time[n++] = $2 } END { print time[int(n * 0.95)], n, last }' \
  | sort -rn | head -15 | column -t
echo
echo "errors that were not there yesterday:"
comm -13 <(zcat -f "$log".1* 2>/dev/null | grep -oE 'error="[^"]+"' | sort -u) <(grep -oE 'error="[^"]+"' "$log" | sort -u) | head -20
journalctl --user -u app.service --since "$day 00:00" --no-pager -o cat 2>/dev/null \
  | jq -rR 'fromjson? | select(.level == "error") | "\(.time) \(.target): \(.fields.message)"' | tail -5
