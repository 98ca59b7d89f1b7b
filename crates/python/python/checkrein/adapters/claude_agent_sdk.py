"""Hooks for the Claude Agent SDK: `ClaudeAgentOptions(hooks=hooks(dispatcher))`.

The SDK calls its hooks with the events of Claude Code, so every event, edit and question works as it does for the program.
A question goes to the SDK's own `can_use_tool`.
"""

from __future__ import annotations

import json
from typing import Any, Optional, get_args

from claude_agent_sdk import HookContext, HookMatcher
from claude_agent_sdk.types import HookEvent, HookInput, HookJSONOutput

from .._dispatcher import Dispatcher

__all__ = ["EVENTS", "hooks"]


def _names(kind: Any) -> list[str]:
    """Returns the words of a union of literals."""
    return [kind] if isinstance(kind, str) else [name for part in get_args(kind) for name in _names(part)]


#: The events that this version of the SDK has.
EVENTS: tuple[HookEvent, ...] = tuple(_names(HookEvent))  # type: ignore[arg-type]


def hooks(dispatcher: Dispatcher, *, timeout: float = 60) -> dict[HookEvent, list[HookMatcher]]:
    """Returns the hooks for `ClaudeAgentOptions`: one for every event, which dispatches to `dispatcher`.

    A failure of the callback itself blocks the action.
    """

    async def dispatch(event: HookInput, tool_use_id: Optional[str], context: HookContext) -> HookJSONOutput:
        answer: Any = json.loads(await dispatcher.adispatch_json(json.dumps(event), host="claude"))
        # The SDK's own names of two fields, which are words of Python.
        return {{"continue": "continue_", "async": "async_"}.get(key, key): value for key, value in answer.items()}  # type: ignore[return-value]

    return {event: [HookMatcher(hooks=[dispatch], timeout=timeout, on_failure="block")] for event in EVENTS}
