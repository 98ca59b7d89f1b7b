"""The native API."""

import asyncio
import json
import threading
import time
from pathlib import Path
from typing import Any, Optional

import checkrein
import pytest
from checkrein import ConfigError, Decision, Dispatcher, Outcome, Payload, Role, Verdict, hook


def bash(command: str = "ls") -> Payload:
    return Payload.pre_tool_use("Bash", {"command": command}, session_id="s", cwd="/srv/shop")


def only(function: Any, event: Any = "PreToolUse", **options: Any) -> Dispatcher:
    hooks = Dispatcher(guard=False)
    hooks.add(function, event, name=options.pop("name", "h"), **options)
    return hooks


def test_a_decorated_function_is_a_hook_and_stays_a_function() -> None:
    @hook("PreToolUse", tools=["Bash"], role="judge")
    @hook("PermissionRequest", name="second", role=Role.JUDGE)
    def guard(payload: Payload) -> Optional[Verdict]:
        return Verdict.deny(f"{payload.event} {payload.command}")

    direct = guard(bash("x"))
    assert direct is not None and direct.reason == "PreToolUse x"
    hooks = Dispatcher([guard], guard=False)
    assert len(hooks) == 2
    assert hooks.dispatch(bash("x")).reasons == [
        ("test_a_decorated_function_is_a_hook_and_stays_a_function.<locals>.guard", "PreToolUse x")
    ]
    assert hooks.dispatch({**bash("x"), "hook_event_name": "PermissionRequest"}).reason == "second: PermissionRequest x"
    assert hooks.dispatch(Payload.pre_tool_use("Read", {})).decision is Decision.ABSTAIN


def test_properties_of_a_payload() -> None:
    seen: list[Payload] = []
    hooks = only(seen.append)
    hooks.dispatch(bash())
    [payload] = seen
    assert type(payload) is Payload
    assert (payload.event, payload.tool_name, payload.tool_input) == ("PreToolUse", "Bash", {"command": "ls"})
    assert (payload.session_id, payload.cwd, payload.command) == ("s", "/srv/shop", "ls")
    assert payload["tool_kind"] == "shell" and payload["attempt"] == 1
    assert (payload.tool_output, payload.prompt) == (None, None)
    assert Payload().tool_input == {} and "Payload({'a': 1})" == repr(Payload(a=1))
    assert Payload.user_prompt_submit("hi").prompt == "hi"
    assert Payload.post_tool_use("t", {}, "out").tool_output == "out"


def test_properties_of_an_outcome() -> None:
    hooks = only(
        lambda payload: Verdict(
            "ask", "sure?", rewrite={"command": "ls -a"}, context=("know this",), notice="see", stop="enough"
        )
    )
    payload = bash()
    outcome = hooks.dispatch(payload)
    assert isinstance(outcome, Outcome)
    decision: str = outcome.decision
    assert outcome.decision is Decision.ASK and decision == "ask" and str(decision) == "ask"
    assert (outcome.denied, outcome.edited, outcome.reason) == (False, True, "h: sure?")
    assert (outcome.reasons, outcome.context, outcome.notices) == ([("h", "sure?")], [("h", "know this")], [("h", "see")])
    assert (outcome.stop, outcome.retry, outcome.failures) == (("h", "enough"), None, [])
    assert outcome.tool_input == {"command": "ls -a"} and payload["tool_input"] == {"command": "ls"}
    assert outcome.payload == {**payload, "tool_input": {"command": "ls -a"}}
    assert outcome.tool_output is None and outcome.prompt is None
    assert repr(outcome) == '<Outcome of PreToolUse: ask, edited, "h: sure?">'
    assert outcome.as_dict()["decision"] == "ask"


def test_edits_of_outputs_and_prompts() -> None:
    answered = Payload.post_tool_use("Bash", {}, "s3cret", tool_response={"stdout": "s3cret", "stderr": ""})
    outcome = only(lambda payload: Verdict(tool_output="-"), "PostToolUse").dispatch(answered)
    assert outcome.tool_output == "-"
    assert outcome.payload["tool_response"] == {"stdout": "-", "stderr": ""}
    assert "s3cret" not in json.dumps(outcome.payload)
    outcome = only(lambda payload: Verdict(prompt="p"), "UserPromptSubmit").dispatch(Payload.user_prompt_submit("q"))
    assert (outcome.prompt, outcome.payload["prompt"]) == ("p", "p")
    failed = Payload.post_tool_use("Bash", {}, "boom")
    failed["hook_event_name"] = "PostToolUseFailure"
    assert only(lambda payload: Verdict(retry=True), "PostToolUseFailure").dispatch(failed).retry is True
    outcome = only(lambda payload: Verdict(retry={"a": 2**70}), "PostToolUseFailure").dispatch(failed)
    assert outcome.retry == {"a": 2**70}


def test_judges_see_edits_in_any_order_of_the_list() -> None:
    seen: list[Any] = []
    hooks = only(lambda payload: seen.append(payload.command), role="judge", name="judge")
    hooks.add(lambda payload: {"rewrite_args": {"command": "edited"}}, "PreToolUse", name="edit", role="edit")
    hooks.dispatch(bash())
    assert seen == ["edited"]


def test_a_judge_may_not_edit() -> None:
    outcome = only(lambda payload: {"rewrite_args": {"command": "x"}}, role="judge").dispatch(bash())
    assert outcome.denied and "a judge cannot rewrite" in outcome.reason


def test_allow_counts_only_with_may_allow() -> None:
    assert only(lambda payload: Verdict.allow()).dispatch(bash()).decision is Decision.ABSTAIN
    assert only(lambda payload: Verdict.allow(), may_allow=True).dispatch(bash()).decision is Decision.ALLOW


def test_failure_rules() -> None:
    def fails(payload: Payload) -> None:
        raise RuntimeError("no")

    for rule, decision in [(None, "deny"), ("deny", "deny"), ("ask", "ask"), ("ignore", "abstain")]:
        assert only(fails, on_failure=rule).dispatch(bash()).decision == decision
    assert only(fails, "Stop").dispatch({"hook_event_name": "Stop"}).decision == "abstain"


def test_the_answer_does_not_wait_for_observers() -> None:
    go, seen = threading.Event(), []

    def watch(payload: Payload) -> None:
        go.wait(20)
        seen.append((payload["decision"], payload["reason"]))

    with only(lambda payload: "deny") as hooks:
        hooks.add(watch, "PreToolUse", name="watch", role="observe")
        hooks.dispatch(bash())
        assert seen == [] and not hooks.drain(0.01)
        go.set()
    assert seen == [("deny", "blocked by hook `h`")]


def test_an_observer_that_fails_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fails(payload: Payload) -> None:
        raise RuntimeError("no")

    with only(fails, role="observe", name="w") as hooks:
        assert hooks.dispatch(bash()).decision is Decision.ABSTAIN
    assert "observer `w` failed: RuntimeError: no" in caplog.text


def test_extended_dispatchers() -> None:
    hooks = only(lambda payload: None)

    @hook("PreToolUse")
    def no(payload: Payload) -> str:
        return "deny"

    with hooks.extended(no) as more:
        assert more.dispatch(bash()).denied and not hooks.dispatch(bash()).denied
    assert len(hooks) == 1


def test_the_guard_is_included_unless_disabled() -> None:
    hooks = Dispatcher()
    assert "guard (PreToolUse" in repr(hooks) and repr(Dispatcher(guard=False)) == "<Dispatcher: no hooks>"
    harmless = hooks.dispatch(bash("ls"))
    assert harmless.decision is Decision.ABSTAIN
    # A shell call without a command.
    assert hooks.dispatch(Payload.pre_tool_use("Bash", {})).denied
    assert not Dispatcher(guard=False).dispatch(Payload.pre_tool_use("Bash", {})).denied


def test_add_and_remove() -> None:
    hooks = only(lambda payload: "deny", name="x")
    assert (hooks.remove("y"), hooks.remove("x"), len(hooks)) == (0, 1, 0)
    for wrong, text in [
        ({"event": "PreTooluse"}, "unknown event `PreTooluse`, did you mean `PreToolUse`?"),
        ({"event": "PreToolUse", "role": "judg"}, "unknown role `judg`"),
        ({"event": "PreToolUse", "tools": "a|b"}, "a|b"),
        ({"event": "PreToolUse", "tools": []}, "an empty list matches no tool"),
        ({"event": "PreToolUse", "timeout": 0}, "expected seconds, more than 0"),
        ({"event": "PreToolUse", "timeout": float("nan")}, "expected seconds, more than 0"),
        ({"event": "PreToolUse", "on_failure": "denies"}, "unknown answer to a failure `denies`"),
        ({}, "does not say which event it is for"),
    ]:
        with pytest.raises(ValueError) as error:
            hooks.add(lambda payload: None, **wrong)  # type: ignore[arg-type]
        assert text in str(error.value)
    with pytest.raises(TypeError, match="a hook must be callable, not `int`"):
        hooks.add(3, "PreToolUse")  # type: ignore[arg-type]


def test_bad_payloads_have_the_messages_of_the_program() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({}, "the payload does not name its event"),
        ({"hook_event_name": "PreTooluse"}, "unknown event `PreTooluse`, did you mean `PreToolUse`?"),
        ({"hook_event_name": "PreToolUse"}, "`PreToolUse` needs the field `tool_name`"),
        ({"hook_event_name": "PreToolUse", "tool_name": 3}, "the field `tool_name` should be a string, found a number"),
    ]
    for wrong, text in cases:
        with pytest.raises(ValueError) as error:
            Dispatcher().dispatch(wrong)
        assert text in str(error.value)
    with pytest.raises(TypeError):
        Dispatcher().dispatch([])  # type: ignore[arg-type]


# -- configuration


def test_a_configuration_with_commands_and_functions(tmp_path: Path) -> None:
    (tmp_path / "configured_hooks.py").write_text(
        "def check(payload):\n    return {'decision': 'ask', 'reason': type(payload).__name__}\n"
        "def watch(payload):\n    with open(payload['cwd'] + '/seen', 'w') as seen: seen.write(payload['decision'])\n"
    )
    (tmp_path / "hooks.toml").write_text(
        '[[hook]]\nevent = "PreToolUse"\nname = "c"\ncommand = "echo no >&2; exit 2"\nmatch = { tool = "Write" }\n'
        '[[hook]]\nevent = "PreToolUse"\ncallable = "configured_hooks:check"\n'
        '[[hook]]\nevent = "PreToolUse"\nrole = "observe"\ncallable = "configured_hooks:watch"\n'
    )
    with Dispatcher.from_config(tmp_path / "hooks.toml") as hooks:
        outcome = hooks.dispatch(Payload.pre_tool_use("Bash", {"command": "ls"}, cwd=str(tmp_path)))
    assert outcome.reasons == [("configured_hooks:check", "Payload")]
    assert (tmp_path / "seen").read_text() == "ask"
    assert hooks.dispatch(Payload.pre_tool_use("Write", {"file_path": "a"}, cwd=str(tmp_path))).reason == "c: no"


def test_a_broken_configuration(tmp_path: Path) -> None:
    (tmp_path / "hooks.toml").write_text('[[hook]]\nevent = "PreToolUSe"\ncommand = "a"\n')
    with pytest.raises(ConfigError) as error:
        Dispatcher.from_config(tmp_path / "hooks.toml")
    assert isinstance(error.value, ValueError)
    assert str(error.value) == (
        f'{tmp_path}/hooks.toml:2:9: hook[0].event: unknown event `PreToolUSe`\n2 | event = "PreToolUSe"\n'
        "  |         ^^^^^^^^^^^^\nhint: did you mean `PreToolUse`?"
    )
    refusing = Dispatcher.refusing(str(error.value))
    assert refusing.dispatch(bash()).denied
    assert refusing.dispatch({"hook_event_name": "SessionStart"}).notices == [("checkrein", str(error.value))]
    with pytest.raises(FileNotFoundError):
        Dispatcher.from_config(tmp_path / "missing.toml")


def test_json_in_a_hosts_dialect() -> None:
    hooks = only(lambda payload: Verdict.deny("no"))
    event = json.dumps({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}})
    assert json.loads(hooks.dispatch_json(event)) == hooks.dispatch(json.loads(event)).as_dict()
    answer = json.loads(hooks.dispatch_json(event, host="claude"))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    with pytest.raises(ValueError, match="unknown host `nobody`"):
        hooks.dispatch_json(event, host="nobody")
    with pytest.raises(ValueError, match="duplicate key"):
        hooks.dispatch_json('{"a": 1, "a": 2}')


# -- asyncio


def test_asynchronous_hooks_run_on_the_callers_loop() -> None:
    loops: list[Any] = []

    async def check(payload: Payload) -> Verdict:
        await asyncio.sleep(0)
        loops.append(asyncio.get_running_loop())
        return Verdict.deny("async")

    async def main() -> Outcome:
        outcome = await only(check).adispatch(bash())
        assert loops == [asyncio.get_running_loop()]
        return outcome

    assert asyncio.run(main()).reason == "h: async"
    assert only(check).dispatch(bash()).reason == "h: async"
    assert len(set(map(id, loops))) == 2


def test_the_loop_is_not_blocked() -> None:
    ticks = 0

    async def main() -> Outcome:
        nonlocal ticks

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticking = asyncio.create_task(tick())
        outcome = await only(lambda payload: time.sleep(0.5)).adispatch(bash())
        ticking.cancel()
        return outcome

    assert asyncio.run(main()).decision is Decision.ABSTAIN
    assert ticks > 10


def test_an_asynchronous_hook_that_is_late_is_cancelled() -> None:
    ended: list[str] = []

    async def slow(payload: Payload) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def main() -> Outcome:
        outcome = await only(slow, timeout=0.2).adispatch(bash())
        await asyncio.sleep(0.05)
        return outcome

    assert asyncio.run(main()).reason == "h: the hook failed: timed out after 0.2 s"
    assert ended == ["cancelled"]


def test_the_version() -> None:
    assert checkrein.__version__.count(".") == 2
