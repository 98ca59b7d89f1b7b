"""Guarded tools for the OpenAI Agents SDK: `guarded(agent, dispatcher)`.

Function tools, custom tools and MCP servers go through the hooks. The SDK's hooks and guardrails cannot change arguments, and some
tools have none, so the tools themselves are wrapped. A tool that runs on this machine in another way is refused, not left open.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
from collections.abc import Awaitable, Callable
from typing import Any, Optional, TypeVar, Union, cast

from agents import Agent, FunctionTool, Handoff, Tool, ToolOutputFileContent, ToolOutputImage, ToolOutputText
from agents import tool as sdk
from agents.mcp import MCPServer
from agents.tool import CustomTool
from agents.tool_context import ToolContext

from .._dispatcher import Dispatcher
from ._call import Ask, Call, like, refuse, view

__all__ = ["guarded", "guarded_tool"]

_Context = TypeVar("_Context")
_GUARDED = "__checkrein__"

#: The tools that the provider runs, as far as this version of the SDK has them. Every other tool runs here.
_HOSTED: tuple[Any, ...] = tuple(
    getattr(sdk, name)
    for name in (
        "CodeInterpreterTool",
        "FileSearchTool",
        "HostedMCPTool",
        "ImageGenerationTool",
        "ProgrammaticToolCallingTool",
        "ToolSearchTool",
        "WebSearchTool",
    )
    if hasattr(sdk, name)
)

#: The argument under which hooks see the text of a custom tool. The guard judges it as that of a tool of the same kind.
_TEXT = "command"

_NOT_AN_OBJECT = "the arguments are not a JSON object"


def guarded(agent: Agent[_Context], hooks: Dispatcher, *, ask: Ask = refuse) -> Agent[_Context]:
    """Returns a copy of an agent whose tools, MCP servers and handoffs are guarded.

    `ask` answers the questions of hooks; without it, the answer is no. Raises `TypeError` for a tool that cannot be guarded,
    and for an agent that gets tools of its own when it runs.
    """
    return _guarded(agent, hooks, ask, {})


def _guarded(agent: Agent[Any], hooks: Dispatcher, ask: Ask, known: dict[int, Agent[Any]]) -> Agent[Any]:
    if id(agent) in known:
        return known[id(agent)]
    if type(agent).get_all_tools is not Agent.get_all_tools:
        raise TypeError(
            f"the agent `{agent.name}` is a `{type(agent).__name__}`, which adds tools when it runs, and these cannot be guarded"
        )
    made = known[id(agent)] = agent.clone(tools=[guarded_tool(tool, hooks, ask=ask) for tool in agent.tools])
    for server in agent.mcp_servers:
        _guard_server(server, hooks, ask)
    made.handoffs = [_guarded_handoff(other, hooks, ask, known) for other in agent.handoffs]
    return made


def _guarded_handoff(
    other: Union[Agent[Any], Handoff[Any, Any]], hooks: Dispatcher, ask: Ask, known: dict[int, Agent[Any]]
) -> Union[Agent[Any], Handoff[Any, Any]]:
    if isinstance(other, Agent):
        return _guarded(other, hooks, ask, known)
    invoke = other.on_invoke_handoff

    async def guarded_invoke(context: Any, arguments: str) -> Any:
        # The agent that takes over may be known only now.
        return _guarded(await invoke(context, arguments), hooks, ask, known)

    return dataclasses.replace(other, on_invoke_handoff=guarded_invoke)


def guarded_tool(tool: Tool, hooks: Dispatcher, *, ask: Ask = refuse) -> Tool:
    """Returns a guarded copy of a function tool or a custom tool. A tool that the provider runs is returned as it is."""
    if isinstance(tool, FunctionTool):
        return _guarded_function(tool, hooks, ask)
    if isinstance(tool, CustomTool):
        return _guarded_custom(tool, hooks, ask)
    if type(tool) in _HOSTED:
        return tool
    raise TypeError(f"the tool `{tool.name}` runs here in its own way and cannot be guarded; make it a function tool")


def _guarded_function(tool: FunctionTool, hooks: Dispatcher, ask: Ask) -> FunctionTool:
    invoke = tool.on_invoke_tool

    async def guarded_invoke(context: ToolContext[Any], arguments: str) -> Any:
        given = _arguments(arguments)
        if given is None:
            # No hook could judge it, and only the tool knows what it makes of it.
            return _NOT_AN_OBJECT

        async def run(changed: dict[str, Any]) -> Any:
            # What was judged is what runs: the text could name an argument twice.
            return await invoke(context, json.dumps(changed))

        return await _run_tool(Call(hooks, ask, tool.name, given, tool_use_id=context.tool_call_id), run)

    wrapped = copy.copy(tool)
    wrapped.on_invoke_tool = guarded_invoke
    return wrapped


def _guarded_custom(tool: CustomTool, hooks: Dispatcher, ask: Ask) -> CustomTool:
    invoke = tool.on_invoke_tool

    async def guarded_invoke(context: ToolContext[Any], text: str) -> Any:
        async def run(changed: dict[str, Any]) -> Any:
            answer = invoke(context, str(changed[_TEXT]))
            return await answer if inspect.isawaitable(answer) else answer

        return await _run_tool(Call(hooks, ask, tool.name, {_TEXT: text}, tool_use_id=context.tool_call_id), run)

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

        call = Call(hooks, ask, f"mcp__{server.name}__{tool_name}", arguments or {})
        shown = await _run(call, run)
        if isinstance(shown, str):
            shown = {"content": [{"type": "text", "text": shown}]}
        result = CallToolResult.model_validate(shown)
        result.content += [TextContent(type="text", text=text) for text in call.context]
        return result

    setattr(server, "call_tool", guarded_call)
    setattr(server, _GUARDED, True)


async def _run_tool(call: Call, run: Callable[[dict[str, Any]], Awaitable[Any]]) -> Any:
    """Runs a tool and returns what the model is shown, as the SDK takes it."""
    results: list[Any] = []

    async def viewed(changed: dict[str, Any]) -> Any:
        results.append(await run(changed))
        return view(results[0], _block)

    shown = await _run(call, viewed)
    for result in results:
        shown = result if shown == view(result, _block) else like(shown, result)
    return _with_context(shown, call.context)


async def _run(call: Call, run: Callable[[dict[str, Any]], Awaitable[Any]]) -> Any:
    """Runs a call and returns its result as hooks leave it, or the reason why it did not run."""
    outcome = await call.abefore()
    if not outcome.may_run:
        return outcome.reason
    try:
        result = await run(dict(call.arguments))
    except Exception as error:
        shown = await call.aafter(str(error), is_error=True)
        if shown.response == str(error) and not call.context:
            raise
        return shown.response
    return (await call.aafter(result)).response


def _arguments(text: str) -> Optional[dict[str, Any]]:
    try:
        found: Any = json.loads(text) if text else {}
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _block(part: Any) -> Optional[dict[str, Any]]:
    """Returns a block as JSON; None for any other value."""
    if isinstance(part, (ToolOutputText, ToolOutputImage, ToolOutputFileContent)):
        return part.model_dump(mode="json")
    if not isinstance(part, dict):
        return None
    fields = cast("dict[str, Any]", part)
    is_block = fields.get("type") in ("image", "file") or (
        fields.get("type") == "text" and isinstance(fields.get("text"), str)
    )
    return fields if is_block else None


def _with_context(result: Any, context: list[str]) -> Any:
    if not context:
        return result
    seen = view(result, _block)
    text = "\n\n".join(context)
    return f"{seen}\n\n{text}" if isinstance(seen, str) else [*seen, {"type": "text", "text": text}]
