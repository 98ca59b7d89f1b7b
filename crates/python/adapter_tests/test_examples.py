"""The examples for frameworks whose tools need no adapter."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from checkrein import Dispatcher
from conftest import SECRET

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))


def test_tools_of_smolagents(hooks: Dispatcher) -> None:
    from smolagents import ToolCallingAgent, tool
    from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole, Model
    from with_smolagents import guarded

    ran: list[str] = []

    @tool
    def host_command(command: str) -> str:
        """Runs a command, in name only.

        Args:
            command: The command.
        """
        ran.append(command)
        if command == "fail":
            raise ValueError(f"failed with {SECRET}")
        return f"ran {command}, key {SECRET}"

    class Scripted(Model):
        def __init__(self, *calls: tuple[str, Any]) -> None:
            super().__init__()
            self.calls = list(calls)
            self.shown = ""

        def generate(self, messages: Any, **_: Any) -> ChatMessage:
            self.shown = str(messages)
            name, arguments = self.calls.pop(0)
            function = ChatMessageToolCallFunction(name=name, arguments=arguments)
            call = ChatMessageToolCall(id="c", type="function", function=function)
            return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[call])

    tool_ = guarded(host_command, hooks)
    for command, runs, shown in [
        ("rm -rf ~", [], "Checkrein denied this"),
        ("release", ["release --dry-run"], "[redacted]"),
        ("fail", ["fail"], "failed with [redacted]"),
    ]:
        ran.clear()
        model = Scripted(("host_command", {"command": command}), ("final_answer", {"answer": "done"}))
        agent = ToolCallingAgent(tools=[tool_], model=model, verbosity_level=0)
        assert agent.run("go") == "done"
        assert ran == runs and shown in model.shown and SECRET not in model.shown


def test_the_examples_of_the_adapters_can_be_imported() -> None:
    import with_claude_agent_sdk
    import with_langchain
    import with_openai_agents

    assert with_claude_agent_sdk.main and with_langchain.main and with_openai_agents.main
