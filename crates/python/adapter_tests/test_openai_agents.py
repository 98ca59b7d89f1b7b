"""Guarded tools in a real run of the OpenAI Agents SDK, with a model that follows a script."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from typing import Any, get_args, get_origin

import pytest
from agents import (
    Agent,
    FunctionTool,
    ModelResponse,
    RunConfig,
    Runner,
    ShellTool,
    Tool,
    ToolOutputImage,
    ToolOutputText,
    Usage,
    function_tool,
    handoff,
)
from agents.models.interface import Model
from agents.tool import CustomTool
from checkrein import Dispatcher, Outcome
from checkrein.adapters.openai_agents import guarded, guarded_tool
from conftest import SECRET
from openai.types.responses import ResponseCustomToolCall, ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

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

    def __init__(self, name: str, arguments: str, custom: bool = False) -> None:
        self.name, self.arguments, self.custom = name, arguments, custom
        self.shown: Any = None

    async def get_response(self, system_instructions: Any, input: Any, *rest: Any, **more: Any) -> ModelResponse:
        kinds = ("function_call_output", "custom_tool_call_output")
        outputs = [item for item in input if isinstance(item, dict) and item.get("type") in kinds]
        outputs = [item for item in outputs if item["call_id"] == f"c {self.name}"]
        output: Any
        if outputs:
            self.shown = outputs[-1]["output"]
            text = ResponseOutputText(text="done", type="output_text", annotations=[])
            output = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        elif self.custom:
            output = ResponseCustomToolCall(
                input=self.arguments, call_id=f"c {self.name}", name=self.name, type="custom_tool_call", id="f"
            )
        else:
            output = ResponseFunctionToolCall(
                arguments=self.arguments, call_id=f"c {self.name}", name=self.name, type="function_call", id="f"
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
    assert asyncio.run(server.call_tool("run", {"command": "explain"})).content[-1].text == "know this"
    server.called.pop()
    refused = asyncio.run(server.call_tool("run", {"command": "rm -rf ~"}))
    assert len(server.called) == 1 and "Checkrein denied this" in refused.content[0].text


@pytest.mark.parametrize("arguments", ["[1]", '"rm -rf ~"', "rm -rf ~", "{"])
def test_arguments_that_are_no_object_reach_no_tool(hooks: Dispatcher, arguments: str) -> None:
    reached: list[str] = []

    async def invoke(context: Any, text: str) -> str:
        reached.append(text)
        return "ran"

    tool = FunctionTool(name="host_command", description="", params_json_schema={}, on_invoke_tool=invoke)
    assert "not a JSON object" in shown_by(tool, arguments, hooks) and reached == []


def test_a_tool_gets_the_arguments_that_were_judged(hooks: Dispatcher) -> None:
    reached: list[str] = []

    async def invoke(context: Any, text: str) -> str:
        reached.append(text)
        return "ran"

    tool = FunctionTool(name="host_command", description="", params_json_schema={}, on_invoke_tool=invoke)
    assert shown_by(tool, '{"command": "rm -rf ~", "command": "ls"}', hooks) == "ran"
    assert reached == ['{"command": "ls"}']


def shown_by(tool: Any, arguments: str, hooks: Dispatcher) -> str:
    model = Scripted(tool.name, arguments, custom=isinstance(tool, CustomTool))
    agent = guarded(Agent(name="a", model=model, tools=[tool]), hooks)
    asyncio.run(Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True)))
    return str(model.shown)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_custom_tool_is_judged_by_its_text(hooks: Dispatcher, is_async: bool) -> None:
    ran: list[str] = []

    def run(context: Any, text: str) -> str:
        ran.append(text)
        return f"ran {text}, key {SECRET}"

    async def arun(context: Any, text: str) -> str:
        return run(context, text)

    tool = CustomTool(name="host_command", description="", on_invoke_tool=arun if is_async else run)
    assert "Checkrein denied this" in shown_by(tool, "rm -rf ~", hooks) and ran == []
    assert shown_by(tool, "release", hooks) == "ran release --dry-run, key [redacted]"
    # Nobody said what this one does, so the guard assumes that it runs its text.
    unknown = CustomTool(name="do", description="", on_invoke_tool=run)
    assert "Checkrein denied this" in shown_by(unknown, "rm -rf ~", hooks) and ran == ["release --dry-run"]


RESULTS: list[Any] = [
    {"output": "fine", "key": SECRET},
    {"text": "fine", "nested": [{"deep": SECRET}]},
    {"stdout": "fine", "stderr": "", "log": SECRET},
    {"type": "text", "output": "fine", "key": SECRET},
    [{"type": "text", "text": "fine"}, {"key": SECRET}],
    [{"type": "text", "text": f"key {SECRET}"}, {"type": "image", "image_url": "https://example.com/a.png"}],
    [ToolOutputText(text=f"key {SECRET}"), ToolOutputImage(image_url="https://example.com/a.png")],
    ToolOutputText(text=f"key {SECRET}"),
    ["fine", SECRET],
    (1, {"key": SECRET}),
    dataclasses.make_dataclass("Found", ["key"])(SECRET),
]


@pytest.mark.parametrize("result", RESULTS, ids=repr)
def test_all_that_the_model_gets_of_a_result_is_redacted(hooks: Dispatcher, result: Any) -> None:
    @function_tool(name_override="look")
    def look() -> Any:
        return result

    text = shown_by(look, "{}", hooks)
    assert SECRET not in text and "[redacted]" in text
    assert ("https://example.com/a.png" in text) == ("a.png" in repr(result))


@pytest.mark.parametrize("result", [{"a": 1}, [1, "ä"], None, 3, [], [{"type": "image", "image_url": "https://example.com/a"}]])
def test_a_result_that_no_hook_changes_is_the_tools_own(result: Any) -> None:
    @function_tool(name_override="look")
    def look() -> Any:
        return result

    model = Scripted("look", "{}")
    plain = Agent(name="a", model=model, tools=[look])
    asyncio.run(Runner.run(plain, "go", run_config=RunConfig(tracing_disabled=True)))
    assert shown_by(look, "{}", Dispatcher()) == str(model.shown)


def test_a_handoff_object_leads_to_a_guarded_agent(hooks: Dispatcher) -> None:
    inner: Agent[Any] = Agent(name="inner", tools=[host_command], model=Scripted("host_command", '{"command": "rm -rf ~"}'))
    outer: Agent[Any] = Agent(
        name="outer", model=Scripted("transfer_to_inner", "{}"), handoffs=[handoff(inner, tool_name_override="transfer_to_inner")]
    )
    RAN.clear()
    answer = asyncio.run(Runner.run(guarded(outer, hooks), "go", run_config=RunConfig(tracing_disabled=True)))
    assert answer.last_agent.name == "inner" and RAN == []
    assert isinstance(inner.model, Scripted) and "Checkrein denied this" in str(inner.model.shown)


def test_an_agent_that_gets_tools_when_it_runs_is_refused(hooks: Dispatcher) -> None:
    from agents.sandbox import SandboxAgent

    with pytest.raises(TypeError, match="adds tools when it runs"):
        guarded(SandboxAgent(name="boxed"), hooks)
    with pytest.raises(TypeError, match="adds tools when it runs"):
        guarded(Agent(name="a", handoffs=[SandboxAgent(name="boxed")]), hooks)


def test_every_kind_of_tool_is_guarded_hosted_or_refused(hooks: Dispatcher) -> None:
    from checkrein.adapters import openai_agents

    hosted = {kind.__name__ for kind in openai_agents._HOSTED}  # pyright: ignore[reportPrivateUsage]
    here = {"ApplyPatchTool", "ComputerTool", "LocalShellTool", "ShellTool"}
    kinds = {get_origin(kind) or kind for kind in get_args(Tool)}
    assert {kind.__name__ for kind in kinds} == hosted | here | {"FunctionTool", "CustomTool"}
    with pytest.raises(TypeError, match="cannot be guarded"):
        guarded_tool(type("Tomorrows", (), {"name": "t"})(), hooks)
