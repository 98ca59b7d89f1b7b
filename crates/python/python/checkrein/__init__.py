"""Checkrein: a hook engine for coding agents.

    from checkrein import Dispatcher, Payload, Verdict, hook

    @hook("PreToolUse", tools="Bash", role="judge")
    def no_friday_deploys(payload: Payload) -> Verdict | None:
        if "deploy" in (payload.command or ""):
            return Verdict.ask("is it Friday?")
        return None

    outcome = Dispatcher([no_friday_deploys]).dispatch(Payload.pre_tool_use("Bash", {"command": "make deploy"}))

A program for mini-coding-agent's hooks imports `checkrein.compat` and needs no other change.
"""

from ._dispatcher import Answer, Dispatcher, Hook, hook
from ._native import (
    Check,
    ConfigError,
    Outcome,
    PatternSet,
    __version__,
    check,
    effects,
    noop,
    patterns,
    scan_regex,
    walk_ast,
)
from ._types import Decision, EventName, Payload, Role, Step, ToolKind, Verdict

__all__ = [
    "Answer",
    "Check",
    "ConfigError",
    "Decision",
    "Dispatcher",
    "EventName",
    "Hook",
    "Outcome",
    "PatternSet",
    "Payload",
    "Role",
    "Step",
    "ToolKind",
    "Verdict",
    "__version__",
    "check",
    "effects",
    "hook",
    "noop",
    "patterns",
    "scan_regex",
    "walk_ast",
]
