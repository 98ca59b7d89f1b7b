"""The predecessor's workloads in Python, for parity tests and for the benchmark: a payload of 2.3 KB, about a hundred
patterns searched one after another, and a text of 805 characters with patterns that hardly occur in it."""

import re
from typing import Any

import checkrein

_STEP = """
echo "== step {number}: {name}"
if ! make {name} VERSION="$VERSION" >> "$LOG" 2>&1; then
    echo "step {number} failed, see $LOG" >&2
    exit {number}
fi
"""

_SCRIPT = (
    '#!/usr/bin/env bash\nset -euo pipefail\nVERSION="${VERSION:-1.4.2}"\nLOG="build/$(date +%Y-%m-%d).log"\n'
    + 'mkdir -p build\nfor tool in cargo npm python3; do\n    command -v "$tool" | tee -a "$LOG"\ndone\n'
    + "".join(_STEP.format(number=n, name=name) for n, name in enumerate(["lint", "unit", "docs", "wheel", "check"], 1))
)

_OUTPUT = "".join(
    f"2026-04-{day:02d}T10:{day:02d}:07Z INFO build/step-{day}.log: {day * 7} passed, 0 failed in {day}.25s\n"
    for day in range(1, 40)
)

#: One call of a shell tool: a build script of 1,316 characters, a directory, and 770 characters of output.
PAYLOAD: dict[str, Any] = {
    "hook_event_name": "PreToolUse",
    "tool_name": "run_shell",
    "tool_input": {"command": (_SCRIPT + "# " + "notes " * 200)[:1316], "cwd": "/home/dev/project/tools"},
    "tool_output": _OUTPUT[:770],
}

_COMPILED = [re.compile(pattern) for pattern in checkrein.patterns()]


def haystack(payload: dict[str, Any]) -> str:
    """Returns every string of the input, each followed by a space, and the output."""
    texts = [value + " " for value in payload["tool_input"].values() if isinstance(value, str)]
    return "".join(texts) + str(payload.get("tool_output", ""))


def regex_count(text: str) -> int:
    """Counts the patterns that occur."""
    return sum(1 for pattern in _COMPILED if pattern.search(text))


def scaling_patterns(count: int) -> list[str]:
    """Returns patterns of which few occur in the text."""
    return [rf"\btoken{index}\b" for index in range(count)]


def scaling_text() -> str:
    """Returns a text of 805 characters."""
    words = "the build takes token3 and token700 from the cache and writes a report of what it found there "
    return (words * 9)[:805]
