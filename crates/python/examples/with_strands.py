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
            # An empty reason would not cancel anything.
            event.cancel_tool = outcome.reason or "denied"

    async def after(self, event: AfterToolCallEvent) -> None:
        if event.cancel_message is not None:
            return
        call, result = event.tool_use, event.result
        if result["status"] == "error":
            text = "\n".join(str(block.get("text", block)) for block in result["content"])
            payload = Payload.post_tool_use_failure(call["name"], call["input"], text)
        else:
            # All that the result holds, so that an edit leaves no other copy of a text.
            shown = {key: value for key, value in result.items() if key not in ("toolUseId", "status")}
            payload = Payload.post_tool_use(call["name"], call["input"], tool_response=shown)
        outcome = (await self.hooks.adispatch(payload)).settle(ask=False)
        if outcome.edited or outcome.denied:
            shaped = outcome.tool_response
            if outcome.denied or not isinstance(shaped, dict) or "content" not in shaped:
                shaped = {"content": [{"text": outcome.tool_output or ""}]}
            event.result = {"toolUseId": result["toolUseId"], "status": result["status"], **shaped}
