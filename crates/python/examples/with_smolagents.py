"""The hooks around the tools of smolagents: a tool is a function, so it needs no adapter.

For a `ToolCallingAgent`. A `CodeAgent` also runs Python by itself, which is no call of a tool: no hook sees it.
"""

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
        try:
            result = forward(**(before.tool_input or {}))
        except Exception as error:
            failure = Payload.post_tool_use_failure(tool.name, before.tool_input or {}, str(error))
            raise RuntimeError(hooks.dispatch(failure).settle(ask=False).tool_output) from None
        after = hooks.dispatch(Payload.post_tool_use(tool.name, before.tool_input or {}, str(result))).settle(ask=False)
        return after.tool_output if after.edited or after.denied else result

    tool.forward = guarded_forward
    return tool
