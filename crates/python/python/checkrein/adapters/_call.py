"""The life of one call, as every adapter needs it: before the tool, and after it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, Optional, Union, cast

from .._dispatcher import Dispatcher
from .._native import Outcome
from .._types import Decision, Payload

__all__ = ["Ask", "Block", "Call", "Shown", "TurnEnded", "like", "refuse", "view"]

#: Asks the user about an outcome, and returns whether they agree.
Ask = Callable[[Outcome], Union[bool, Awaitable[bool]]]


class TurnEnded(Exception):
    """A hook ends the agent's turn after a tool ran, and the framework has no other way to do that."""


def refuse(outcome: Outcome) -> bool:
    """Answers every question with no: the default, since an adapter has nobody to ask."""
    return False


#: Returns a block of a result as JSON, or None if it is none whose texts the engine finds.
Block = Callable[[Any], Optional[dict[str, Any]]]


def view(result: Any, block: Block) -> Any:
    """Returns a result as hooks see it: blocks as blocks, and everything else as one text, with all that the model gets.

    A dict is a text too: which of its keys the model gets does not depend on their names.
    """
    if isinstance(result, str):
        return result
    parts: list[Any] = list(cast("list[Any]", result)) if isinstance(result, (list, tuple)) and result else [result]
    blocks = [block(part) for part in parts]
    return _text(result) if None in blocks else blocks


def _text(result: Any) -> str:
    if not isinstance(result, (dict, list, tuple)):
        return str(result)
    try:
        return json.dumps(result, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        return str(cast("object", result))


def like(shown: Any, result: Any) -> Any:
    """Returns an edited text as a value again, if the result was one and hooks left it one."""
    if isinstance(result, str) or not isinstance(shown, str):
        return shown
    try:
        edited: Any = json.loads(shown)
    except ValueError:
        return shown
    return edited if type(edited) is type(result) else shown


class Shown(NamedTuple):
    """What the model is shown after a call."""

    response: Any
    is_error: bool


class Call:
    """One call of one tool.

    The four methods come in pairs, for synchronous and asynchronous frameworks. `before` returns the outcome with its question
    answered; the tool runs only if `outcome.may_run`, with `outcome.tool_input`. `after` returns what the model may see of
    the result, in the shape of the result.
    """

    def __init__(self, hooks: Dispatcher, ask: Ask, name: str, arguments: Mapping[str, Any], **fields: Any) -> None:
        self.hooks = hooks
        self.ask = ask
        self.name = name
        self.arguments = arguments
        self.fields = {key: value for key, value in fields.items() if value is not None}
        self.context: list[str] = []

    def before(self) -> Outcome:
        outcome = self.hooks.dispatch(Payload.pre_tool_use(self.name, self.arguments, **self.fields))
        # An asynchronous question has no loop here; `settle` refuses its answer.
        return self._judged(outcome.settle(ask=cast("Callable[[Outcome], bool]", self.ask)))

    async def abefore(self) -> Outcome:
        outcome = await self.hooks.adispatch(Payload.pre_tool_use(self.name, self.arguments, **self.fields))
        if outcome.decision is Decision.ASK:
            said = self.ask(outcome)
            outcome = outcome.settle(ask=await said if inspect.isawaitable(said) else said)
        return self._judged(outcome)

    def after(self, response: Any, *, is_error: bool = False) -> Shown:
        return self._shown(self.hooks.dispatch(self._result(response, is_error)), response, is_error)

    async def aafter(self, response: Any, *, is_error: bool = False) -> Shown:
        return self._shown(await self.hooks.adispatch(self._result(response, is_error)), response, is_error)

    def _judged(self, outcome: Outcome) -> Outcome:
        if outcome.may_run and outcome.tool_input is not None:
            self.arguments = outcome.tool_input
        self.context += [text for _, text in outcome.context]
        return outcome

    def _result(self, response: Any, is_error: bool) -> Payload:
        if is_error:
            return Payload.post_tool_use_failure(self.name, self.arguments, str(response), **self.fields)
        return Payload.post_tool_use(self.name, self.arguments, tool_response=response, **self.fields)

    def _shown(self, outcome: Outcome, response: Any, is_error: bool) -> Shown:
        # A question after the fact has nobody to answer it in time: the result is withheld.
        outcome = outcome.settle(ask=False)
        self.context += [text for _, text in outcome.context]
        if outcome.stop is not None:
            raise TurnEnded(": ".join(outcome.stop))
        if outcome.is_error is not None:
            is_error = outcome.is_error
        if not outcome.denied and not outcome.edited:
            return Shown(response, is_error)
        # A result whose shape has no place for the edited text is replaced by the text.
        shaped = None if isinstance(response, str) else outcome.tool_response
        return Shown(outcome.tool_output or "" if shaped is None else shaped, is_error)
