"""The hooks around the tools of smolagents: a tool is a function, so it needs no adapter."""

from typing import Any

from checkrein import Dispatcher, Outcome, Payload
from smolagents import Tool


def no(outcome: Outcome) -> bool:
    return False


def guarded(tool: Tool, hooks: Dispatcher, ask: Any = no) -> Tool:
    """Guards a tool, in place. A refused call returns the reason to the model."""
    forward = tool.forward
    names = list(tool.inputs)

    def guarded_forward(*given: Any, **named: Any) -> Any:
        arguments = {**dict(zip(names, given)), **named}
        before = hooks.dispatch(Payload.pre_tool_use(tool.name, arguments)).settle(ask=ask)
        if not before.may_run:
            return before.reason
        result = forward(**(before.tool_input or {}))
        after = hooks.dispatch(Payload.post_tool_use(tool.name, before.tool_input or {}, str(result))).settle(ask=False)
        return after.tool_output if after.edited or after.denied else result

    tool.forward = guarded_forward
    return tool
