"""Guarded tools for the OpenAI Agents SDK: `guarded(agent, dispatcher)`.

Function tools and MCP servers go through the hooks. The SDK's hooks and guardrails cannot change arguments, and some tools have
none, so the tools themselves are wrapped. A tool that runs on this machine in another way is refused, not left open.
"""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Awaitable, Callable
from typing import Any, Optional, TypeVar, cast

from agents import Agent, FunctionTool, Tool
from agents.mcp import MCPServer
from agents.tool import ApplyPatchTool, ComputerTool, LocalShellTool, ShellTool
from agents.tool_context import ToolContext

from .._dispatcher import Dispatcher
from ._call import Ask, Call, refuse

__all__ = ["guarded", "guarded_tool"]

_Context = TypeVar("_Context")
_LOCAL = (ApplyPatchTool, ComputerTool, LocalShellTool, ShellTool)
_GUARDED = "__checkrein__"


def guarded(agent: Agent[_Context], hooks: Dispatcher, *, ask: Ask = refuse) -> Agent[_Context]:
    """Returns a copy of an agent whose tools, MCP servers and handoffs are guarded.

    `ask` answers the questions of hooks; without it, the answer is no. Raises `TypeError` for a tool that cannot be guarded.
    """
    return _guarded(agent, hooks, ask, {})


def _guarded(agent: Agent[Any], hooks: Dispatcher, ask: Ask, known: dict[int, Agent[Any]]) -> Agent[Any]:
    if id(agent) in known:
        return known[id(agent)]
    made = known[id(agent)] = agent.clone(tools=[guarded_tool(tool, hooks, ask=ask) for tool in agent.tools])
    for server in agent.mcp_servers:
        _guard_server(server, hooks, ask)
    made.handoffs = [
        _guarded(other, hooks, ask, known) if isinstance(other, Agent) else other
        for other in agent.handoffs
    ]
    return made


def guarded_tool(tool: Tool, hooks: Dispatcher, *, ask: Ask = refuse) -> Tool:
    """Returns a guarded copy of a function tool. A tool that the provider runs is returned as it is."""
    if isinstance(tool, _LOCAL):
        raise TypeError(f"the tool `{tool.name}` runs here in its own way and cannot be guarded; make it a function tool")
    if not isinstance(tool, FunctionTool):
        return tool
    invoke = tool.on_invoke_tool

    async def guarded_invoke(context: ToolContext[Any], arguments: str) -> Any:
        given = _arguments(arguments)
        if given is None:
            # The tool reports arguments that are no object in its own way, and does not run with them.
            return await invoke(context, arguments)

        async def run(changed: dict[str, Any]) -> Any:
            return await invoke(context, arguments if changed is given else json.dumps(changed))

        return await _run(hooks, ask, tool.name, given, run, context.tool_call_id)

    wrapped = copy.copy(tool)
    wrapped.on_invoke_tool = guarded_invoke
    return wrapped


def _guard_server(server: MCPServer, hooks: Dispatcher, ask: Ask) -> None:
    """Guards the calls of an MCP server, in place: a server is a connection and cannot be copied."""
    if getattr(server, _GUARDED, False):
        return
    call_tool = server.call_tool

    async def guarded_call(tool_name: str, arguments: Optional[dict[str, Any]], *more: Any, **others: Any) -> Any:
        from mcp.types import CallToolResult, TextContent

        async def run(changed: dict[str, Any]) -> Any:
            return (await call_tool(tool_name, changed, *more, **others)).model_dump(mode="json")

        name = f"mcp__{server.name}__{tool_name}"
        shown = await _run(hooks, ask, name, arguments or {}, run, None)
        if isinstance(shown, str):
            return CallToolResult(content=[TextContent(type="text", text=shown)])
        return CallToolResult.model_validate(shown)

    setattr(server, "call_tool", guarded_call)
    setattr(server, _GUARDED, True)


async def _run(
    hooks: Dispatcher,
    ask: Ask,
    name: str,
    arguments: dict[str, Any],
    run: Callable[[dict[str, Any]], Awaitable[Any]],
    call_id: Optional[str],
) -> Any:
    call = Call(hooks, ask, name, arguments, tool_use_id=call_id)
    outcome = await call.abefore()
    if not outcome.may_run:
        return outcome.reason
    changed = outcome.tool_input if outcome.edited else arguments
    try:
        result = await run(arguments if changed is None else changed)
    except Exception as error:
        shown = await call.aafter(str(error), is_error=True)
        if shown.response == str(error) and not call.context:
            raise
        return _with_context(shown.response, call.context)
    shown = await call.aafter(_plain(result))
    unchanged = shown.response == _plain(result)
    return _with_context(result if unchanged else shown.response, call.context)


def _arguments(text: str) -> Optional[dict[str, Any]]:
    try:
        found: Any = json.loads(text) if text else {}
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _plain(result: Any) -> Any:
    """Returns a result as the model gets it: JSON as it is, a text otherwise."""
    if isinstance(result, (list, tuple)):
        return [_plain(part) for part in cast("list[Any]", result)]
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return dataclasses.asdict(result)
    if hasattr(result, "model_dump"):
        return result.model_dump(mode="json")
    try:
        json.dumps(result, allow_nan=False)
    except (TypeError, ValueError):
        return str(result)
    return result


def _with_context(result: Any, context: list[str]) -> Any:
    if not context:
        return result
    text = "\n\n".join(context)
    return f"{result}\n\n{text}" if isinstance(result, str) else [result, {"type": "text", "text": text}]
