"""The hooks in a real client of the Claude Agent SDK. The other side of its protocol follows a script, as the agent would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from checkrein import Dispatcher
from checkrein.adapters.claude_agent_sdk import EVENTS, hooks as hooks_of
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Transport
from conftest import SECRET

Event = dict[str, Any]


class Agent(Transport):
    """Registers the client's hooks and calls them with events."""

    def __init__(self) -> None:
        self.registered: dict[str, Any] = {}
        self.answers: dict[str, asyncio.Future[Any]] = {}
        self.outbox: asyncio.Queue[Any] = asyncio.Queue()

    async def connect(self) -> None: ...

    async def close(self) -> None:
        await self.outbox.put(None)

    async def end_input(self) -> None: ...

    def is_ready(self) -> bool:
        return True

    async def write(self, data: str) -> None:
        message = json.loads(data)
        if message["type"] == "control_request" and message["request"]["subtype"] == "initialize":
            self.registered = message["request"]["hooks"]
            response = {"hook_on_failure_supported": True, "hooks_applied": True, "commands": []}
            answer = {"subtype": "success", "request_id": message["request_id"], "response": response}
            await self.outbox.put({"type": "control_response", "response": answer})
        elif message["type"] == "control_response":
            self.answers[message["response"]["request_id"]].set_result(message["response"])

    async def read_messages(self) -> AsyncIterator[Event]:
        while (message := await self.outbox.get()) is not None:
            yield message

    async def call(self, event: Event) -> Any:
        """Calls the hook of an event, and returns its answer."""
        [matcher] = self.registered[event["hook_event_name"]]
        [callback] = matcher["hookCallbackIds"]
        name = f"r{len(self.answers)}"
        self.answers[name] = asyncio.get_running_loop().create_future()
        request = {"subtype": "hook_callback", "callback_id": callback, "input": event, "tool_use_id": "t1"}
        await self.outbox.put({"type": "control_request", "request_id": name, "request": request})
        return await self.answers[name]


def answers(hooks: Dispatcher, *events: Event) -> list[Any]:
    async def main() -> list[Any]:
        agent = Agent()
        async with ClaudeSDKClient(ClaudeAgentOptions(hooks=hooks_of(hooks)), transport=agent):  # type: ignore[arg-type]
            assert all(matcher["onFailure"] == "block" for [matcher] in agent.registered.values())
            assert set(agent.registered) == set(EVENTS) >= {"PreToolUse", "PostToolUse", "Stop"}
            base = {"session_id": "s", "transcript_path": "/t", "cwd": "/srv/shop", "permission_mode": "default"}
            return [await agent.call({**base, **event}) for event in events]

    return asyncio.run(main())


def bash(command: str, **more: Any) -> Event:
    call = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1"}
    return {**call, **more}


def test_decisions_and_edits_reach_the_agent(hooks: Dispatcher) -> None:
    denied, edited, asks, silent = answers(hooks, bash("rm -rf ~"), bash("release"), bash("deploy"), bash("ls"))
    specific = denied["response"]["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny" and "Checkrein denied this" in specific["permissionDecisionReason"]
    assert edited["response"]["hookSpecificOutput"]["updatedInput"] == {"command": "release --dry-run"}
    assert asks["response"]["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert silent["response"] == {}


def test_a_result_is_redacted_in_its_shape(hooks: Dispatcher) -> None:
    response = {"stdout": f"key {SECRET}", "stderr": "", "interrupted": False}
    [after] = answers(hooks, bash("ls", hook_event_name="PostToolUse", tool_response=response))
    assert SECRET not in json.dumps(after)
    assert after["response"]["hookSpecificOutput"]["updatedToolOutput"] == {**response, "stdout": "key [redacted]"}


def test_a_stop_arrives_under_the_agents_name_of_it() -> None:
    hooks = Dispatcher(guard=False)
    hooks.add(lambda payload: {"stop": "enough"}, "PostToolUse", name="s")
    [after] = answers(hooks, bash("ls", hook_event_name="PostToolUse", tool_response="x"))
    assert after["response"]["continue"] is False


def test_an_event_that_cannot_be_read_is_an_error_which_blocks(hooks: Dispatcher) -> None:
    [answer] = answers(hooks, {"hook_event_name": "PreToolUse", "tool_input": 3})
    assert answer["subtype"] == "error" and "tool_name" in answer["error"]


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_of_the_sdk_is_known(event: str) -> None:
    from checkrein import _native

    assert event in _native.events()
