"""Hooks of an asynchronous application."""

import asyncio
import concurrent.futures
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from checkrein import Dispatcher, Outcome, Payload, Verdict


def bash(command: str = "ls") -> Payload:
    return Payload.pre_tool_use("Bash", {"command": command})


def only(*functions: Any, **options: Any) -> Dispatcher:
    hooks = Dispatcher(guard=False)
    for number, function in enumerate(functions):
        hooks.add(function, "PreToolUse", name=f"h{number}", **options)
    return hooks


def test_no_thread_waits_while_asynchronous_hooks_wait() -> None:
    """Fifty dispatches, and fifty judges of one: all of them wait at the same time, and for each other."""
    threads: set[int] = set()

    async def main(hooks: Dispatcher, dispatches: int, hooks_each: int) -> list[Outcome]:
        before = threading.active_count()
        meeting = asyncio.Barrier(dispatches * hooks_each) if hasattr(asyncio, "Barrier") else None

        async def wait(payload: Payload) -> Verdict:
            if meeting is None:
                await asyncio.sleep(0.2)
            else:
                await meeting.wait()
            threads.add(threading.active_count() - before)
            return Verdict.ask("waited")

        for number in range(hooks_each):
            hooks.add(wait, "PreToolUse", name=f"w{number}", role="judge", timeout=60)
        return await asyncio.wait_for(asyncio.gather(*(hooks.adispatch(bash()) for _ in range(dispatches))), 60)

    for dispatches, each in [(50, 1), (1, 50), (5, 10)]:
        outcomes = asyncio.run(main(Dispatcher(guard=False), dispatches, each))
        assert [len(outcome.trail) for outcome in outcomes] == [each] * dispatches
        assert all(outcome.decision == "ask" for outcome in outcomes)
    assert threads == {0}


def test_a_denial_cancels_the_judges_after_it() -> None:
    ended: list[str] = []

    async def slow(payload: Payload) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("cancelled")

    async def deny(payload: Payload) -> str:
        await asyncio.sleep(0)
        return "deny"

    async def main() -> Outcome:
        outcome = await only(deny, slow, role="judge").adispatch(bash())
        await asyncio.sleep(0.01)
        return outcome

    outcome = asyncio.run(main())
    assert outcome.denied and [step.hook for step in outcome.trail] == ["h0"] and ended == ["cancelled"]


def test_editors_run_one_after_another() -> None:
    async def edit(payload: Payload, letter: str) -> Verdict:
        await asyncio.sleep(0.01)
        return Verdict(rewrite={"command": payload.tool_input["command"] + letter})

    outcome = asyncio.run(only(partial(edit, letter="a"), partial(edit, letter="b"), role="edit").adispatch(bash("-")))
    assert outcome.tool_input == {"command": "-ab"}


def test_the_same_outcome_as_without_a_loop(tmp_path: Path) -> None:
    (tmp_path / "later_hooks.py").write_text(
        "import asyncio\nasync def check(payload):\n    await asyncio.sleep(0)\n    return {'decision': 'ask', 'reason': 'r'}\n"
    )
    (tmp_path / "hooks.toml").write_text(
        '[[hook]]\nevent = "PreToolUse"\nname = "c"\ncommand = "echo \'{\\"context\\": \\"x\\"}\'"\n'
        '[[hook]]\nevent = "PreToolUse"\nname = "later"\ncallable = "later_hooks:check"\n'
        '[[hook]]\nevent = "PreToolUse"\nname = "w"\nrole = "observe"\ncommand = "cat > seen"\n'
    )

    async def fails(payload: Payload) -> None:
        raise RuntimeError("no")

    class Callable:
        async def __call__(self, payload: Payload) -> Verdict:
            return Verdict(notice="n")

    hooks = Dispatcher.from_config(tmp_path / "hooks.toml")
    hooks.add(fails, "PreToolUse", name="f", on_failure="ignore")
    hooks.add(Callable(), "PreToolUse", name="o", timeout=None)
    hooks.add(lambda payload: Verdict(context="y"), "PreToolUse", name="p", timeout=None)
    payload = Payload.pre_tool_use("Bash", {"command": "ls", "big": 2**90}, cwd=str(tmp_path))
    here, there = hooks.dispatch(payload), asyncio.run(hooks.adispatch(payload))
    assert here.as_dict() == there.as_dict() and here.decision == "ask" and len(here.trail) == len(there.trail)
    assert [(hook, len(text) > 0) for hook, text in there.tracebacks] == [("f", True)]
    assert there.payload is payload and (tmp_path / "seen").exists()
    refusing = Dispatcher.refusing("broken")
    for event in (payload, {"hook_event_name": "SessionStart"}):
        assert refusing.dispatch(dict(event)).as_dict() == asyncio.run(refusing.adispatch(dict(event))).as_dict()


def test_a_cancelled_caller_cancels_its_hooks(tmp_path: Path) -> None:
    ended: list[str] = []

    async def slow(payload: Payload) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def main(hooks: Dispatcher) -> None:
        task = asyncio.create_task(hooks.adispatch(bash()))
        await asyncio.sleep(0.3)
        task.cancel()
        begun = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - begun < 5

    asyncio.run(main(only(slow)))
    assert ended == ["cancelled"]
    # A command is ended too, and a function is left behind.
    (tmp_path / "hooks.toml").write_text('[[hook]]\nevent = "PreToolUse"\ncommand = "sleep 5; touch late"\ntimeout = 20\n')
    asyncio.run(main(Dispatcher.from_config(tmp_path / "hooks.toml")))
    asyncio.run(main(only(lambda payload: time.sleep(2))))
    time.sleep(0.2)
    assert not (tmp_path / "late").exists()


def test_the_applications_executor_is_left_alone() -> None:
    async def main() -> Outcome:
        loop = asyncio.get_running_loop()
        pool = concurrent.futures.ThreadPoolExecutor(max_workers=1)
        loop.set_default_executor(pool)
        gate = threading.Event()
        busy = loop.run_in_executor(None, gate.wait, 60)
        outcome = await asyncio.wait_for(Dispatcher([]).adispatch(bash("git push --force origin main")), 30)
        gate.set()
        await busy
        return outcome

    assert asyncio.run(main()).denied


def test_a_hook_that_ignores_its_cancellation_holds_up_nobody() -> None:
    async def stubborn(payload: Payload) -> None:
        for _ in range(3):
            try:
                await asyncio.sleep(1)
            except asyncio.CancelledError:
                pass

    async def main() -> Outcome:
        return await asyncio.wait_for(only(stubborn, timeout=0.1).adispatch(bash()), 30)

    assert asyncio.run(main()).reason == "h0: the hook failed: timed out after 0.1 s"


def test_functions_without_a_timeout_are_called_in_place() -> None:
    seen: list[int] = []
    hooks = only(lambda payload: seen.append(threading.get_ident()), timeout=None)
    hooks.dispatch(bash())
    asyncio.run(hooks.adispatch(bash()))
    assert seen == [threading.get_ident()] * 2

    async def later() -> str:
        return "deny"

    # Not an `async def`, so nobody knew that it would wait.
    assert "declare it with `async def`" in only(lambda payload: later(), timeout=None).dispatch(bash()).reason


def test_json_of_a_host() -> None:
    import json

    async def deny(payload: Payload) -> Verdict:
        return Verdict.deny("no")

    event = json.dumps({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}})
    hooks = only(deny)
    for host in ("claude", "checkrein"):
        assert asyncio.run(hooks.adispatch_json(event, host=host)) == hooks.dispatch_json(event, host=host)
