"""The middleware in a real agent of LangChain, with a model that follows a script."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest
from checkrein import Dispatcher, Outcome, Verdict
from checkrein.adapters import TurnEnded
from checkrein.adapters.langchain import CheckreinMiddleware
from conftest import SECRET
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

RAN: list[str] = []


@tool(response_format="content_and_artifact")
def host_command(command: str) -> tuple[str, dict[str, str]]:
    """Runs a command, in name only."""
    RAN.append(command)
    if command == "fail":
        raise ValueError(f"failed with {SECRET}")
    text = f"ran {command}, key {SECRET}" if command != "read" else "classified"
    return text, {"raw": text}


class Model(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self


def agent(command: str, hooks: Dispatcher, **more: Any) -> Any:
    call = {"name": "host_command", "args": {"command": command}, "id": "c1"}
    script = iter([AIMessage("", tool_calls=[call]), AIMessage("done")])  # type: ignore[list-item]
    return create_agent(Model(messages=script), [host_command], middleware=[CheckreinMiddleware(hooks, **more)])


def result(command: str, hooks: Dispatcher, *, is_async: bool = False, **more: Any) -> ToolMessage:
    RAN.clear()
    start: Any = {"messages": [("user", "go")]}
    made = agent(command, hooks, **more)
    state = asyncio.run(made.ainvoke(start)) if is_async else made.invoke(start)
    [message] = [message for message in state["messages"] if isinstance(message, ToolMessage)]
    return message


@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_that_the_guard_denies_does_not_run(hooks: Dispatcher, is_async: bool) -> None:
    message = result("rm -rf ~", hooks, is_async=is_async)
    assert RAN == [] and message.status == "error" and "Checkrein denied this" in str(message.content)


@pytest.mark.parametrize("is_async", [False, True])
def test_arguments_are_rewritten_and_results_redacted(hooks: Dispatcher, is_async: bool) -> None:
    message = result("release", hooks, is_async=is_async)
    assert RAN == ["release --dry-run"] and message.content == "ran release --dry-run, key [redacted]"
    # No copy of the result is left.
    assert SECRET not in str(message.model_dump())


@pytest.mark.parametrize("is_async", [False, True])
def test_a_result_is_withheld(hooks: Dispatcher, is_async: bool) -> None:
    message = result("read", hooks, is_async=is_async)
    assert RAN == ["read"] and "not for you" in str(message.content) and "classified" not in str(message.model_dump())


@pytest.mark.parametrize("answer", [True, False])
def test_a_question_is_asked_before_the_call_runs(hooks: Dispatcher, answer: bool) -> None:
    asked: list[str] = []

    def ask(outcome: Outcome) -> bool:
        asked.append(outcome.reason)
        return answer

    async def ask_later(outcome: Outcome) -> bool:
        return ask(outcome)

    for is_async, by in [(False, ask), (True, ask), (True, ask_later)]:
        message = result("deploy", hooks, is_async=is_async, ask=by)
        assert asked.pop() == "confirm: sure?" and RAN == (["deploy"] if answer else [])
        assert answer or message.status == "error"


def test_nobody_to_ask_means_no(hooks: Dispatcher) -> None:
    assert result("deploy", hooks).status == "error" and RAN == []


def test_an_asynchronous_question_of_a_synchronous_agent_opens_nothing(hooks: Dispatcher) -> None:
    async def ask(outcome: Outcome) -> bool:
        return True

    with pytest.raises(TypeError, match="`ask` must say True or False"):
        result("deploy", hooks, ask=ask)
    assert RAN == []


def test_the_model_is_told_what_hooks_know(hooks: Dispatcher) -> None:
    assert str(result("explain", hooks).content).endswith("\n\nknow this")


@pytest.mark.parametrize("is_async", [False, True])
def test_the_text_of_an_error_is_redacted(hooks: Dispatcher, is_async: bool) -> None:
    assert result("fail", hooks, is_async=is_async).content == "failed with [redacted]"


def test_a_stop_after_the_tool_ends_the_turn() -> None:
    hooks = Dispatcher(guard=False)
    hooks.add(lambda payload: Verdict(stop="enough"), "PostToolUse", name="s")
    with pytest.raises(TurnEnded, match="s: enough"):
        result("ls", hooks)


def state_after(tool_: Any, hooks: Dispatcher, *, is_async: bool = False, **more: Any) -> Any:
    call = {"name": tool_.name, "args": {}, "id": "c1"}
    script = iter([AIMessage("", tool_calls=[call]), AIMessage("done")])  # type: ignore[list-item]
    made: Any = create_agent(Model(messages=script), [tool_], middleware=[CheckreinMiddleware(hooks)], **more)
    start: Any = {"messages": [("user", "go")]}
    config: Any = {"configurable": {"thread_id": "t"}}
    return asyncio.run(made.ainvoke(start, config)) if is_async else made.invoke(start, config)


def told(text: str) -> ToolMessage:
    return ToolMessage(text, tool_call_id="c1", name="look")


TEXT = f"key {SECRET}"
UPDATES: list[Any] = [
    {"messages": [told(TEXT)]},
    {"messages": [told("fine"), HumanMessage(TEXT)]},
    {"messages": [{"role": "tool", "content": TEXT, "tool_call_id": "c1"}]},
    {"messages": [told("fine"), ("user", TEXT)]},
    [("messages", [told("fine")]), ("messages", [HumanMessage(TEXT)])],
]


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("update", UPDATES, ids=str)
def test_every_message_of_a_command_is_redacted(hooks: Dispatcher, update: Any, is_async: bool) -> None:
    @tool
    def look() -> Any:
        """Looks."""
        return Command(update=update)

    messages = state_after(look, hooks, is_async=is_async)["messages"]
    assert SECRET not in str(messages) and "key [redacted]" in str(messages)


@pytest.mark.parametrize("is_async", [False, True])
def test_every_result_of_a_list_is_redacted(hooks: Dispatcher, is_async: bool) -> None:
    @tool
    def look() -> Any:
        """Looks."""
        return [told(TEXT), Command(update={"messages": [HumanMessage(TEXT)]})]

    messages = state_after(look, hooks, is_async=is_async)["messages"]
    assert SECRET not in str(messages) and str(messages).count("key [redacted]") == 2


CONTENTS: list[Any] = [
    [{"type": "text", "text": "fine"}, {"type": "json", "json": {"key": SECRET}}],
    ["fine", SECRET],
    [{"type": "text", "text": TEXT}, {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}],
    [{"type": "tool_reference", "title": SECRET}, {"type": "text", "text": "fine"}],
]


@pytest.mark.parametrize("content", CONTENTS, ids=str)
def test_every_block_is_redacted(hooks: Dispatcher, content: Any) -> None:
    @tool
    def look() -> Any:
        """Looks."""
        return Command(update={"messages": [ToolMessage(content, tool_call_id="c1")]})

    [shown] = [message for message in state_after(look, hooks)["messages"] if isinstance(message, ToolMessage)]
    assert SECRET not in str(shown) and "[redacted]" in str(shown.content)
    assert isinstance(shown.content, list) and len(shown.content) == len(content)


def test_an_update_that_cannot_be_read_is_not_shown(hooks: Dispatcher) -> None:
    @dataclasses.dataclass
    class Update:
        messages: list[Any]

    @tool
    def look() -> Any:
        """Looks."""
        return Command(update=Update([told(TEXT)]))

    with pytest.raises(TypeError, match="cannot be judged"):
        state_after(look, hooks)


@pytest.mark.parametrize("is_async", [False, True])
def test_an_interrupt_is_no_failure(is_async: bool) -> None:
    failures: list[Any] = []
    hooks = Dispatcher(guard=False)
    hooks.add(lambda payload: failures.append(payload), "PostToolUseFailure", name="watch")
    hooks.add(lambda payload: Verdict(context="know this"), "PreToolUse", name="tell")

    @tool
    def look() -> str:
        """Looks."""
        return str(interrupt("which one?"))

    state = state_after(look, hooks, is_async=is_async, checkpointer=InMemorySaver())
    assert state["__interrupt__"][0].value == "which one?" and failures == []
