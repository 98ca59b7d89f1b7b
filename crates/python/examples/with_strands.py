"""The hooks in an agent of Strands: `Agent(hooks=[Checkrein(Dispatcher())])`."""

from typing import Any

from checkrein import Dispatcher, Outcome, Payload
from strands.hooks import AfterToolCallEvent, BeforeToolCallEvent, HookProvider, HookRegistry


def no(outcome: Outcome) -> bool:
    return False


class Checkrein(HookProvider):
    """Dispatches every tool call, and every result before the model sees it."""

    def __init__(self, hooks: Dispatcher, ask: Any = no) -> None:
        self.hooks = hooks
        self.ask = ask

    def register_hooks(self, registry: HookRegistry, **_: Any) -> None:
        registry.add_callback(BeforeToolCallEvent, self.before)
        registry.add_callback(AfterToolCallEvent, self.after)

    async def before(self, event: BeforeToolCallEvent) -> None:
        call = event.tool_use
        outcome = await self.hooks.adispatch(Payload.pre_tool_use(call["name"], call["input"]))
        outcome = outcome.settle(ask=self.ask)
        if outcome.may_run:
            event.tool_use["input"] = outcome.tool_input
        else:
            event.cancel_tool = outcome.reason

    async def after(self, event: AfterToolCallEvent) -> None:
        call = event.tool_use
        payload = Payload.post_tool_use(call["name"], call["input"], tool_response=event.result["content"])
        outcome = (await self.hooks.adispatch(payload)).settle(ask=False)
        if outcome.edited or outcome.denied:
            shaped = outcome.tool_response
            event.result["content"] = [{"text": outcome.tool_output or ""}] if shaped is None else shaped
