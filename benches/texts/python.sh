source .venv/bin/activate && python - "$PWD/data/orders.csv" <<'PY'
import csv, sys, collections, statistics

by_month = collections.defaultdict(list)
with open(sys.argv[1], newline="") as file:
    for row in csv.DictReader(file):
        if row["state"] in ("paid", "shipped"):
            by_month[row["date"][:7]].append(float(row["total"]))

print(f"{'month':8} {'orders':>7} {'median':>9} {'mean':>9}")
for month, totals in sorted(by_month.items()):
    print(f"{month:8} {len(totals):7} {statistics.median(totals):9.2f} {statistics.fmean(totals):9.2f}")
PY
python -m pytest -x -q --no-header --disable-warnings tests/test_orders.py tests/test_reports.py -k 'not network and not slow' 2>&1 | tail -15
python -c 'import json, pathlib; d = json.loads(pathlib.Path("pyproject.lock.json").read_text()); print(len(d["packages"]), "packages")'
ruff check --output-format=concise src tests | sort | head -20; mypy --no-error-summary src/reports | sed 's/: note:.*//' | uniq | head -20
