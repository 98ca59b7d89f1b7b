"""The predecessor's module: everything that a program for it relies on. Names in brackets are lines of the corpus."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import checkrein.compat as hooks
import pytest
from checkrein.compat import HookDecision, HookManager, HookSpec

Payload = dict[str, Any]


def call(command: str = "ls", tool: str = "run_shell") -> Payload:
    return {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {"command": command}}


@pytest.fixture
def module(tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """Writes functions into a module, and returns a manager for one of them."""
    name = f"hooks_{abs(hash(request.node.nodeid))}"

    def make(source: str, function: str = "check", event: str = "PreToolUse", **more: Any) -> HookManager:
        (tmp_path / f"{name}.py").write_text(source)
        return HookManager([HookSpec(event, callable_path=f"{name}:{function}", **more)], tmp_path)

    return make


def commands(tmp_path: Path, *texts: str, event: str = "PreToolUse", **more: Any) -> HookManager:
    return HookManager([HookSpec(event, command=text, **more) for text in texts], tmp_path)


def says(answer: Any) -> str:
    return f"printf '%s' '{json.dumps(answer)}'"


# -- events and API [M1, M7-M9]


def test_five_events() -> None:
    assert hooks.KNOWN_EVENTS == {
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "SessionStart",
        "UserPromptSubmit",
    }
    assert hooks.EVENT_PRE_TOOL == "PreToolUse" and hooks.EVENT_USER_PROMPT == "UserPromptSubmit"
    assert hooks.EVENT_TOOL_FAILURE == "PostToolUseFailure"
    with pytest.raises(ValueError, match="unknown event: 'Stop'"):
        HookManager([]).run("Stop", {})
    with pytest.raises(ValueError, match=r"hooks\[0\]: unknown event 'Stop'"):
        HookManager([HookSpec("Stop", command="true")])


def test_specs_and_labels() -> None:
    spec = HookSpec("PreToolUse")
    assert (spec.match, spec.command, spec.callable_path, spec.timeout, spec.name) == ({}, None, None, 5.0, None)
    assert HookSpec("PreToolUse", command="c").label() == "c"
    assert HookSpec("PreToolUse", callable_path="m:f").label() == "m:f"
    assert HookSpec("PreToolUse", command="c", name="n").label() == "n"
    assert spec.label() == "<hook>"
    assert HookDecision() == HookDecision("allow", None, None, None, None)
    for wrong in (spec, HookSpec("PreToolUse", command="c", callable_path="m:f")):
        with pytest.raises(ValueError, match=r"hooks\[0\]: specify exactly one of 'command' or 'callable'"):
            HookManager([wrong])


def test_cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert HookManager([]).cwd == HookManager(None).cwd == Path.cwd()
    (tmp_path / "hooks.json").write_text("[]")
    assert HookManager.from_config(tmp_path / "hooks.json").cwd == tmp_path
    assert HookManager.from_config(tmp_path / "hooks.json", "/").cwd == Path("/")
    monkeypatch.chdir(tmp_path)
    assert HookManager.from_config("hooks.json").cwd == tmp_path
    assert HookManager.from_config(config_path="hooks.json", cwd="").cwd == tmp_path


def test_the_list_of_hooks_is_live(tmp_path: Path) -> None:
    manager = HookManager(None, tmp_path)
    assert manager.run("PreToolUse", call()).decision == "allow"
    manager.hooks.append(HookSpec("PreToolUse", command="exit 2", name="n"))
    assert manager.run("PreToolUse", call()).hook_name == "n"
    manager.hooks[0].match["tool"] = "other"
    assert manager.run("PreToolUse", call()).decision == "allow"
    manager.hooks[0].match.clear()
    manager.hooks[0].command = "pwd >&2; exit 2"
    (tmp_path / "below").mkdir()
    manager.cwd = tmp_path / "below"
    assert (manager.run("PreToolUse", call()).reason or "").endswith("/below")
    manager.hooks.append(HookSpec("PreToolUse"))
    with pytest.raises(ValueError, match=r"hooks\[1\]: specify exactly one"):
        manager.run("PreToolUse", call())
    manager.hooks = []
    assert manager.run("PreToolUse", call()) == HookDecision()


# -- matching [M11-M15]


def test_matching() -> None:
    def matches(match: Any, name: str) -> bool:
        return HookSpec("PreToolUse", match=match, command="c").matches_tool(name)

    assert matches({}, "x") and matches({}, "") and matches({"tool": None}, "x")
    assert matches({"tool": "x"}, "x") and not matches({"tool": "x"}, "xy") and not matches({"tool": "x"}, "")
    assert matches({"tool": ["a", "b"]}, "b") and not matches({"tool": ["a", "b"]}, "c")
    # Names are names: no pattern of ours is one of theirs.
    assert not matches({"tool": "x*"}, "xy") and matches({"tool": "x*"}, "x*") and not matches({"tool": "kind:shell"}, "x")
    wrongs: list[Any] = [{"tool": 3}, {"tool": [3]}, {"tools": "x"}, {"tool": []}]
    for wrong in wrongs:
        with pytest.raises(ValueError):
            matches(wrong, "x")


def test_only_hooks_of_the_event_and_tool_run(tmp_path: Path) -> None:
    manager = HookManager(
        [
            HookSpec("PostToolUse", command="echo post >> asked"),
            HookSpec("PreToolUse", match={"tool": "other"}, command="echo other >> asked"),
            HookSpec("PreToolUse", match={"tool": "run_*"}, command="echo star >> asked"),
            HookSpec("PreToolUse", match={"tool": ["run_shell"]}, command="echo mine >> asked"),
            HookSpec("PreToolUse", command="echo all >> asked"),
        ],
        tmp_path,
    )
    assert manager.run("PreToolUse", call()) == HookDecision()
    assert (tmp_path / "asked").read_text().split() == ["mine", "all"]


# -- command hooks [M16-M22]


def test_a_command_runs_in_the_directory_with_the_whole_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANY_VARIABLE", "whole environment")
    manager = commands(tmp_path, "pwd -P > pwd; cat > stdin; env > env")
    payload = call()
    payload["mine"] = {"nested": [1, None, "é"]}
    manager.run("PreToolUse", payload)
    assert (tmp_path / "pwd").read_text().strip() == str(tmp_path.resolve())
    seen = json.loads((tmp_path / "stdin").read_text())
    assert {key: seen[key] for key in payload} == payload
    env = (tmp_path / "env").read_text().splitlines()
    assert {"ANY_VARIABLE=whole environment", "HOOK_EVENT=PreToolUse", "HOOK_TOOL_NAME=run_shell"} <= set(env)


def test_a_large_input_does_not_deny(tmp_path: Path) -> None:
    assert commands(tmp_path, "cat > /dev/null").run("PreToolUse", call("x" * 300_000)) == HookDecision()


@pytest.mark.parametrize(
    ("command", "decision", "reason"),
    [
        ("true", "allow", None),
        ("echo no >&2; exit 2", "deny", "no"),
        ("echo no; exit 2", "deny", "no"),
        ("exit 2", "deny", "hook denied"),
        (says({"decision": "deny", "reason": "r"}) + "; exit 2", "deny", '{"decision": "deny", "reason": "r"}'),
        ("exit 3", "deny", "hook h errored: hook exited with code 3"),
        ("echo why >&2; exit 3", "deny", "hook h errored: why"),
        ("echo null", "allow", None),
        (says({"decision": "ask", "reason": "r"}), "ask", "r"),
        (says("deny"), "deny", None),
        ("echo plain text", "allow", None),
        (says([1]), "deny", "hook h errored: bad answer: stdout is JSON, but neither an object nor a decision"),
        (says({"decision": "never"}), "deny", None),
        ("printf '{\"decision\": '", "deny", None),
    ],
)
def test_exits_and_answers(tmp_path: Path, command: str, decision: str, reason: str | None) -> None:
    said = commands(tmp_path, command, name="h").run("PreToolUse", call())
    assert said.decision == decision
    if reason is not None or decision == "allow":
        assert said.reason == reason
    assert said.hook_name == (None if decision == "allow" else "h")


def test_a_timeout_denies_and_names_the_limit(tmp_path: Path) -> None:
    begun = time.monotonic()
    said = commands(tmp_path, "sleep 60", timeout=0.3).run("PreToolUse", call())
    assert (said.decision, said.reason) == ("deny", "hook timed out after 0.3 s")
    assert time.monotonic() - begun < 30


# -- callables [M23-M26]


@pytest.mark.parametrize(
    ("body", "decision"),
    [
        ("None", "allow"),
        ("'allow'", "allow"),
        ("'ask'", "ask"),
        ("'deny'", "deny"),
        ("{}", "allow"),
        ("{'decision': 'ask', 'mine': 1}", "ask"),
        ("HookDecision('deny', 'r')", "deny"),
        ("HookDecision()", "allow"),
        ("'never'", "deny"),
        ("3", "deny"),
        ("['deny']", "deny"),
        ("{'decision': None}", "deny"),
        ("{'reason': {1}}", "deny"),
        ("1 / 0", "deny"),
    ],
)
def test_return_values_of_a_callable(module: Any, body: str, decision: str) -> None:
    manager = module(f"from checkrein.compat import HookDecision\ndef check(payload): return {body}\n")
    assert manager.run("PreToolUse", call()).decision == decision


def test_a_callable_may_change_the_payload(module: Any) -> None:
    """As in the predecessor, where it got the caller's own dict. Here the change is an edit, which later hooks see."""
    manager = module(
        "def check(payload):\n    assert type(payload) is dict\n    payload['tool_input']['command'] = 'changed'\n"
        "    payload['tool_input'].pop('more', None)\n    payload['other'] = 1\n"
    )
    manager.hooks.append(HookSpec("PreToolUse", command="cat > seen"))
    payload = call()
    given = payload["tool_input"]
    given["more"] = 1
    assert manager.run("PreToolUse", payload).decision == "allow"
    assert payload == call("changed") and payload["tool_input"] is given
    assert json.loads((manager.cwd / "seen").read_text())["tool_input"] == {"command": "changed"}


def test_a_callable_may_change_the_output(module: Any) -> None:
    manager = module("def check(payload): payload['tool_output'] = '-'\n", event="PostToolUse")
    payload = {**call(), "tool_output": "secret"}
    assert manager.run("PostToolUse", payload).rewrite_output == "-" and payload["tool_output"] == "-"


def test_a_callable_that_leaves_no_arguments_fails(module: Any) -> None:
    assert module("def check(payload): payload['tool_input'] = 3\n").run("PreToolUse", call()).decision == "deny"


def test_a_function_that_was_replaced_is_called(module: Any) -> None:
    manager = module("def check(payload): return 'allow'\n")
    assert manager.run("PreToolUse", call()).decision == "allow"
    name = manager.hooks[0].callable_path.partition(":")[0]
    sys.modules[name].check = lambda payload: "deny"  # type: ignore[attr-defined]
    assert manager.run("PreToolUse", call()).decision == "deny"


def test_a_module_is_imported_once(module: Any) -> None:
    manager = module("calls = []\ndef check(payload):\n    calls.append(1)\n    return {'reason': str(len(calls))}\n")
    assert [manager.run("PreToolUse", call()).reason for _ in range(3)] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("nowhere_at_all:f", "cannot import `nowhere_at_all`: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("json:nothing", "`json` has no `nothing`"),
        ("json:decoder", "`json:decoder` is not a function"),
        ("json", "`json` is not the name of a Python function; write `module:function`"),
    ],
)
def test_missing_callables(path: str, reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    said = HookManager([HookSpec("PreToolUse", callable_path=path)]).run("PreToolUse", call())
    assert said.decision == "deny"
    assert said.reason is not None and said.reason.startswith(f"hook {path} errored: {reason}")
    # One line for the user [M37].
    assert capfd.readouterr().err.splitlines()[0].startswith(f"[hook error] {path}: {reason}")


def test_a_callable_has_a_timeout_too(module: Any) -> None:
    manager = module("import time\ndef check(payload): time.sleep(60)\n", timeout=0.2)
    said = manager.run("PreToolUse", call())
    assert (said.decision, said.reason) == ("deny", "hook timed out after 0.2 s")


# -- merging [M32-M37]


def test_the_strictest_wins_and_the_first_of_it_is_named(tmp_path: Path) -> None:
    specs = [
        HookSpec("PreToolUse", command=says({"decision": word, "reason": name}), name=name)
        for name, word in [("a", "allow"), ("b", "ask"), ("c", "ask"), ("d", "deny"), ("e", "deny")]
    ]
    manager = HookManager(specs, tmp_path)
    assert manager.run("PreToolUse", call()) == HookDecision("deny", "d", None, None, "d")
    assert HookManager(specs[:3], tmp_path).run("PreToolUse", call()) == HookDecision("ask", "b", None, None, "b")
    assert HookManager(specs[:1], tmp_path).run("PreToolUse", call()) == HookDecision("allow", "a", None, None, "a")


def test_the_first_denial_ends_the_chain(tmp_path: Path) -> None:
    commands(tmp_path, "exit 2", "touch sentinel").run("PreToolUse", call())
    assert not (tmp_path / "sentinel").exists()


def test_rewrites_accumulate_and_are_seen(tmp_path: Path) -> None:
    manager = commands(
        tmp_path,
        says({"rewrite_args": {"command": "one", "more": 1}}),
        "cat > seen; " + says({"rewrite_args": {"command": "two"}}),
        says({"rewrite_args": {}}),
    )
    payload = call()
    given = payload["tool_input"]
    said = manager.run("PreToolUse", payload)
    assert said.decision == "allow" and said.rewrite_args == {"command": "two", "more": 1}
    assert payload["tool_input"] == {"command": "two", "more": 1}
    # Callers hold on to this dict [M10].
    assert payload["tool_input"] is given
    assert json.loads((tmp_path / "seen").read_text())["tool_input"] == {"command": "one", "more": 1}


def test_the_last_replacement_of_the_output_wins(tmp_path: Path) -> None:
    payload = {**call(), "hook_event_name": "PostToolUse", "tool_output": "secret"}
    manager = commands(
        tmp_path, says({"rewrite_output": "a"}), "cat > seen; " + says({"rewrite_output": ""}), event="PostToolUse"
    )
    said = manager.run("PostToolUse", payload)
    assert (said.rewrite_output, payload["tool_output"]) == ("", "")
    assert json.loads((tmp_path / "seen").read_text())["tool_output"] == "a"


def test_a_failure_drops_earlier_rewrites(tmp_path: Path) -> None:
    payload = call()
    said = commands(tmp_path, says({"rewrite_args": {"command": "x"}}), "exit 1").run("PreToolUse", payload)
    assert (said.decision, said.rewrite_args, payload) == ("deny", None, call())


def test_a_denial_after_the_call_replaces_the_output(tmp_path: Path) -> None:
    payload = {**call(), "hook_event_name": "PostToolUse", "tool_output": "secret"}
    said = commands(tmp_path, "echo not for you >&2; exit 2", event="PostToolUse").run("PostToolUse", payload)
    assert said.decision == "deny" and said.rewrite_output is not None
    assert "secret" not in said.rewrite_output and "not for you" in said.rewrite_output
    assert payload["tool_output"] == said.rewrite_output


def test_an_unchanged_payload_is_the_same_object(tmp_path: Path) -> None:
    payload = call()
    given = payload["tool_input"]
    commands(tmp_path, "true").run("PreToolUse", payload)
    assert payload["tool_input"] is given


def test_other_events(tmp_path: Path) -> None:
    start = HookManager([HookSpec("SessionStart", command="cat > seen")], tmp_path)
    assert start.run("SessionStart", {"session_id": "s", "workspace_root": "/w"}) == HookDecision()
    seen = json.loads((tmp_path / "seen").read_text())
    assert (seen["session_id"], seen["workspace_root"], seen["hook_event_name"]) == ("s", "/w", "SessionStart")
    prompt = commands(tmp_path, says({"decision": "deny", "reason": "no"}), event="UserPromptSubmit")
    assert prompt.run("UserPromptSubmit", {"user_message": "hi", "session_id": "s"}).decision == "deny"
    assert prompt.run("UserPromptSubmit", {}).decision == "deny"
    failure = commands(tmp_path, says({"rewrite_output": "-"}), event="PostToolUseFailure")
    said = failure.run("PostToolUseFailure", {**call(), "tool_output": "boom", "tool_result_is_error": True})
    assert said.rewrite_output == "-"
    # The argument decides the event, whatever the payload contains.
    assert prompt.run("UserPromptSubmit", {"hook_event_name": "PreToolUse"}).decision == "deny"


# -- configuration [M47-M49]


def test_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "hooks.json").write_text(
        json.dumps(
            [
                {"event": "PreToolUse", "match": {"tool": ["a", "b"]}, "command": "exit 2", "timeout": 1.5, "name": "n"},
                {"event": "PostToolUse", "match": {"tool": "a"}, "callable": "m:f"},
                {"event": "SessionStart", "command": "true"},
            ]
        )
    )
    manager = HookManager.from_config(tmp_path / "hooks.json")
    assert manager.hooks == [
        HookSpec("PreToolUse", {"tool": ["a", "b"]}, "exit 2", None, 1.5, "n"),
        HookSpec("PostToolUse", {"tool": "a"}, None, "m:f"),
        HookSpec("SessionStart", {}, "true"),
    ]
    assert manager.run("PreToolUse", call(tool="a")).hook_name == "n"
    assert "n, m:f, true" in repr(manager)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("{}", ["expected a list of hooks"]),
        ("[", []),
        ("[{]", ["not valid JSON"]),
        ('[{"event": "PreToolUse"}]', ["hooks[0]: specify exactly one of"]),
        ('[{"event": "PreToolUse", "command": "a", "callable": "m:f"}]', ["hooks[0]: specify exactly one of"]),
        ('[{"event": "Stop", "command": "a"}]', ["[0].event", "Stop"]),
        ('[{"event": "PreToolUse", "command": "a", "match": {"tool": 3}}]', ["[0].match.tool"]),
    ],
)
def test_invalid_configurations(tmp_path: Path, text: str, parts: list[str]) -> None:
    (tmp_path / "hooks.json").write_text(text)
    with pytest.raises(ValueError) as error:
        HookManager.from_config(tmp_path / "hooks.json")
    assert all(part in str(error.value) for part in parts), error.value


def test_hooks_that_the_predecessor_cannot_express(tmp_path: Path) -> None:
    (tmp_path / "hooks.toml").write_text('[[hook]]\nevent = "PreToolUse"\ncommand = "a"\nrole = "judge"\n')
    with pytest.raises(ValueError, match="hook 0 has `role`"):
        HookManager.from_config(tmp_path / "hooks.toml")


def test_a_missing_configuration(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        HookManager.from_config(tmp_path / "hooks.json")


def test_invalid_payloads() -> None:
    manager = HookManager([])
    for wrong in ({"tool_input": 3}, {"tool_name": 3}, {"tool_input": {"x": float("nan")}}):
        with pytest.raises(ValueError):
            manager.run("PreToolUse", {"tool_name": "x", **wrong})


# -- built-in functions, which read the dict in place


def built_in(**more: Any) -> HookSpec:
    return HookSpec("PreToolUse", callable_path="checkrein:scan_regex", **more)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tool_input": {"command": "ls", "x": float("nan")}}, "`tool_input.x`: `NaN` is no JSON number"),
        ({"tool_input": {"command": "\ud800"}}, "`tool_input.command`: the text holds a lone surrogate"),
        ({"tool_input": {"\ud800": "x"}}, "the text holds a lone surrogate"),
        ({"tool_output": "\ud800"}, "`tool_output`: the text holds a lone surrogate"),
        ({"tool_input": "ls"}, "the field `tool_input` should be an object, found a string"),
        ({"tool_name": 3}, "the field `tool_name` should be a string, found a number"),
        ({"attempt": 0}, "the field `attempt` should be a number from 1"),
        ({"x": {"y": {1}}}, "`x.y`: a value of type `set` has no place in a payload"),
        ({3: "x"}, "the key 3 is no string"),
    ],
)
def test_built_in_functions_refuse_what_others_refuse(wrong: Payload, message: str, module: Any) -> None:
    for manager in (HookManager([built_in()]), HookManager([]), module("def check(payload): return None\n")):
        with pytest.raises((ValueError, TypeError)) as refused:
            manager.run("PreToolUse", {**call(), **wrong})
        assert message in str(refused.value)


def test_built_in_functions_next_to_others(tmp_path: Path) -> None:
    deny = HookSpec("PreToolUse", command="echo no >&2; exit 2", name="d")
    elsewhere = HookSpec("PreToolUse", {"tool": "other"}, command="exit 2", name="e")
    denied = HookDecision("deny", "no", None, None, "d")
    for specs, expected in (
        ([built_in(), deny], denied),
        ([deny, built_in()], denied),
        ([built_in(), elsewhere], HookDecision()),
        ([built_in(match={"tool": "other"}), deny], denied),
        ([built_in(match={"tool": ["other"]})], HookDecision()),
        ([HookSpec("SessionStart", callable_path="checkrein:noop"), deny], denied),
    ):
        assert HookManager(specs, tmp_path).run("PreToolUse", call()) == expected
    assert HookManager([built_in(), deny], tmp_path).run("SessionStart", {"session_id": "s"}) == HookDecision()
    assert HookManager([elsewhere], tmp_path).run("PreToolUse", call(tool="other")).decision == "deny"
