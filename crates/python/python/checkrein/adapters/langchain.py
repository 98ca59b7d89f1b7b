"""A middleware for LangChain 1.x: `create_agent(model, tools, middleware=[CheckreinMiddleware(dispatcher)])`.

Put it last, so that it is the innermost: then it judges what the other middleware made of a call, and they never see a result
before it was redacted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Union, cast

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from .._dispatcher import Dispatcher
from ._call import Ask, Call, Shown, refuse

__all__ = ["CheckreinMiddleware"]

_Result = Union[ToolMessage, Command[Any]]


class CheckreinMiddleware(AgentMiddleware[Any, Any, Any]):
    """Sends every tool call through the hooks of a dispatcher.

    `ask` answers the questions of hooks; without it, the answer is no. In a synchronous agent it must be a plain function.
    """

    def __init__(self, hooks: Dispatcher, *, ask: Ask = refuse) -> None:
        super().__init__()
        self.hooks = hooks
        self.ask = ask

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]
    ) -> _Result:
        call = self._call(request)
        outcome = call.before()
        if not outcome.may_run:
            return _refused(request, outcome.reason)
        try:
            result = handler(_changed(request, outcome.tool_input))
        except Exception as error:
            return _failed(request, call, error, call.after(str(error), is_error=True))
        messages = [
            (message, call.after(message.content, is_error=message.status == "error"))
            for message in _messages(result)
        ]
        return _put(result, messages, call)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        call = self._call(request)
        outcome = await call.abefore()
        if not outcome.may_run:
            return _refused(request, outcome.reason)
        try:
            result = await handler(_changed(request, outcome.tool_input))
        except Exception as error:
            return _failed(request, call, error, await call.aafter(str(error), is_error=True))
        messages = [
            (message, await call.aafter(message.content, is_error=message.status == "error"))
            for message in _messages(result)
        ]
        return _put(result, messages, call)

    def _call(self, request: ToolCallRequest) -> Call:
        asked = request.tool_call
        return Call(self.hooks, self.ask, asked["name"], asked["args"], tool_use_id=asked["id"])


def _changed(request: ToolCallRequest, arguments: Any) -> ToolCallRequest:
    if arguments is None or arguments == request.tool_call["args"]:
        return request
    return request.override(tool_call={**request.tool_call, "args": arguments})


def _refused(request: ToolCallRequest, reason: str) -> ToolMessage:
    asked = request.tool_call
    return ToolMessage(reason, name=asked["name"], tool_call_id=asked["id"] or "", status="error")


def _failed(request: ToolCallRequest, call: Call, error: Exception, shown: Shown) -> ToolMessage:
    if shown.response == str(error) and not call.context:
        raise error
    message = _refused(request, str(shown.response))
    return _with_context(message, call)


def _messages(result: _Result) -> list[ToolMessage]:
    """Returns the messages of a result. A command may carry them in its update of the state."""
    if isinstance(result, ToolMessage):
        return [result]
    update: Any = result.update
    found: Any = cast("dict[str, Any]", update).get("messages", []) if isinstance(update, dict) else []
    return [message for message in found if isinstance(message, ToolMessage)]


def _put(result: _Result, messages: list[tuple[ToolMessage, Shown]], call: Call) -> _Result:
    changed: dict[int, ToolMessage] = {}
    for message, shown in messages:
        # The artifact is the same result in another shape, so it goes with an edit.
        artifact = message.artifact if shown.response == message.content else None
        status = "error" if shown.is_error else "success"
        made = message.model_copy(update={"content": shown.response, "artifact": artifact, "status": status})
        changed[id(message)] = made
    if messages:
        last = messages[-1][0]
        changed[id(last)] = _with_context(changed[id(last)], call)
    if isinstance(result, ToolMessage):
        return changed[id(result)]
    if not changed:
        return result
    update = cast("dict[str, Any]", result.update)
    replaced = [changed.get(id(message), message) for message in update["messages"]]
    return Command(graph=result.graph, update={**update, "messages": replaced}, resume=result.resume, goto=result.goto)


def _with_context(message: ToolMessage, call: Call) -> ToolMessage:
    if not call.context:
        return message
    text = "\n\n".join(call.context)
    content: Any = message.content
    joined = f"{content}\n\n{text}" if isinstance(content, str) else [*content, {"type": "text", "text": text}]
    return message.model_copy(update={"content": joined})
