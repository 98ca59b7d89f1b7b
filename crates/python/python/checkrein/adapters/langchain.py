"""A middleware for LangChain 1.x: `create_agent(model, tools, middleware=[CheckreinMiddleware(dispatcher)])`.

Put it last, so that it is the innermost: then it judges what the other middleware made of a call, and they never see a result
before it was redacted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Optional, TypeVar, Union, cast

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import BaseMessage, RemoveMessage, ToolMessage, convert_to_messages
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from .._dispatcher import Dispatcher
from ._call import Ask, Call, Shown, like, refuse, view

__all__ = ["CheckreinMiddleware"]

_Message = TypeVar("_Message", bound=BaseMessage)
_Result = Union[ToolMessage, Command[Any]]
#: A tool may return several results. The type of the middleware does not say so.
_Results = Union[_Result, list[_Result]]

#: Kinds of blocks that are no text. Any other block that is no text is shown to hooks as JSON.
_MEDIA = frozenset({"audio", "file", "image", "image_url", "input_audio", "media", "video"})


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
        except GraphBubbleUp:
            # No error: the graph is interrupted, or goes on elsewhere.
            raise
        except Exception as error:
            return _failed(request, call, error, call.after(str(error), is_error=True))
        results = _read(result)
        shown = [
            (message, call.after(view(message.content, _block), is_error=_is_error(message)))
            for message in _messages(results)
        ]
        return cast("_Result", _put(results, shown, call))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        call = self._call(request)
        outcome = await call.abefore()
        if not outcome.may_run:
            return _refused(request, outcome.reason)
        try:
            result = await handler(_changed(request, outcome.tool_input))
        except GraphBubbleUp:
            raise
        except Exception as error:
            return _failed(request, call, error, await call.aafter(str(error), is_error=True))
        results = _read(result)
        shown = [
            (message, await call.aafter(view(message.content, _block), is_error=_is_error(message)))
            for message in _messages(results)
        ]
        return cast("_Result", _put(results, shown, call))

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


def _read(result: Any) -> _Results:
    """Returns a result with every message in it as a message. A command may carry them in its update of the state, in
    several forms."""
    if isinstance(result, list):
        return [cast("_Result", _read(one)) for one in result]
    if not isinstance(result, Command):
        return cast("_Result", result)
    command: Command[Any] = result
    update: Any = command.update
    if update is None:
        return command
    if isinstance(update, (list, tuple)):
        if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in update):
            return _updated(command, _read_messages(list(update)))
        # One key may be there several times.
        return _updated(command, [(key, _read_value(key, value)) for key, value in update])
    if isinstance(update, dict):
        return _updated(command, {key: _read_value(key, value) for key, value in update.items()})
    raise TypeError(f"the update of a command should be a dict, not a `{type(update).__name__}`: its messages cannot be judged")


def _read_value(key: str, value: Any) -> Any:
    return _read_messages(value) if key == "messages" else value


def _read_messages(value: Any) -> list[BaseMessage]:
    return convert_to_messages(value if isinstance(value, list) else [value])


def _updated(command: Command[Any], update: Any) -> Command[Any]:
    return Command(graph=command.graph, update=update, resume=command.resume, goto=command.goto)


def _messages(value: Any) -> list[BaseMessage]:
    """Returns the messages of a result, with any author: the model is shown all of them."""
    if isinstance(value, Command):
        return _messages(value.update)
    if isinstance(value, dict):
        return _messages(list(value.items()))
    if isinstance(value, list):
        return [message for part in value for message in _messages(part)]
    if isinstance(value, tuple):
        key, part = value
        return _messages(part) if key == "messages" else []
    is_shown = isinstance(value, BaseMessage) and not isinstance(value, RemoveMessage)
    return [value] if is_shown else []


def _put(result: _Results, shown: list[tuple[BaseMessage, Shown]], call: Call) -> _Results:
    changed = {id(message): _as_shown(message, left) for message, left in shown}
    if shown:
        last = id(shown[-1][0])
        changed[last] = _with_context(changed[last], call)
    return cast("_Results", _replaced(result, changed))


def _replaced(value: Any, changed: dict[int, BaseMessage]) -> Any:
    """Returns a result with other messages in their places."""
    if isinstance(value, Command):
        return _updated(value, _replaced(value.update, changed)) if changed else value
    if isinstance(value, dict):
        return {key: _replaced(part, changed) if key == "messages" else part for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [_replaced(part, changed) for part in value]
        return tuple(parts) if isinstance(value, tuple) else parts
    return changed.get(id(value), value)


def _is_error(message: BaseMessage) -> bool:
    return isinstance(message, ToolMessage) and message.status == "error"


def _block(part: Any) -> Optional[dict[str, Any]]:
    """Returns a block whose texts the engine finds; None for any other part of a content."""
    if not isinstance(part, dict):
        return None
    fields = cast("dict[str, Any]", part)
    is_text = fields.get("type") == "text" and isinstance(fields.get("text"), str)
    return fields if is_text or fields.get("type") in _MEDIA else None


def _as_shown(message: BaseMessage, shown: Shown) -> BaseMessage:
    content: Any = message.content
    is_same = shown.response == view(content, _block)
    update: dict[str, Any] = {"content": content if is_same else like(shown.response, content)}
    if isinstance(message, ToolMessage):
        # The artifact is the same result in another shape, so it goes with an edit.
        update |= {"artifact": message.artifact if is_same else None, "status": "error" if shown.is_error else "success"}
    return message.model_copy(update=update)


def _with_context(message: _Message, call: Call) -> _Message:
    if not call.context:
        return message
    text = "\n\n".join(call.context)
    content: Any = message.content
    joined = f"{content}\n\n{text}" if isinstance(content, str) else [*content, {"type": "text", "text": text}]
    return message.model_copy(update={"content": joined})
