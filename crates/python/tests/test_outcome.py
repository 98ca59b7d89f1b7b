"""What an embedding application does with an outcome: run, ask, show, store."""

import copy
import json
import pickle
from typing import Any, get_args

import checkrein
import pytest
from checkrein import Decision, Dispatcher, EventName, Outcome, Payload, Step, ToolKind, Verdict, _native

SECRET = "hunter2-hunter2"


def bash(command: str = "ls") -> Payload:
    return Payload.pre_tool_use("Bash", {"command": command})


def only(function: Any, event: Any = "PreToolUse", **options: Any) -> Dispatcher:
    hooks = Dispatcher(guard=False)
    hooks.add(function, event, name="h", **options)
    return hooks


@pytest.mark.parametrize(
    ("verdict", "may_run"),
    [
        (None, True),
        (Verdict.allow(), True),
        (Verdict.ask("sure?"), False),
        (Verdict.deny("no"), False),
        (Verdict(stop="enough"), False),
    ],
)
def test_a_call_may_run_only_if_nobody_objects(verdict: Any, may_run: bool) -> None:
    for rights in (False, True):
        assert only(lambda payload: verdict, may_allow=rights).dispatch(bash()).may_run is may_run


def test_a_stop_has_a_reason_for_the_model() -> None:
    assert only(lambda payload: Verdict(stop="enough")).dispatch(bash()).reason == "h ends the turn: enough"


def test_a_question_is_settled() -> None:
    asked: list[Outcome] = []

    def ask(outcome: Outcome) -> bool:
        asked.append(outcome)
        return len(asked) == 1

    outcome = only(lambda payload: Verdict.ask("sure?")).dispatch(bash())
    assert not outcome.may_run
    yes, no = outcome.settle(ask=ask), outcome.settle(ask=ask)
    assert asked == [outcome, outcome]
    assert (yes.decision, yes.may_run, yes.tool_input) == (Decision.ALLOW, True, {"command": "ls"})
    assert (no.decision, no.may_run, no.tool_input) == (Decision.DENY, False, None)
    assert no.reason == "checkrein: not approved: h: sure?" and no.as_dict()["decision"] == "deny"
    assert outcome.decision is Decision.ASK and outcome.settle(ask=True).may_run and not outcome.settle(ask=False).may_run
    stored = pickle.loads(pickle.dumps(outcome)).settle(ask=False)
    assert (stored.decision, stored.reason, stored.tool_input) == (no.decision, no.reason, None)


def test_nobody_is_asked_without_a_question() -> None:
    def ask(outcome: Outcome) -> bool:
        raise AssertionError("nobody asked")

    for verdict in (None, Verdict.deny("no")):
        outcome = only(lambda payload: verdict).dispatch(bash())
        assert outcome.settle(ask=ask) is outcome


@pytest.mark.parametrize("answer", [None, 1, "yes", object()])
def test_an_answer_that_is_neither_yes_nor_no_opens_nothing(answer: Any) -> None:
    outcome = only(lambda payload: Verdict.ask("sure?")).dispatch(bash())
    for ask in (answer, lambda outcome: answer):
        with pytest.raises(TypeError, match="must say True or False"):
            outcome.settle(ask=ask)


def test_a_coroutine_is_no_answer() -> None:
    async def ask(outcome: Outcome) -> bool:
        return True

    outcome = only(lambda payload: Verdict.ask("sure?")).dispatch(bash())
    with pytest.raises(TypeError, match="not `coroutine`"):
        outcome.settle(ask=ask)  # type: ignore[arg-type]


def test_a_denial_leaves_nothing_to_run() -> None:
    outcome = only(lambda payload: Verdict("deny", "no", rewrite={"command": "x"})).dispatch(bash())
    assert outcome.tool_input is None and "tool_input" not in outcome.payload
    prompt = only(lambda payload: "deny", "UserPromptSubmit").dispatch(Payload.user_prompt_submit("hi"))
    assert prompt.prompt is None


# -- results


def shapes() -> list[Any]:
    """Results that repeat a secret, in every shape that a host sends."""
    data = {"user": "ada", "key": SECRET}
    block = {"type": "text", "text": f"the key is {SECRET}"}
    return [
        f"the key is {SECRET}",
        {"content": [block], "structuredContent": data},
        {"content": [{"type": "text", "text": json.dumps(data)}], "structuredContent": {"deep": [data]}},
        {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": SECRET}}]},
        [block, {"type": "tool_result", "content": [block]}],
        {"stdout": SECRET, "stderr": SECRET, "interrupted": False},
        {"file": {"filePath": "/a", "content": SECRET}},
        {"filePath": "/a", "newString": SECRET, "oldString": "", "structuredPatch": [{"lines": [f"+{SECRET}"]}]},
    ]


@pytest.mark.parametrize("response", shapes())
def test_no_copy_of_a_redacted_or_withheld_text_is_left(response: Any) -> None:
    def redact(payload: Payload) -> Verdict:
        return Verdict(tool_output=(payload.tool_output or "").replace(SECRET, "[redacted]"))

    payload = Payload.post_tool_use("t", {}, tool_response=response)
    for function in (redact, lambda payload: Verdict.deny("not for you")):
        outcome = only(function, "PostToolUse").dispatch(payload)
        shown = [outcome.tool_output, outcome.tool_response, outcome.payload, outcome.as_dict(), repr(outcome)]
        assert SECRET not in json.dumps(shown), shown
        assert SECRET not in repr(pickle.loads(pickle.dumps(outcome)).payload)
        assert type(outcome.tool_response) is type(response)
    assert "not for you" in (outcome.tool_output or "") and outcome.tool_input is None


def test_the_text_of_an_error_is_withheld_too() -> None:
    failed = Payload.post_tool_use_failure("t", {}, f"no such {SECRET}")
    outcome = only(lambda payload: Verdict.deny("no"), "PostToolUseFailure").dispatch(failed)
    assert SECRET not in json.dumps([outcome.payload, outcome.tool_output]) and outcome.payload["error"] == outcome.tool_output


def test_a_refused_question_about_a_result_withholds_it() -> None:
    payload = Payload.post_tool_use("t", {}, SECRET)
    outcome = only(lambda payload: Verdict.ask("show it?"), "PostToolUse").dispatch(payload)
    for asks in (outcome, pickle.loads(pickle.dumps(outcome))):
        assert SECRET not in json.dumps([asks.settle(ask=False).tool_output, asks.settle(ask=False).payload])
        assert asks.settle(ask=True).tool_output == SECRET


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure"])
@pytest.mark.parametrize("timeout", [5.0, None])
def test_a_function_that_crashes_after_the_tool_denies(event: Any, timeout: Any) -> None:
    def crashes(payload: Payload) -> None:
        raise RuntimeError("no redaction")

    payload = Payload.post_tool_use("t", {}, SECRET)
    payload["hook_event_name"] = event
    outcome = only(crashes, event, timeout=timeout).dispatch(payload)
    assert outcome.denied and SECRET not in json.dumps(outcome.payload)
    assert only(crashes, event, timeout=timeout, on_failure="ignore").dispatch(payload).tool_output == SECRET
    with only(crashes, event, role="observe") as watches:
        assert watches.dispatch(payload).tool_output == SECRET


def test_an_error_becomes_a_success_and_back() -> None:
    failed = Payload.post_tool_use_failure("t", {}, "no matches")
    assert only(lambda payload: Verdict(is_error=False), "PostToolUseFailure").dispatch(failed).is_error is False
    assert only(lambda payload: None, "PostToolUseFailure").dispatch(failed).is_error is None


# -- kinds


def test_a_tool_of_an_unknown_name_is_judged_by_its_argument_and_the_user_is_told_once() -> None:
    hooks = Dispatcher()
    first = hooks.dispatch(Payload.pre_tool_use("my_runner", {"script": "rm -rf ~"}))
    again = hooks.dispatch(Payload.pre_tool_use("my_runner", {"script": "ls"}))
    assert first.denied and again.may_run
    told = dict(first.notices)
    assert len(first.notices) == 2 and told["guard"].startswith("Checkrein blocked")
    text = told["checkrein"]
    assert "`my_runner`" in text and "`script`" in text and 'kinds={"my_runner": "shell"}' in text
    assert again.notices == []


def test_the_author_says_what_a_tool_does() -> None:
    for dangerous, kinds in [
        (Payload.pre_tool_use("x", {"command": "rm -rf ~"}), {"x": "shell"}),
        (Payload.pre_tool_use("x", {"code": "import shutil; shutil.rmtree('/home')"}), {"x": "python"}),
    ]:
        outcome = Dispatcher(kinds=kinds).dispatch(dangerous)  # type: ignore[arg-type]
        # No notice about the name: only the guard tells the user what it blocked.
        assert outcome.denied and [by for by, _ in outcome.notices] == ["guard"]
    # A tool for prose is not a shell, whatever its argument is called.
    prose = Payload.pre_tool_use("say", {"command": "rm -rf ~"})
    assert Dispatcher(kinds={"say": "question"}).dispatch(prose).may_run
    with pytest.raises(ValueError, match="unknown kind of tool `shel`, did you mean `shell`?"):
        Dispatcher(kinds={"x": "shel"})  # type: ignore[dict-item]


def test_hooks_see_the_kind() -> None:
    seen: list[Any] = []
    hooks = Dispatcher(guard=False, kinds={"x": "shell"})
    hooks.add(lambda payload: seen.append(payload.tool_kind), "PreToolUse", tools="kind:shell")
    hooks.dispatch(Payload.pre_tool_use("x", {}))
    hooks.dispatch(Payload.pre_tool_use("y", {}))
    assert seen == ["shell"]


# -- trails and copies


def test_the_trail_has_every_call_with_its_time() -> None:
    hooks = only(lambda payload: Verdict(rewrite={"command": "x"}, notice="n"), role="edit")
    hooks.add(lambda payload: Verdict("ask", "sure?", context="c"), "PreToolUse", name="j", role="judge")
    hooks.add(lambda payload: 1 / 0, "PreToolUse", name="f", on_failure="ignore")  # type: ignore[arg-type]
    edit, fails, judge = hooks.dispatch(bash()).trail[:3]
    assert isinstance(edit, Step) and edit[:9] == ("h", "edit", Decision.ABSTAIN, None, (), "n", ("command",), None, False)
    assert judge[:5] == ("j", "judge", Decision.ASK, "sure?", ("c",))
    assert fails.hook == "f" and (fails.failure or "").startswith("ZeroDivisionError")
    assert all(step.seconds is not None and 0 < step.seconds < 60 for step in (edit, fails, judge))


def test_outcomes_are_copied_and_pickled() -> None:
    hooks = only(lambda payload: Verdict("ask", "sure?", rewrite={"big": 2**80}, context="c", notice="n", stop="s"))
    hooks.add(lambda payload: 1 / 0, "PreToolUse", name="f", on_failure="ignore")  # type: ignore[arg-type]
    outcome = hooks.dispatch(bash())
    names = [name for name in dir(outcome) if not name.startswith("_") and name not in ("settle", "as_dict")]
    assert len(names) > 15
    for other in (copy.copy(outcome), copy.deepcopy(outcome), pickle.loads(pickle.dumps(outcome))):
        for name in names:
            assert getattr(other, name) == getattr(outcome, name), name
        assert repr(other) == repr(outcome) and other.as_dict() == outcome.as_dict()
    with pytest.raises(ValueError, match="not an outcome"):
        type(outcome)._restore({}, {}, None, None, [])  # type: ignore[attr-defined]


# -- types


def test_the_literals_are_those_of_the_engine() -> None:
    assert list(get_args(EventName)) == _native.events()
    assert list(get_args(ToolKind)) == _native.tool_kinds()


def test_there_is_a_constructor_for_every_event() -> None:
    needs: dict[str, Any] = {"tool_name": "t", "prompt": "p"}
    for event in _native.events():
        assert Dispatcher().dispatch(Payload.of(event, **needs)).decision is Decision.ABSTAIN  # type: ignore[arg-type]
    made = [
        Payload.permission_request("t", {}),
        Payload.permission_denied("t", {}),
        Payload.post_tool_use_failure("t", {}, "e"),
        Payload.pre_model_request({"model": "m"}),
        Payload.post_model_response({"text": "t"}),
        Payload.session_start(),
        Payload.session_end(),
        Payload.stop(),
        Payload.subagent_start(),
        Payload.subagent_stop(),
        Payload.pre_compact(),
        Payload.notification("n"),
    ]
    assert all(Dispatcher().dispatch(payload).may_run for payload in made)


def test_context_may_be_one_text() -> None:
    assert only(lambda payload: Verdict(context="one")).dispatch(bash()).context == [("h", "one")]


def test_errors_do_not_speak_of_a_command_line() -> None:
    for hooks, wrong in [(Dispatcher(), {}), (Dispatcher(), {"hook_event_name": 3})]:
        with pytest.raises(ValueError) as error:
            hooks.dispatch(wrong)
        assert "--" not in str(error.value) and "command line" not in str(error.value) and "stdin" not in str(error.value)
    for text in ("", "{", "{}"):
        with pytest.raises(ValueError) as error:
            Dispatcher().dispatch_json(text)
        assert "--" not in str(error.value) and "stdin" not in str(error.value)


def test_model_events() -> None:
    hooks = only(lambda payload: Verdict(tool_input={"model": "other"}), "PreModelRequest", role="edit")
    outcome = hooks.dispatch(Payload.pre_model_request({"model": "m", "more": 1}))
    assert outcome.edited and outcome.model_request == outcome.payload["model_request"] == {"model": "other"}
    refused = only(lambda payload: "deny", "PreModelRequest").dispatch(Payload.pre_model_request({"model": "m"}))
    assert refused.model_request is None and "model_request" not in refused.payload
    hooks = only(lambda payload: Verdict.deny("no"), "PostModelResponse")
    assert SECRET not in json.dumps(hooks.dispatch(Payload.post_model_response(SECRET)).payload)


def test_the_package_imports_nothing_heavy() -> None:
    import subprocess
    import sys

    code = (
        "import sys; before = set(sys.modules); import checkrein; new = set(sys.modules) - before;"
        "print(sorted(new & {'asyncio', 'dataclasses', 'inspect', 'logging', 'traceback', 'json'}))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"], capture_output=True, text=True)
    assert done.stdout == "[]\n", done
    assert checkrein.__version__


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure"])
@pytest.mark.parametrize("withholds", ["raise", "answer"])
def test_what_a_crash_says_of_a_result_is_not_told_to_the_model(event: EventName, withholds: str) -> None:
    def parse(payload: Payload) -> Any:
        return {"decision": payload.tool_output} if withholds == "answer" else int(payload.tool_output or "")

    text: dict[str, Any] = {"tool_output": "hunter2"} if event == "PostToolUse" else {"error": "hunter2"}
    hooks = Dispatcher(guard=False)
    hooks.add(parse, event, name="parse")
    outcome = hooks.dispatch(Payload.of(event, tool_name="x", tool_input={}, **text))
    assert outcome.denied and "hunter2" not in f"{outcome.tool_output} {outcome.payload} {outcome.reason}"
    # The author is told.
    assert "hunter2" in outcome.failures[0][1]
