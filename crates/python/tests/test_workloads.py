"""The built-in functions, and that our two workloads count what Python counts."""

import re
from typing import Any

import checkrein
import pytest
import tree_sitter
import tree_sitter_bash
from checkrein import Decision, Dispatcher, PatternSet, Payload
from hypothesis import given, settings
from hypothesis import strategies as st

from workloads import PAYLOAD, haystack, regex_count, scaling_patterns, scaling_text

# Valid ones: how a reader mends what is broken changes with its version.
scripts = st.lists(
    st.sampled_from(
        ["ls -la /tmp", "a | b", "x=$(pwd)", "for i in 1 2; do echo $i; done", "if a; then b; fi", "é", "cat <x >y", "(a; b) && c"]
    )
).map("\n".join)


def ast_count(command: str) -> int:
    """The node count, walked in Python."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    todo, count = [parser.parse(command.encode()).root_node], 0
    while todo:
        node = todo.pop()
        count += 1
        todo.extend(node.children)
    return count


def test_the_payload_is_the_ancestors() -> None:
    import json

    assert 2300 <= len(json.dumps(PAYLOAD)) <= 2400
    assert 100 <= len(checkrein.patterns()) <= 110
    assert all(re.compile(pattern) for pattern in checkrein.patterns())


def test_parity_on_the_ancestors_payload() -> None:
    assert checkrein.scan_regex(PAYLOAD) == {"decision": "allow", "matches": regex_count(haystack(PAYLOAD))}
    command = PAYLOAD["tool_input"]["command"]
    assert checkrein.walk_ast(PAYLOAD) == {"decision": "allow", "nodes": ast_count(command)}


@settings(deadline=None, max_examples=60)
@given(scripts, st.text([chr(code) for code in range(9, 127) if code not in range(14, 32)], max_size=200))
def test_parity(command: str, output: str) -> None:
    payload = {**Payload.pre_tool_use("Bash", {"command": command, "n": 3}), "tool_output": output}
    assert checkrein.scan_regex(payload)["matches"] == regex_count(haystack(payload))
    assert checkrein.walk_ast(payload)["nodes"] == ast_count(command)


def test_nothing_to_look_at() -> None:
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
    """In a text that is ASCII, where an automaton is walked, and in others. (Separators of records are blanks only there.)"""
    expected = [index for index, pattern in enumerate(MIXED) if re.search(pattern, text)]
    assert PatternSet(MIXED).find(text) == expected and PatternSet(MIXED).scan(text) == len(expected)


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
    assert [(effect["does"], effect["path"]) for effect in effects] == [("read", "/srv/shop/notes.txt")]


def test_a_check_is_what_the_guard_says() -> None:
    command = "git push --" + "force"
    checked = checkrein.check(command, cwd="/srv/shop")
    outcome = Dispatcher().dispatch(Payload.pre_tool_use("Bash", {"command": command}, cwd="/srv/shop"))
    assert checked.decision == outcome.decision != Decision.ABSTAIN
    assert checked.rules and all(reason in outcome.reason for reason in checked.reasons[:1])


def test_a_deep_command_is_counted_without_a_stack() -> None:
    deep: Any = "(" * 20_000 + "a" + ")" * 20_000
    assert checkrein.walk_ast({"tool_input": {"command": deep}})["nodes"] > 0
