"""mini-coding-agent's `hooks` module, on this engine.

Write `import checkrein.compat as hooks`, and nothing else needs to change. These differences are on purpose: a hook that
accepted the arguments runs again if a later one changes them, a Python hook has a timeout too, text that looks like an
answer but is invalid is a failure, and a denial after the call replaces the output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Optional, Union, cast

from . import _native
from ._threads import Imported

__all__ = [
    "EVENT_POST_TOOL",
    "EVENT_POST_TOOL_FAILURE",
    "EVENT_PRE_TOOL",
    "EVENT_SESSION_START",
    "EVENT_USER_PROMPT",
    "KNOWN_EVENTS",
    "HookDecision",
    "HookManager",
    "HookSpec",
]

EVENT_PRE_TOOL = "PreToolUse"
EVENT_POST_TOOL = "PostToolUse"
EVENT_POST_TOOL_FAILURE = "PostToolUseFailure"
EVENT_SESSION_START = "SessionStart"
EVENT_USER_PROMPT = "UserPromptSubmit"

#: The events that hooks can handle.
KNOWN_EVENTS = frozenset(
    {EVENT_PRE_TOOL, EVENT_POST_TOOL, EVENT_POST_TOOL_FAILURE, EVENT_SESSION_START, EVENT_USER_PROMPT}
)

#: Built-in functions that are called natively.
_BUILT_IN = {
    "checkrein:noop": _native.noop,
    "checkrein:scan_regex": _native.scan_regex,
    "checkrein:walk_ast": _native.walk_ast,
}


@dataclass
class HookSpec:
    """One hook: its event, the tools that it matches, and how it runs."""

    event: str
    match: dict[str, Any] = field(default_factory=dict[str, Any])
    command: Optional[str] = None
    callable_path: Optional[str] = None
    timeout: float = 5.0
    name: Optional[str] = None

    def label(self) -> str:
        """Its label: its name, its command, or its function."""
        return self.name or self.command or self.callable_path or "<hook>"

    def matches_tool(self, tool_name: str) -> bool:
        """Returns whether it matches this tool; the empty name means an event without a tool."""
        return _native.matches_tool(self.tools(), tool_name)

    def tools(self) -> Optional[list[str]]:
        """Returns the tools that it matches; None for all. Raises `ValueError` for an invalid `match`."""
        match: Mapping[str, Any] = self.match or {}
        for key in match:
            if key != "tool":
                raise ValueError(f"hook `{self.label()}`: unknown key `{key}` in `match`, expected `tool`")
        tool = match.get("tool")
        if tool is None:
            return None
        if isinstance(tool, str):
            return [tool]
        if isinstance(tool, (list, tuple)):
            names = [name for name in cast("Iterable[object]", tool) if isinstance(name, str)]
            if len(names) == len(cast("list[object]", tool)):
                return names
        raise ValueError(f"hook `{self.label()}`: `match.tool` should be a string or a list of strings")


@dataclass
class HookDecision:
    """The decision of one hook, or of all together: `allow`, `ask` or `deny`, and the rewrites."""

    decision: str = "allow"
    reason: Optional[str] = None
    rewrite_args: Optional[dict[str, Any]] = None
    rewrite_output: Optional[str] = None
    hook_name: Optional[str] = None

    def as_dict(self) -> dict[str, Any]:
        """Returns the fields of the answer that are set."""
        fields = {
            "decision": self.decision,
            "reason": self.reason,
            "rewrite_args": self.rewrite_args,
            "rewrite_output": self.rewrite_output,
        }
        return {key: value for key, value in fields.items() if value is not None or key == "decision"}


class HookManager:
    """Runs the given hooks in order, and merges their decisions. `deny` beats `ask` beats `allow`."""

    def __init__(
        self, hooks: Iterable[HookSpec] = (), cwd: Union[None, str, os.PathLike[str]] = None
    ) -> None:
        self.hooks: list[HookSpec] = list(hooks)
        self.cwd: str = os.path.abspath(os.getcwd() if cwd is None else os.fspath(cwd))
        self._native = _native.Dispatcher(False)
        for index, spec in enumerate(self.hooks):
            self._add(index, spec)

    def _add(self, index: int, spec: HookSpec) -> None:
        if spec.event not in KNOWN_EVENTS:
            raise ValueError(f"hook {index}: unknown event `{spec.event}`, expected one of {_events()}")
        if (spec.command is None) == (spec.callable_path is None):
            raise ValueError(f"hook {index}: needs exactly one of `command` and `callable`")
        tools = spec.tools()
        if spec.command is not None:
            self._native.add_command(
                spec.event, spec.label(), spec.command, tools, float(spec.timeout), self.cwd
            )
            return
        path = spec.callable_path or ""
        function: Callable[[Any], Any] = _BUILT_IN.get(path) or Imported(path, self.cwd)
        self._native.add(
            spec.event,
            spec.label(),
            function,
            tools=tools,
            except_tools=[],
            role=None,
            timeout=float(spec.timeout),
            on_failure=None,
            may_allow=False,
            plain=True,
        )

    @classmethod
    def from_config(
        cls, path: Union[str, os.PathLike[str]], cwd: Union[None, str, os.PathLike[str]] = None
    ) -> HookManager:
        """Creates a manager with the hooks of a JSON list. `cwd` defaults to the file's directory.

        Raises `ValueError` with every problem of the file, and `FileNotFoundError` if it does not exist.
        """
        path = os.path.abspath(os.fspath(path))
        hooks = [_spec(path, index, row) for index, row in enumerate(_native.read_list(path))]
        return cls(hooks, os.path.dirname(path) if cwd is None else cwd)

    def run(self, event: str, payload: dict[str, Any]) -> HookDecision:
        """Runs every hook of the event. Their rewrites are written into `payload`."""
        if event not in KNOWN_EVENTS:
            raise ValueError(f"unknown event `{event}`, expected one of {_events()}")
        answer = self._native.run(event, payload)
        if answer is None:
            return HookDecision()
        decision, reason, args, output, name, failures = answer
        for hook, failure in failures:
            print(f"hook {hook} failed: {failure}", file=sys.stderr)
        return HookDecision(decision, reason, args, output, name)

    def __repr__(self) -> str:
        return f"<HookManager: {', '.join(spec.label() for spec in self.hooks) or 'no hooks'}>"


def _events() -> str:
    return ", ".join(f"`{event}`" for event in sorted(KNOWN_EVENTS))


def _spec(path: str, index: int, row: Mapping[str, Any]) -> HookSpec:
    """Reads a row of the file. One that this module cannot express is an error, not half a hook."""
    command = row["command"]
    beyond = {
        "`role`": row["role"] != "plain",
        "`on_failure`": row["on_failure"] is not None,
        "`may_allow`": row["may_allow"],
        "`except`": bool(row["match"]["except"]),
        "`env`": bool(row["env"]),
        "a list as its `command`": isinstance(command, list),
    }
    for what, is_there in beyond.items():
        if is_there:
            raise ValueError(f"{path}: hook {index} has {what}; use `checkrein.Dispatcher.from_config`")
    tools = row["match"]["tool"]
    match = {} if tools is None else {"tool": tools[0] if len(tools) == 1 else tools}
    return HookSpec(row["event"], match, command, row.get("callable"), row["timeout"], row["name"])
