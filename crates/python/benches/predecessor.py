"""The work of the predecessor for a call of its extension, and no more: a dispatcher in Python that looks the function up at
every call, a function in Python around the native one, and JSON text in each direction."""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkrein import _native

_STRENGTH = {"allow": 1, "ask": 2, "deny": 3}
_EVENTS = {"PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionStart", "UserPromptSubmit"}


def regex(payload: dict[str, Any]) -> dict[str, Any]:
    """The function that its configuration names: JSON in, JSON out."""
    answer: Any = json.loads(_native.regex_through_json(json.dumps(payload, separators=(",", ":"))))
    return answer if isinstance(answer, dict) else {"decision": "allow"}


@dataclass
class Answer:
    """The decision of one hook, or of all."""

    decision: str = "allow"
    reason: str | None = None
    rewrite_args: dict[str, Any] | None = None
    rewrite_output: str | None = None
    hook_name: str | None = None


@dataclass
class Spec:
    """A hook for an event, with its tools; without any, it is for all tools."""

    event: str
    function: str
    tools: tuple[str, ...] = ()


class Manager:
    """Calls each hook in turn and merges the answers."""

    def __init__(self, specs: list[Spec], cwd: Path) -> None:
        self.specs = specs
        self.cwd = cwd

    def run(self, event: str, payload: dict[str, Any]) -> Answer:
        if event not in _EVENTS:
            raise ValueError(event)
        merged = Answer()
        tool = str(payload.get("tool_name", ""))
        for spec in self.specs:
            if spec.event != event or (spec.tools and tool not in spec.tools):
                continue
            try:
                answer = self._ask(spec, payload)
            except Exception as error:
                return Answer("deny", str(error), hook_name=spec.function)
            self._merge(merged, answer, spec.function, payload)
            if merged.decision == "deny":
                break
        return merged

    def _ask(self, spec: Spec, payload: dict[str, Any]) -> Answer:
        module, _, name = spec.function.partition(":")
        directory = str(self.cwd)
        if directory not in sys.path:
            sys.path.insert(0, directory)
        return _read(getattr(importlib.import_module(module), name)(payload))

    def _merge(self, merged: Answer, answer: Answer, name: str, payload: dict[str, Any]) -> None:
        if _STRENGTH[answer.decision] > _STRENGTH[merged.decision]:
            merged.decision, merged.reason, merged.hook_name = answer.decision, answer.reason, name
        if answer.rewrite_args:
            merged.rewrite_args = {**(merged.rewrite_args or {}), **answer.rewrite_args}
            payload.setdefault("tool_input", {}).update(answer.rewrite_args)
        if answer.rewrite_output is not None:
            merged.rewrite_output = payload["tool_output"] = answer.rewrite_output


def _read(answer: Any) -> Answer:
    """Converts the answer of a function."""
    if not isinstance(answer, dict):
        raise TypeError(type(answer).__name__)
    decision = answer.get("decision", "allow")
    if decision not in _STRENGTH:
        raise ValueError(decision)
    return Answer(decision, answer.get("reason"), answer.get("rewrite_args"), answer.get("rewrite_output"))
