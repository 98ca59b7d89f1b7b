"""Guarded tools in a real run of the OpenAI Agents SDK, with a model that follows a script."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from agents import Agent, FunctionTool, ModelResponse, RunConfig, Runner, ShellTool, Usage, function_tool
from agents.models.interface import Model
from checkrein import Dispatcher, Outcome
from checkrein.adapters.openai_agents import guarded, guarded_tool
from conftest import SECRET
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

RAN: list[str] = []


@function_tool(failure_error_function=None)
def host_command(command: str) -> str:
    """Runs a command, in name only."""
    RAN.append(command)
    if command == "fail":
        raise ValueError(f"failed with {SECRET}")
    return f"ran {command}, key {SECRET}" if command != "read" else "classified"


class Scripted(Model):
    """Calls a tool once, and then ends."""

    def __init__(self, name: str, arguments: str) -> None:
        self.name, self.arguments = name, arguments
        self.shown: Any = None

    async def get_response(self, system_instructions: Any, input: Any, *rest: Any, **more: Any) -> ModelResponse:
        outputs = [item for item in input if isinstance(item, dict) and item.get("type") == "function_call_output"]
        output: Any
        if outputs:
            self.shown = outputs[-1]["output"]
            text = ResponseOutputText(text="done", type="output_text", annotations=[])
            output = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        else:
            output = ResponseFunctionToolCall(
                arguments=self.arguments, call_id="c1", name=self.name, type="function_call", id="f"
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def shown(command: Any, hooks: Dispatcher, **more: Any) -> str:
    RAN.clear()
    model = Scripted("host_command", command if isinstance(command, str) else json.dumps(command))
    agent = guarded(Agent(name="a", model=model, tools=[host_command]), hooks, **more)
    asyncio.run(Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True)))
    return str(model.shown)


def test_a_call_that_the_guard_denies_does_not_run(hooks: Dispatcher) -> None:
    assert "Checkrein denied this" in shown({"command": "rm -rf ~"}, hooks) and RAN == []


def test_arguments_are_rewritten_and_results_redacted(hooks: Dispatcher) -> None:
    assert shown({"command": "release"}, hooks) == "ran release --dry-run, key [redacted]"
    assert RAN == ["release --dry-run"]


def test_a_result_is_withheld(hooks: Dispatcher) -> None:
    assert "not for you" in shown({"command": "read"}, hooks) and RAN == ["read"]


@pytest.mark.parametrize("answer", [True, False])
def test_a_question_is_asked_before_the_call_runs(hooks: Dispatcher, answer: bool) -> None:
    async def ask(outcome: Outcome) -> bool:
        return answer

    text = shown({"command": "deploy"}, hooks, ask=ask)
    assert RAN == (["deploy"] if answer else []) and ("not approved" in text) is not answer
    assert "not approved" in shown({"command": "deploy"}, hooks)


def test_the_model_is_told_what_hooks_know(hooks: Dispatcher) -> None:
    assert shown({"command": "explain"}, hooks).endswith("\n\nknow this")


def test_the_text_of_an_error_is_redacted(hooks: Dispatcher) -> None:
    assert shown({"command": "fail"}, hooks) == "failed with [redacted]"


def test_the_original_agent_is_unchanged_and_handoffs_are_guarded(hooks: Dispatcher) -> None:
    inner: Agent[Any] = Agent(name="inner", tools=[host_command])
    outer: Agent[Any] = Agent(name="outer", tools=[host_command], handoffs=[inner])
    inner.handoffs = [outer]
    made = guarded(outer, hooks)
    assert outer.tools == [host_command] and made.tools != [host_command]
    handoff = made.handoffs[0]
    assert isinstance(handoff, Agent) and handoff.tools != [host_command] and handoff.handoffs == [made]


def test_a_tool_that_runs_here_in_another_way_is_refused(hooks: Dispatcher) -> None:
    with pytest.raises(TypeError, match="cannot be guarded"):
        guarded_tool(ShellTool(executor=lambda request: ""), hooks)


def test_an_mcp_server_is_guarded(hooks: Dispatcher) -> None:
    from mcp.types import CallToolResult, TextContent

    class Server:
        name = "s"
        called: list[Any] = []

        async def call_tool(self, tool_name: str, arguments: Any) -> CallToolResult:
            self.called.append(arguments)
            text = TextContent(type="text", text=f"key {SECRET}")
            return CallToolResult(content=[text], structuredContent={"key": SECRET})

    server: Any = Server()
    guarded(Agent(name="a", mcp_servers=[server]), hooks)
    guarded(Agent(name="a", mcp_servers=[server]), hooks)
    answer = asyncio.run(server.call_tool("look", {"x": 1}))
    assert server.called == [{"x": 1}]
    assert SECRET not in answer.model_dump_json() and "[redacted]" in answer.model_dump_json()
    refused = asyncio.run(server.call_tool("run", {"command": "rm -rf ~"}))
    assert len(server.called) == 1 and "Checkrein denied this" in refused.content[0].text


def test_arguments_that_are_no_object_do_not_run(hooks: Dispatcher) -> None:
    assert isinstance(host_command, FunctionTool)
    with pytest.raises(Exception, match="(?i)invalid json"):
        shown("[1]", hooks)
    assert RAN == []
