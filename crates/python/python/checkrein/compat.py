"""mini-coding-agent's `hooks` module, on this engine.

Write `import checkrein.compat as hooks`, and nothing else needs to change. The README lists the differences, which are on
purpose; none of them lets a call pass that the predecessor stopped.
"""

from __future__ import annotations

import copy
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union, cast

from . import _native
from ._threads import Imported

__all__ = [
    "EVENT_POST_TOOL",
    "EVENT_PRE_TOOL",
    "EVENT_SESSION_START",
    "EVENT_TOOL_FAILURE",
    "EVENT_USER_PROMPT",
    "KNOWN_EVENTS",
    "HookDecision",
    "HookManager",
    "HookSpec",
]

EVENT_PRE_TOOL = "PreToolUse"
EVENT_POST_TOOL = "PostToolUse"
EVENT_TOOL_FAILURE = "PostToolUseFailure"
EVENT_SESSION_START = "SessionStart"
EVENT_USER_PROMPT = "UserPromptSubmit"

#: The events that hooks can handle.
KNOWN_EVENTS = frozenset(
    {EVENT_PRE_TOOL, EVENT_POST_TOOL, EVENT_TOOL_FAILURE, EVENT_SESSION_START, EVENT_USER_PROMPT}
)

#: Built-in functions that are called natively.
_BUILT_IN = {
    "checkrein:noop": _native.noop,
    "checkrein:scan_regex": _native.scan_regex,
    "checkrein:walk_ast": _native.walk_ast,
}

#: The longest timeout of a command, in seconds.
_LONGEST = 600.0

#: The engine's reason for a command that exits with 2 and says nothing.
_NO_REASON = "blocked by the hook (exit 2, no reason given)"

_Path = Union[str, os.PathLike[str]]


@dataclass
class HookSpec:
    """One hook: its event, the tools that it matches, and how it runs."""

    event: str
    match: dict[str, Any] = field(default_factory=dict[str, Any])
    command: Optional[str] = None
    callable_path: Optional[str] = None
    timeout: Optional[float] = 5.0
    name: Optional[str] = None

    def label(self) -> str:
        """Its label: its name, its command, or its function."""
        return self.name or self.command or self.callable_path or "<hook>"

    def matches_tool(self, tool_name: str) -> bool:
        """Returns whether it matches this tool; the empty name means an event without a tool."""
        tools = self.tools()
        return tools is None or tool_name in tools

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
        if isinstance(tool, (list, tuple)) and tool:
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
    """Runs the given hooks in order, and merges their decisions. `deny` beats `ask` beats `allow`.

    `hooks` and `cwd` may be changed at any time.
    """

    def __init__(self, hooks: Optional[Iterable[HookSpec]] = None, cwd: Optional[_Path] = None) -> None:
        self.hooks: list[HookSpec] = list(hooks or [])
        self.cwd: Path = Path(cwd) if cwd else Path.cwd()
        self._built = self._build()

    def _build(self) -> tuple[list[Any], _native.Dispatcher]:
        """Returns the native list of the hooks, and what it was made of."""
        native = _native.Dispatcher(False)
        cwd = os.path.abspath(self.cwd)
        for index, spec in enumerate(self.hooks):
            _add(native, index, spec, cwd)
        return copy.deepcopy(self._parts()), native

    def _parts(self) -> list[Any]:
        parts: list[Any] = [
            (spec.event, spec.match, spec.command, spec.callable_path, spec.timeout, spec.name) for spec in self.hooks
        ]
        parts.append(self.cwd)
        return parts

    @classmethod
    def from_config(cls, config_path: _Path, cwd: Optional[_Path] = None) -> HookManager:
        """Creates a manager with the hooks of a JSON list. `cwd` defaults to the file's directory.

        Raises `ValueError` with every problem of the file, and `FileNotFoundError` if it does not exist.
        """
        path = os.path.abspath(str(config_path))
        _check_list(path)
        hooks = [_spec(path, index, row) for index, row in enumerate(_native.read_list(path))]
        return cls(hooks, os.path.dirname(path) if not cwd else cwd)

    def run(self, event: str, payload: dict[str, Any]) -> HookDecision:
        """Runs every hook of the event. Their rewrites are written into `payload`."""
        if event not in KNOWN_EVENTS:
            raise ValueError(f"unknown event: {event!r}, expected one of {', '.join(sorted(KNOWN_EVENTS))}")
        parts, native = self._built
        if parts != self._parts():
            self._built = _, native = self._build()
        answer = native.run(event, payload)
        if answer is None:
            return HookDecision()
        decision, reason, args, output, name, failures = answer
        for hook, failure, is_late in failures:
            print(f"[hook error] {hook}: {failure}", file=sys.stderr)
            if hook == name and reason is not None and reason.startswith("the hook failed"):
                reason = f"hook {failure}" if is_late else f"hook {hook} errored: {failure}"
        return HookDecision(decision, "hook denied" if reason == _NO_REASON else reason, args, output, name)

    def __repr__(self) -> str:
        return f"<HookManager: {', '.join(spec.label() for spec in self.hooks) or 'no hooks'}>"


def _add(native: _native.Dispatcher, index: int, spec: HookSpec, cwd: str) -> None:
    if spec.event not in KNOWN_EVENTS:
        raise ValueError(f"hooks[{index}]: unknown event {spec.event!r}, expected one of {', '.join(sorted(KNOWN_EVENTS))}")
    if bool(spec.command) == bool(spec.callable_path):
        raise ValueError(_exactly_one(index))
    tools = spec.tools()
    if spec.command:
        timeout = _LONGEST if spec.timeout is None else min(float(spec.timeout), _LONGEST)
        native.add_command(spec.event, spec.label(), spec.command, tools, timeout, cwd)
        return
    path = spec.callable_path or ""
    function: Callable[[Any], Any] = _BUILT_IN.get(path) or Imported(path, cwd)
    native.add(
        spec.event,
        spec.label(),
        function,
        tools=tools,
        except_tools=[],
        role=None,
        timeout=None if spec.timeout is None else min(float(spec.timeout), _LONGEST),
        on_failure="deny",
        may_allow=False,
        compat=True,
    )


def _exactly_one(index: int) -> str:
    return f"hooks[{index}]: specify exactly one of 'command' or 'callable'"


def _check_list(path: str) -> None:
    """Reports what is wrong with a JSON list in the predecessor's words. All else is up to the reader of configurations."""
    try:
        with open(path, encoding="utf-8") as file:
            rows: Any = json.load(file)
    except (OSError, ValueError):
        return
    listed: list[Any] = rows if isinstance(rows, list) else []  # pyright: ignore[reportUnknownVariableType]
    for index, row in enumerate(listed):
        if isinstance(row, dict):
            fields = cast("dict[str, Any]", row)
            if fields.get("event") in KNOWN_EVENTS and bool(fields.get("command")) == bool(fields.get("callable")):
                raise _native.ConfigError(f"{path}: {_exactly_one(index)}")


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
