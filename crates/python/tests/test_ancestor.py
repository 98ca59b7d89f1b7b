"""`checkrein.compat` against a model of the predecessor, on several hundred chains of hooks.

Every difference is a row of the table in the README. A case says by itself, before anything runs, which rows it touches; all
others must be equal in everything. No case may be weaker than the predecessor.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import ancestor
import pytest
from checkrein.compat import HookDecision, HookManager, HookSpec

SECRET = "the s3cret output"


class Hook(NamedTuple):
    """A behaviour: a Python expression for a function, or a shell command, and what is special about it."""

    name: str
    body: str
    is_command: bool = False
    #: How it rewrites: nothing, the arguments, or the output.
    rewrites: str = ""
    denies: bool = False
    fails: bool = False
    #: A reason given with an `allow`.
    explains: bool = False
    #: It reads the arguments, so that it could answer differently if they change.
    looks: bool = False


def says(answer: Any) -> str:
    return f"printf '%s' '{json.dumps(answer)}'"


ARGS = {"rewrite_args": {"command": "ls -a"}}
MORE = {"rewrite_args": {"more": 1, "command": "ls -b"}}
OUTPUT = {"rewrite_output": "clean"}

HOOKS = [
    Hook("none", "None"),
    Hook("allow", "'allow'"),
    Hook("ask", "{'decision': 'ask', 'reason': 'sure?'}"),
    Hook("ask-bare", "'ask'"),
    Hook("deny", "{'decision': 'deny', 'reason': 'never'}", denies=True),
    Hook("deny-bare", "'deny'", denies=True),
    Hook("explain", "{'decision': 'allow', 'reason': 'fine'}", explains=True),
    Hook("object", "HookDecision('ask', 'object')"),
    Hook("args", repr(ARGS), rewrites="args"),
    Hook("more", repr(MORE), rewrites="args"),
    Hook("args-ask", repr({**ARGS, "decision": "ask", "reason": "r"}), rewrites="args"),
    Hook("args-empty", "{'rewrite_args': {}}"),
    Hook("args-null", "{'rewrite_args': None, 'rewrite_output': None, 'reason': None}"),
    Hook("output", repr(OUTPUT), rewrites="output"),
    Hook("output-empty", "{'rewrite_output': ''}", rewrites="output"),
    Hook("output-deny", "{'rewrite_output': 'clean', 'decision': 'deny', 'reason': 'no'}", rewrites="output", denies=True),
    Hook("mutates", "payload.setdefault('tool_input', {}).update(command='ls -m')", rewrites="args"),
    Hook("raises", "1 / 0", fails=True),
    Hook("number", "3", fails=True),
    Hook("word", "'perhaps'", fails=True),
    Hook("null-word", "{'decision': None}", fails=True),
    Hook("looks", "'deny' if 'ls' not in payload.get('tool_input', {}).get('command', 'ls') else None", looks=True),
    Hook("c-true", "true", True),
    Hook("c-text", "echo hello", True),
    Hook("c-null", "echo null", True),
    Hook("c-ask", says({"decision": "ask", "reason": "sure?"}), True),
    Hook("c-deny", "echo no >&2; exit 2", True, denies=True),
    Hook("c-deny-stdout", "echo no; exit 2", True, denies=True),
    Hook("c-deny-bare", "exit 2", True, denies=True),
    Hook("c-word", says("deny"), True, denies=True),
    Hook("c-args", says(ARGS), True, "args"),
    Hook("c-output", says(OUTPUT), True, "output"),
    Hook("c-exit", "exit 3", True, fails=True),
    Hook("c-exit-says", "echo broken >&2; exit 1", True, fails=True),
    Hook("c-list", says([1]), True, fails=True),
    Hook("c-unknown", says({"decision": "perhaps"}), True, fails=True),
]
BY_NAME = {hook.name: hook for hook in HOOKS}
TOOLS = ["PreToolUse", "PostToolUse", "PostToolUseFailure"]
EVENTS = [*TOOLS, "SessionStart", "UserPromptSubmit"]


class Case(NamedTuple):
    event: str
    hooks: tuple[str, ...]
    #: The hook at this place is for another tool, or for another event.
    other_tool: int = -1
    other_event: int = -1

    def chain(self) -> list[Hook]:
        skipped = (self.other_tool, self.other_event)
        return [BY_NAME[name] for place, name in enumerate(self.hooks) if place not in skipped]

    def rows(self) -> set[str]:
        """Returns the rows of the table of differences that the case touches."""
        rows: set[str] = set()
        after = self.event in ("PostToolUse", "PostToolUseFailure")
        chain = self.chain()
        wrong = {"PreToolUse": {"output"}, "SessionStart": {"args", "output"}, "UserPromptSubmit": {"args", "output"}}
        misfits = [hook.rewrites in wrong.get(self.event, {"args"}) and hook.rewrites != "" for hook in chain]
        for hook, misfit in zip(chain, misfits):
            if misfit:
                rows.add("misfit")
            if hook.explains:
                rows.add("explained")
            if hook.name == "mutates":
                rows.add("mutated")
        stops = [hook.denies or hook.fails or misfit for hook, misfit in zip(chain, misfits)]
        if any(stops) and after:
            rows.add("withheld")
        if any(stops) and self.event == "SessionStart":
            rows.add("goes on")
        if any(stops) and any(hook.rewrites for hook in chain):
            rows.add("dropped")
        # A hook that accepted the arguments is asked again if a later one changes them.
        edits = [place for place, hook in enumerate(chain) if hook.rewrites == "args"]
        if self.event == "PreToolUse" and edits and any(hook.looks for hook in chain[: edits[-1]]):
            rows.add("again")
        return rows


def cases() -> list[Case]:
    """Every hook alone on every event, every pair before the tool, and random chains."""
    chosen = [Case(event, (hook.name,)) for event in EVENTS for hook in HOOKS]
    functions = [hook.name for hook in HOOKS if not hook.is_command]
    chosen += [Case("PreToolUse", pair) for pair in itertools.product(functions, functions)]
    mixed = random.Random(16)
    names = list(BY_NAME)
    for _ in range(300):
        hooks = tuple(mixed.choices(names, k=mixed.randint(2, 5)))
        skips = [mixed.choice([-1, -1, *range(len(hooks))]) for _ in range(2)]
        chosen.append(Case(mixed.choice(EVENTS), hooks, *skips))
    return chosen


def payload(event: str) -> dict[str, Any]:
    if event == "SessionStart":
        return {"hook_event_name": event, "session_id": "s", "workspace_root": "/w"}
    if event == "UserPromptSubmit":
        return {"hook_event_name": event, "user_message": "hi", "session_id": "s"}
    call: dict[str, Any] = {"hook_event_name": event, "tool_name": "run_shell", "tool_input": {"command": "ls", "x": 1}}
    if event != "PreToolUse":
        call |= {"tool_output": SECRET, "tool_result_is_error": event == "PostToolUseFailure"}
    return call


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("ancestor")
    lines = ["from checkrein.compat import HookDecision", "def nothing(payload): return None"]
    for hook in HOOKS:
        if not hook.is_command:
            lines.append(f"def {hook.name.replace('-', '_')}(payload): return {hook.body}")
    (directory / "ancestor_hooks.py").write_text("\n".join(lines) + "\n")
    return directory


def specs(case: Case) -> list[HookSpec]:
    made: list[HookSpec] = []
    for place, name in enumerate(case.hooks):
        hook = BY_NAME[name]
        event = _another(case.event) if place == case.other_event else case.event
        match = {"tool": ["other", "third"]} if place == case.other_tool else {}
        path = None if hook.is_command else f"ancestor_hooks:{name.replace('-', '_')}"
        command = hook.body if hook.is_command else None
        # In place, as there; the timeout has its own test.
        timeout = 20.0 if hook.is_command else None
        made.append(HookSpec(event, match, command, path, timeout, f"{name}#{place}"))
    return made


def _another(event: str) -> str:
    return EVENTS[(EVENTS.index(event) + 1) % len(EVENTS)]


def test_no_case_is_weaker_than_the_predecessor(directory: Path, capfd: pytest.CaptureFixture[str]) -> None:
    touched: Counter[str] = Counter()
    for case in cases():
        theirs_payload, ours_payload = payload(case.event), payload(case.event)
        theirs = ancestor.run(copy.deepcopy(specs(case)), directory, case.event, theirs_payload)
        ours = HookManager(specs(case), directory).run(case.event, ours_payload)
        about = f"{case}\n  theirs {theirs} {theirs_payload}\n  ours   {ours} {ours_payload}"
        rows = case.rows()
        touched.update(rows or {"equal"})
        weaker(case, theirs, ours, theirs_payload, ours_payload, about)
        if not rows:
            equal(theirs, ours, theirs_payload, ours_payload, about)
    capfd.readouterr()
    # The comparison says nothing if hardly any case is compared in full.
    assert touched["equal"] > 400, touched
    assert set(touched) >= {"misfit", "explained", "withheld", "dropped", "again", "goes on", "mutated"}, touched


def equal(theirs: HookDecision, ours: HookDecision, before: Any, after: Any, about: str) -> None:
    same_text = theirs.reason == ours.reason or " errored: " in (theirs.reason or "")
    assert (theirs.decision, theirs.hook_name) == (ours.decision, ours.hook_name), about
    assert (theirs.rewrite_output, before) == (ours.rewrite_output, after) and same_text, about
    if theirs.rewrite_args is not None:
        assert (ours.rewrite_args or {}).items() >= theirs.rewrite_args.items(), about


def weaker(case: Case, theirs: HookDecision, ours: HookDecision, before: Any, after: Any, about: str) -> None:
    """Fails if ours lets something pass that theirs did not, or shows what theirs hid."""
    strength = ancestor.STRENGTH.index
    assert strength(ours.decision) >= strength(theirs.decision), about
    if ours.decision == "deny":
        assert SECRET not in json.dumps(after), about
        return
    # What would run, and what the model would see, is what the predecessor's hooks made of it.
    if case.event == "PreToolUse":
        assert after["tool_input"] == before["tool_input"], about
    assert after.get("tool_output") == before.get("tool_output") and ours.rewrite_output == theirs.rewrite_output, about


def test_there_are_several_hundred_cases() -> None:
    assert len(cases()) > 800 and len({case.hooks for case in cases()}) > 500


def test_a_late_command_denies_in_both(directory: Path) -> None:
    late = [HookSpec("PreToolUse", command="sleep 20", timeout=0.2, name="late")]
    theirs = ancestor.run(late, directory, "PreToolUse", payload("PreToolUse"))
    ours = HookManager(late, directory).run("PreToolUse", payload("PreToolUse"))
    assert (theirs.decision, theirs.hook_name) == (ours.decision, ours.hook_name) == ("deny", "late")
    assert "timed out after 0.2" in (theirs.reason or "") and "timed out after 0.2" in (ours.reason or "")
