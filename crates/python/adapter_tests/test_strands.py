"""The example for Strands in a real agent, with a model that follows a script."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from checkrein import Dispatcher, Verdict
from conftest import SECRET
from strands import Agent, tool
from strands.models import Model

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

RAN: list[str] = []


@tool
def host_command(command: str) -> Any:
    """Runs a command, in name only.

    Args:
        command: The command.
    """
    RAN.append(command)
    if command == "fail":
        raise ValueError(f"failed with {SECRET}")
    if command == "blocks":
        return {"status": "success", "content": [{"text": "fine"}, {"json": {"key": SECRET}}]}
    return f"ran {command}, key {SECRET}" if command != "read" else "classified"


class Scripted(Model):
    """Calls the tool once, and is done."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.shown = ""

    def update_config(self, **_: Any) -> None: ...

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **__: Any) -> AsyncIterator[Any]:
        self.shown = str(messages)
        yield {"messageStart": {"role": "assistant"}}
        if len(messages) == 1:
            yield {"contentBlockStart": {"start": {"toolUse": {"name": "host_command", "toolUseId": "t1"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps({"command": self.command})}}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "tool_use"}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "done"}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}


def run(command: str, hooks: Dispatcher, **more: Any) -> str:
    """Returns what the model was shown in the end."""
    from with_strands import Checkrein

    RAN.clear()
    model = Scripted(command)
    agent = Agent(model=model, tools=[host_command], hooks=[Checkrein(hooks, **more)], callback_handler=None)
    assert "done" in str(agent("go"))
    assert SECRET not in str(agent.messages)
    return model.shown


def test_a_denied_call_does_not_run(hooks: Dispatcher) -> None:
    shown = run("rm -rf ~", hooks)
    assert RAN == [] and "Checkrein denied this" in shown


def test_a_denial_without_a_reason_is_a_denial(hooks: Dispatcher) -> None:
    hooks.add(lambda payload: Verdict.deny(""), "PreToolUse", name="silent", role="judge")
    run("ls", hooks)
    assert RAN == []


def test_arguments_are_rewritten_and_results_redacted(hooks: Dispatcher) -> None:
    shown = run("release", hooks)
    assert RAN == ["release --dry-run"] and "ran release --dry-run, key [redacted]" in shown


def test_every_block_of_a_result_is_redacted(hooks: Dispatcher) -> None:
    shown = run("blocks", hooks)
    assert "{'text': 'fine'}, {'json': {'key': '[redacted]'}}" in shown


def test_the_text_of_a_failure_is_redacted(hooks: Dispatcher) -> None:
    shown = run("fail", hooks)
    assert RAN == ["fail"] and "failed with [redacted]" in shown and "'status': 'error'" in shown


def test_a_result_is_withheld(hooks: Dispatcher) -> None:
    shown = run("read", hooks)
    assert RAN == ["read"] and "not for you" in shown and "classified" not in shown


@pytest.mark.parametrize("answer", [True, False])
def test_a_question_is_asked_before_the_call_runs(hooks: Dispatcher, answer: bool) -> None:
    run("deploy", hooks, ask=lambda outcome: answer)
    assert RAN == (["deploy"] if answer else [])
