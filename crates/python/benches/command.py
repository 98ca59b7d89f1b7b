"""The workloads in Python: as functions, and as a command that reads a payload on stdin. Both do the same work; the command
also has to start, import and compile, which is what it measures."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

_PATTERNS = Path(__file__).resolve().parents[1] / "src" / "patterns.txt"
_compiled: list[Any] = []
_parser: list[Any] = []


def nothing(payload: dict[str, Any]) -> None:
    """Does nothing: measures the cost of a call."""


def regex(payload: dict[str, Any]) -> dict[str, Any]:
    """Counts the patterns that occur in the strings of the input and in the output."""
    if not _compiled:
        import re

        lines = _PATTERNS.read_text(encoding="utf-8").splitlines()
        _compiled.extend(re.compile(line) for line in lines if line and not line.startswith("# "))
    texts = [value + " " for value in payload["tool_input"].values() if isinstance(value, str)]
    haystack = "".join(texts) + payload.get("tool_output", "")
    matches = 0
    for pattern in _compiled:
        if pattern.search(haystack):
            matches += 1
    return {"decision": "allow", "matches": matches}


def ast(payload: dict[str, Any]) -> dict[str, Any]:
    """Counts the nodes of the command's syntax tree."""
    if not _parser:
        import tree_sitter
        import tree_sitter_bash

        _parser.append(tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language())))
    cursor = _parser[0].parse(payload["tool_input"]["command"].encode()).walk()
    nodes = 1
    while True:
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            nodes += 1
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                nodes += 1
                break
        else:
            return {"decision": "allow", "nodes": nodes}


if __name__ == "__main__":
    print(json.dumps({"regex": regex, "ast": ast}[sys.argv[1]](json.load(sys.stdin))))
