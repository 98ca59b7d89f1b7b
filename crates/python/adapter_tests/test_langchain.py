"""The middleware in a real agent of LangChain, with a model that follows a script."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from checkrein import Dispatcher, Outcome, Verdict
from checkrein.adapters import TurnEnded
from checkrein.adapters.langchain import CheckreinMiddleware
from conftest import SECRET
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool

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
