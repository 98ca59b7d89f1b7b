"""Measures the Python package: the predecessor's tables, with equal work in every row and all rows interleaved.

`cargo xtask bench python` builds the released wheel and runs this. It prints and never asserts: a loaded machine must not
make a correct program fail. Every call is timed separately; figures with a goal show it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

import predecessor  # noqa: E402
import checkrein  # noqa: E402
import command  # noqa: E402
from checkrein import _native  # noqa: E402
from checkrein.compat import HookManager, HookSpec  # noqa: E402
from workloads import PAYLOAD, scaling_patterns, scaling_text  # noqa: E402

Row = Callable[[], Any]

#: As in the predecessor: calls in this process, and calls that start one.
CALLS, STARTS = 1000, 150


def measured(rows: dict[str, tuple[Row, int]]) -> dict[str, list[float]]:
    """Returns the microseconds of each call. Rows take turns, in another order each round, after a warm-up."""
    samples: dict[str, list[float]] = {name: [] for name in rows}
    for name, (row, calls) in rows.items():
        for _ in range(50 if calls >= CALLS else 5):
            row()
    mixed = random.Random(1)
    most = max(calls for _, calls in rows.values())
    clock = time.perf_counter_ns
    gc.collect()
    gc.disable()
    for turn in range(most):
        names = [name for name, (_, calls) in rows.items() if turn * calls // most != (turn + 1) * calls // most]
        mixed.shuffle(names)
        for name in names:
            row = rows[name][0]
            begun = clock()
            row()
            samples[name].append((clock() - begun) / 1000)
    gc.enable()
    return samples


def percentile(ordered: list[float], part: float) -> float:
    return ordered[round(part / 100 * (len(ordered) - 1))]


class Figures:
    """Prints mean, percentiles and the cost of a hundred calls."""

    def __init__(self, samples: list[float]) -> None:
        ordered = sorted(samples)
        self.mean = sum(ordered) / len(ordered)
        self.p50, self.p95, self.p99 = (percentile(ordered, part) for part in (50, 95, 99))
        self.least = ordered[0]

    def line(self, name: str) -> str:
        return (
            f"  {name:<42} {self.mean:>10.1f} {self.p50:>10.1f} {self.p95:>10.1f} {self.p99:>10.1f} {self.least:>10.1f}"
            f" {self.mean / 10:>9.2f}"
        )


HEAD = f"  {'':<42} {'mean µs':>10} {'p50':>10} {'p95':>10} {'p99':>10} {'least':>10} {'100 in ms':>9}"


def table(title: str, rows: dict[str, tuple[Row, int]]) -> dict[str, Figures]:
    print(f"\n{title}\n{HEAD}")
    figures = {name: Figures(samples) for name, samples in measured(rows).items()}
    for name, figure in figures.items():
        print(figure.line(name))
    return figures


def goal(what: str, ratio: float, least: float | None = None, most: float | None = None) -> None:
    """Returns a ratio of medians, which one interrupted call does not change."""
    wanted = f"goal: at least {least:g}" if least is not None else f"goal: at most {most:g}"
    met = (least is None or ratio >= least) and (most is None or ratio <= most)
    print(f"  {what}: {ratio:.2f} ({wanted}; {'met' if met else 'NOT met'})")


def manager(**how: Any) -> HookManager:
    return HookManager([HookSpec("PreToolUse", **how)], HERE)


def runs(hooks: HookManager | predecessor.Manager) -> Row:
    def row() -> None:
        hooks.run("PreToolUse", PAYLOAD)

    return row


def predecessors_table() -> None:
    python = sys.executable
    for workload, title in [("regex", "Regex scan, about 100 patterns"), ("ast", "Syntax tree of the command")]:
        started = f"exec {python} {HERE / 'command.py'} {workload}"
        rows: dict[str, tuple[Row, int]] = {
            "Python, a process for each call": (runs(manager(command=started, timeout=60)), STARTS),
            "Python function": (runs(manager(callable_path=f"command:{workload}")), CALLS),
            "our Rust function": (
                runs(manager(callable_path="checkrein:scan_regex" if workload == "regex" else "checkrein:walk_ast")),
                CALLS,
            ),
        }
        if workload == "regex":
            theirs = predecessor.Manager([predecessor.Spec("PreToolUse", "predecessor:regex")], HERE)
            rows["Rust behind a JSON boundary"] = (runs(theirs), CALLS)
        else:
            text = PAYLOAD["tool_input"]["command"]
            rows["the bare parse, without any hook"] = (lambda: _native.bare_parse(text), CALLS)
        same_work(workload, rows)
        figures = table(f"{title}, through HookManager.run", rows)
        process, function, ours = list(figures.values())[:3]
        print(
            f"  ratios of means: architecture {process.mean / function.mean:.1f} x, compilation "
            f"{function.mean / ours.mean:.1f} x, combined {process.mean / ours.mean:,.0f} x"
        )
        other = list(figures.values())[3]
        if workload == "regex":
            goal("the JSON boundary against ours, p50", other.p50 / ours.p50, least=3)
        else:
            goal("ours against the bare parse, p50", ours.p50 / other.p50, most=1.1)


def same_work(workload: str, rows: dict[str, tuple[Row, int]]) -> None:
    """Checks that all rows count the same, which their decisions do not show."""
    rows["our Rust function"][0]()
    ours = _native.counted()
    if workload == "regex":
        assert ours == command.regex(PAYLOAD)["matches"] == predecessor.regex(PAYLOAD)["matches"]
    else:
        assert ours == command.ast(PAYLOAD)["nodes"]


def border() -> None:
    noop = manager(callable_path="checkrein:noop")
    native = checkrein.Dispatcher(guard=False)
    native.add(checkrein.noop, "PreToolUse")
    plain = manager(callable_path="command:nothing")
    in_place = manager(callable_path="command:nothing", timeout=None)
    rows: dict[str, tuple[Row, int]] = {
        "HookManager.run, one native hook": (runs(noop), CALLS * 5),
        "Dispatcher.dispatch, one native hook": (lambda: native.dispatch(PAYLOAD), CALLS * 5),
        "json.dumps and json.loads of the payload": (lambda: json.loads(json.dumps(PAYLOAD)), CALLS * 5),
        "the same dispatch through a JSON text": (
            lambda: json.loads(native.dispatch_json(json.dumps(PAYLOAD))),
            CALLS * 5,
        ),
        "HookManager.run, one Python function": (runs(plain), CALLS * 5),
        "the same in place, without a time limit": (runs(in_place), CALLS * 5),
    }
    figures = table(f"The boundary, a payload of {len(json.dumps(PAYLOAD))} bytes", rows)
    run, _, both, text, _, place = figures.values()
    goal("run against dumps and loads, p50", run.p50 / both.p50, most=1)
    goal("a Python function in place, p50 in µs", place.p50, most=5)
    print(f"  through a JSON text, p50: {text.p50 / run.p50:.2f} x")


def application() -> None:
    """Measures what an application waits for: the import, and hooks that wait at the same time."""
    print("\nThe application")
    code = "import time; begun = time.perf_counter(); import checkrein; print((time.perf_counter() - begun) * 1000)"
    imports = sorted(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(15))
    goal("import checkrein, median of 15 processes in ms", imports[7], most=25)

    async def waits(_: Any) -> None:
        await asyncio.sleep(0.2)

    async def together() -> float:
        hooks = checkrein.Dispatcher(guard=False)
        for number in range(50):
            hooks.add(waits, "PreToolUse", name=f"waits {number}", role="judge")
        begun = time.perf_counter()
        await hooks.adispatch(PAYLOAD)
        return time.perf_counter() - begun

    goal("50 async hooks of 0.2 s, best of 3 in s", min(asyncio.run(together()) for _ in range(3)), most=0.25)


def scaling() -> None:
    text, sizes = scaling_text(), (10, 50, 100, 500, 1000)
    rows: dict[str, tuple[Row, int]] = {}
    for size in sizes:
        patterns = scaling_patterns(size)
        compiled = [re.compile(pattern) for pattern in patterns]
        joined = re.compile("|".join(patterns))
        ours = checkrein.PatternSet(patterns)

        def loop(compiled: list[re.Pattern[str]] = compiled) -> int:
            return sum(1 for pattern in compiled if pattern.search(text))

        def join(joined: re.Pattern[str] = joined) -> int:
            return len(set(joined.findall(text)))

        def scan(ours: checkrein.PatternSet = ours) -> int:
            return ours.scan(text)

        assert loop() == join() == scan(), size
        rows.update({f"{size} loop": (loop, CALLS), f"{size} joined": (join, CALLS), f"{size} ours": (scan, CALLS)})
    figures = {name: Figures(samples) for name, samples in measured(rows).items()}
    print(f"\nPatterns over a text of {len(text)} characters, p50 in µs")
    print(f"  {'patterns':>8} {'Python loop':>12} {'joined with |':>14} {'ours':>8} {'loop / ours':>12}")
    for size in sizes:
        loop_, join_, ours_ = (figures[f"{size} {kind}"].p50 for kind in ("loop", "joined", "ours"))
        print(f"  {size:>8} {loop_:>12.1f} {join_:>14.1f} {ours_:>8.2f} {loop_ / ours_:>10.0f} x")
    slopes = {
        kind: (figures[f"{sizes[-1]} {kind}"].p50 - figures[f"{sizes[0]} {kind}"].p50) / (sizes[-1] - sizes[0])
        for kind in ("loop", "joined", "ours")
    }
    print("  per added pattern: " + ", ".join(f"{kind} {slope * 1000:.2f} ns" for kind, slope in slopes.items()))
    steeper = f"{slopes['loop'] / slopes['ours']:,.0f} x" if slopes["ours"] > 0.00001 else "no slope to compare with"
    print(f"  the loop is steeper than ours by: {steeper}")
    goal("1000 patterns against 10, p50", figures["1000 ours"].p50 / figures["10 ours"].p50, most=1.3)


def main() -> None:
    print(f"{platform.platform()}, {platform.python_implementation()} {platform.python_version()}, checkrein {checkrein.__version__}")
    load = os.getloadavg()[0]
    print(f"load before: {load:.2f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        predecessors_table()
        border()
        application()
        scaling()
        os.chdir("/")
    if max(load, os.getloadavg()[0]) > 0.7 * (os.cpu_count() or 1):
        print("\ndoubtful: the machine is busy; run it again on a quiet one before you believe it")


if __name__ == "__main__":
    main()
