"""The built-in functions: our two workloads count the same as Python."""

import copy
import random
import re
from typing import Any

import checkrein
import pytest
import tree_sitter
import tree_sitter_bash
from checkrein import Decision, Dispatcher, PatternSet, Payload, _native
from checkrein.compat import HookDecision, HookManager, HookSpec
from hypothesis import given, settings
from hypothesis import strategies as st

from workloads import PAYLOAD, haystack, regex_count, scaling_patterns, scaling_text

# Valid ones only: the error recovery of a parser changes with its version.
scripts = st.lists(
    st.sampled_from(
        ["ls -la /tmp", "a | b", "x=$(pwd)", "for i in 1 2; do echo $i; done", "if a; then b; fi", "é", "cat <x >y", "(a; b) && c"]
    )
).map("\n".join)


def ast_count(command: str) -> int:
    """Returns the number of nodes, counted in Python."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    todo, count = [parser.parse(command.encode()).root_node], 0
    while todo:
        node = todo.pop()
        count += 1
        todo.extend(node.children)
    return count


def test_the_payload_is_the_predecessors() -> None:
    import json

    assert 2300 <= len(json.dumps(PAYLOAD)) <= 2400
    assert 100 <= len(checkrein.patterns()) <= 110
    assert all(re.compile(pattern) for pattern in checkrein.patterns())


def test_parity_on_the_predecessors_payload() -> None:
    assert checkrein.scan_regex(PAYLOAD) == {"decision": "allow", "matches": regex_count(haystack(PAYLOAD))}
    command = PAYLOAD["tool_input"]["command"]
    assert checkrein.walk_ast(PAYLOAD) == {"decision": "allow", "nodes": ast_count(command)}


@settings(deadline=None, max_examples=60)
@given(scripts, st.text([chr(code) for code in range(9, 127) if code not in range(14, 32)], max_size=200))
def test_parity(command: str, output: str) -> None:
    payload = {**Payload.pre_tool_use("Bash", {"command": command, "n": 3}), "tool_output": output}
    assert checkrein.scan_regex(payload)["matches"] == regex_count(haystack(payload))
    assert checkrein.walk_ast(payload)["nodes"] == ast_count(command)


def test_empty_payloads() -> None:
    payloads: list[dict[str, Any]] = [{}, {"tool_input": None}, {"tool_input": {}}, {"tool_input": {"command": 3}}]
    for payload in payloads:
        assert checkrein.scan_regex(payload) == {"decision": "allow", "matches": 0}
        assert checkrein.walk_ast(payload) == {"decision": "allow", "nodes": 0}
    assert checkrein.noop({}) is None  # type: ignore[func-returns-value]


def test_they_are_hooks_too() -> None:
    for function in (checkrein.noop, checkrein.scan_regex, checkrein.walk_ast):
        hooks = Dispatcher(guard=False)
        hooks.add(function, "PreToolUse")
        outcome = hooks.dispatch(PAYLOAD)
        assert outcome.decision is Decision.ABSTAIN and outcome.failures == []


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PostToolUseFailure"])
@pytest.mark.parametrize("odd", [{}, {"tool_input": {**PAYLOAD["tool_input"], "n": 1.5}}, {"session_id": "s"}])
def test_they_do_their_work_as_hooks(event: Any, odd: dict[str, Any]) -> None:
    """With a dict that is read in place, and with one that needs the full dispatch."""
    payload = {**PAYLOAD, **odd}
    for function in (checkrein.scan_regex, checkrein.walk_ast, checkrein.noop):
        expected = list((function(payload) or {"nothing": 0}).values())[-1]
        manager = HookManager([HookSpec(event, callable_path=f"checkrein:{function.__name__}")])
        _native_counts_nothing()
        given = copy.deepcopy(payload)
        assert manager.run(event, given) == HookDecision()
        assert _native.counted() == expected and given == payload
        hooks = Dispatcher(guard=False)
        hooks.add(function, event)
        _native_counts_nothing()
        hooks.dispatch({**payload, "hook_event_name": event})
        assert _native.counted() == expected


def _native_counts_nothing() -> None:
    HookManager([HookSpec("PreToolUse", callable_path="checkrein:walk_ast")]).run("PreToolUse", {"tool_name": "x"})
    assert _native.counted() == 0


def test_sets_of_patterns() -> None:
    patterns = PatternSet(["a+", r"\bb\b", "c"])
    assert (patterns.scan("aa b"), patterns.find("aa b"), patterns.scan("x"), len(patterns)) == (2, [0, 1], 0, 3)
    assert repr(patterns) == "PatternSet(<3 patterns>)" and PatternSet([]).scan("x") == 0
    with pytest.raises(ValueError, match="regex parse error"):
        PatternSet(["("])


MIXED = [r"\b\w+\b", r"\d", r"\s+", "[^a-z]", "(?i)k", r"\W\b", "é", r"^\w", "a|b", ""]


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.text([chr(code) for code in range(9, 127) if code not in range(14, 32)]), st.text("aékK1 \nñ\u212a")))
def test_sets_of_patterns_find_what_python_finds(text: str) -> None:
    """In ASCII, where we walk an automaton, and in other text. (Record separators count as whitespace only there.)"""
    expected = [index for index, pattern in enumerate(MIXED) if re.search(pattern, text)]
    assert PatternSet(MIXED).find(text) == expected and PatternSet(MIXED).scan(text) == len(expected)


#: A set that has already scanned many texts: its cache must not affect the next one.
LEARNT = [*(pattern for pattern in MIXED if pattern.isascii()), *checkrein.patterns()]
LEARNT_SET = PatternSet(LEARNT)
LEARNT_PYTHON = [re.compile(pattern) for pattern in LEARNT]


def python_finds(text: str) -> list[int]:
    return [index for index, pattern in enumerate(LEARNT_PYTHON) if pattern.search(text)]


@settings(deadline=None, max_examples=300)
@given(st.text([chr(code) for code in range(32, 127)] + ["\n"], max_size=300))
def test_the_cache_of_a_set_is_correct(text: str) -> None:
    assert LEARNT_SET.find(text) == python_finds(text)


def test_the_cache_of_a_set_is_correct_for_similar_texts() -> None:
    """With texts that share their beginnings and then differ."""
    chosen = random.Random(8)
    pieces = ["if ", "then", "#", '"', "'", "10", ".5", "s ", "T10:00:00Z", "/a/b", " ", "\n", "$x", "build", "ERROR", "a@b.c", "_", "%"]
    texts = ["".join(chosen.choices(pieces, k=chosen.randrange(40))) for _ in range(600)]
    for text in texts:
        assert LEARNT_SET.find(text) == python_finds(text), text
    # Again, with a warm cache, and with a new set.
    for text in texts[:5]:
        assert LEARNT_SET.find(text) == PatternSet(LEARNT).find(text) == python_finds(text), text


def test_a_set_of_patterns_with_a_class_for_every_byte() -> None:
    patterns = [rf"{re.escape(chr(code))}x" for code in range(32, 127)]
    compiled, many = [re.compile(pattern) for pattern in patterns], PatternSet(patterns)
    chosen = random.Random(9)
    for _ in range(400):
        text = "".join(chosen.choices([*map(chr, range(32, 127)), "x"], weights=[1] * 95 + [60], k=50))
        assert many.find(text) == [index for index, pattern in enumerate(compiled) if pattern.search(text)]


@pytest.mark.parametrize("count", [10, 1000])
def test_sets_of_patterns_count_what_python_counts(count: int) -> None:
    patterns, text = scaling_patterns(count), scaling_text()
    assert len(text) == 805
    assert PatternSet(patterns).scan(text) == sum(1 for pattern in patterns if re.search(pattern, text))


def test_check_and_effects() -> None:
    harmless = checkrein.check("ls", cwd="/srv/shop")
    assert (harmless.decision, harmless.rules, harmless.reasons) == (Decision.ABSTAIN, [], [])
    assert "abstain" in repr(harmless)
    effects = checkrein.effects("cat notes.txt", cwd="/srv/shop")
    assert [(effect["effect"], effect["path"]) for effect in effects] == [("read", "/srv/shop/notes.txt")]


def test_check_returns_the_guards_judgement() -> None:
    command = "git push --" + "force"
    checked = checkrein.check(command, cwd="/srv/shop")
    outcome = Dispatcher().dispatch(Payload.pre_tool_use("Bash", {"command": command}, cwd="/srv/shop"))
    assert checked.decision == outcome.decision != Decision.ABSTAIN
    assert checked.rules and checked.reasons and all(rule in outcome.reason for rule in checked.rules)


def test_a_deep_command_is_counted_without_recursion() -> None:
    deep: Any = "(" * 20_000 + "a" + ")" * 20_000
    assert checkrein.walk_ast({"tool_input": {"command": deep}})["nodes"] > 0
