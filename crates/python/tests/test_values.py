"""Payloads cross the boundary exactly, or are refused with their path."""

import math
from typing import Any

import pytest
from checkrein import Dispatcher, Payload
from hypothesis import given, settings
from hypothesis import strategies as st

texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.one_of(
    st.integers(),
    st.integers(min_value=-(2**70), max_value=2**70),
    st.sampled_from([0, -1, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**400, -(10**400)]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([2.0**63, 2.0**64, -(2.0**63), 1.7976931348623157e308, -0.0, 5e-324]),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner), st.dictionaries(texts, inner)), max_leaves=15
)
inputs = st.dictionaries(texts, values)


def same(left: Any, right: Any) -> bool:
    """Returns whether values and all nested types are equal: 1, 1.0 and True differ."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        return left == right and math.copysign(1, left) == math.copysign(1, right)
    return bool(left == right)


@settings(deadline=None, max_examples=100)
@given(inputs)
def test_a_hook_sees_the_exact_payload(tool_input: dict[str, Any]) -> None:
    seen: list[Any] = []
    hooks = Dispatcher(guard=False)
    hooks.add(lambda payload: seen.append(payload["tool_input"]), "PreToolUse")
    payload = Payload.pre_tool_use("tool", tool_input, extra=tool_input)
    outcome = hooks.dispatch(payload)
    assert outcome.failures == [] and same(seen[0], tool_input)
    assert outcome.payload is payload and outcome.tool_input is payload["tool_input"]


@settings(deadline=None, max_examples=100)
@given(inputs, inputs)
def test_a_rewrite_comes_out_exactly(before: dict[str, Any], after: dict[str, Any]) -> None:
    seen: list[Any] = []
    hooks = Dispatcher(guard=False)
    hooks.add(lambda payload: {"rewrite_args": after}, "PreToolUse", name="edit")
    hooks.add(lambda payload: seen.append(payload["tool_input"]), "PreToolUse", name="look")
    outcome = hooks.dispatch(Payload.pre_tool_use("tool", before))
    expected = {**before, **after}
    assert outcome.failures == []
    assert outcome.tool_input is not None and same(outcome.tool_input, expected) and same(seen[0], expected)
    assert outcome.tool_input == outcome.payload["tool_input"]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match=r"`tool_input.a\[1\]`: `(NaN|inf|-inf)` is no JSON number"):
        Dispatcher().dispatch(Payload.pre_tool_use("tool", {"a": [0, number]}))


def test_recursive_values_are_refused() -> None:
    cycle: dict[str, Any] = {}
    cycle["self"] = [cycle]
    with pytest.raises(ValueError, match="nested deeper than 128 levels, or inside of itself"):
        Dispatcher().dispatch(Payload.pre_tool_use("tool", cycle))


def test_a_lone_surrogate_is_refused() -> None:
    for wrong in ({"a": "x\ud800"}, {"\udfff": 1}):
        with pytest.raises(ValueError, match="lone surrogate"):
            Dispatcher().dispatch(Payload.pre_tool_use("tool", wrong))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"x", "`tool_input.a`: a value of type `bytes` has no place in a payload"),
        ({1: 2}, "`tool_input.a`: the key 1 is no string"),
        (object(), "`tool_input.a`: a value of type `object`"),
        ({1}, "a value of type `set`"),
    ],
)
def test_other_types_are_refused(value: Any, text: str) -> None:
    with pytest.raises(TypeError) as error:
        Dispatcher().dispatch(Payload.pre_tool_use("tool", {"a": value}))
    assert text in str(error.value)


def test_tuples_and_subclasses_are_converted() -> None:
    class Text(str):
        pass

    class Whole(int):
        pass

    seen: list[Any] = []
    hooks = Dispatcher(guard=False)
    hooks.add(lambda payload: seen.append(payload["tool_input"]), "PreToolUse")
    hooks.dispatch(Payload.pre_tool_use("tool", {"a": (1, Text("b")), "c": Whole(3)}))
    assert same(seen[0], {"a": [1, "b"], "c": 3})


def test_a_command_sees_large_integers_as_floats(tmp_path: Any) -> None:
    (tmp_path / "hooks.toml").write_text(
        '[[hook]]\nevent = "PreToolUse"\ncwd = "config"\ncommand = "cat > seen"\n'
    )
    import json

    Dispatcher.from_config(tmp_path / "hooks.toml").dispatch(
        Payload.pre_tool_use("tool", {"a": 2**64, "b": 2**64 - 1, "c": 0.1})
    )
    seen = json.loads((tmp_path / "seen").read_text())["tool_input"]
    assert seen == {"a": float(2**64), "b": 2**64 - 1, "c": 0.1}
