"""Digests: equal if and only if tool and arguments are equal, and nothing ambiguous gets one."""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handraise.core.digests import MAX_DEPTH, MAX_INTEGER, canonical, digest
from handraise.core.errors import NotCanonical
from tests.core.json_values import OBJECTS, TEXT, VALUES, equal

NAMES = st.sampled_from(["refund", "refund_", "退款"]) | TEXT


def nested(depth: int) -> Any:
    value: Any = "core"
    for _ in range(depth):
        value = [value]
    return value


@given(NAMES, OBJECTS, NAMES, OBJECTS)
@example("t", {"a": 1}, "t", {"a": 1.0})
@example("t", {"a": 1}, "t", {"a": True})
@example("t", {"a": 0.0}, "t", {"a": -0.0})
@example("t", {"a": None}, "t", {})
@example("t", {"a": "é"}, "t", {"a": "e\u0301"})
def test_two_calls_have_the_same_digest_if_and_only_if_they_are_the_same_json(
    tool: str, args: dict[str, Any], other_tool: str, other_args: dict[str, Any]
) -> None:
    same = tool == other_tool and equal(args, other_args)
    assert (digest(tool, args) == digest(other_tool, other_args)) == same


@given(NAMES, OBJECTS, st.randoms())
def test_the_order_of_keys_does_not_matter(tool: str, args: dict[str, Any], dice: Any) -> None:
    def shuffled(value: Any) -> Any:
        match value:
            case dict():
                items = [(key, shuffled(item)) for key, item in value.items()]
                dice.shuffle(items)
                return dict(items)
            case list():
                return tuple(shuffled(item) for item in value)
            case _:
                return value

    assert digest(tool, shuffled(args)) == digest(tool, args)


@given(OBJECTS)
def test_a_digest_survives_a_trip_through_json_and_changes_nothing(args: dict[str, Any]) -> None:
    before = copy.deepcopy(args)
    assert digest("tool", json.loads(json.dumps(args))) == digest("tool", args)
    assert args == before


@given(VALUES)
def test_canonical_json_is_json(value: Any) -> None:
    assert equal(json.loads(canonical(value), parse_int=float), value)


def test_anyone_can_recompute_a_digest() -> None:
    text = '{"args":{"amount":42.5,"order":"A-7"},"tool":"refund"}'
    assert digest("refund", {"order": "A-7", "amount": 42.50}) == hashlib.sha256(text.encode()).hexdigest()


def test_what_was_digested_before_excuses_nothing_that_looks_like_it() -> None:
    class Text(str):
        __slots__ = ()

    digest("tool", {"1": "a"})
    with pytest.raises(NotCanonical, match="not text"):
        digest("tool", {1: "a"})  # type: ignore[dict-item]
    with pytest.raises(NotCanonical, match="bytes"):
        digest("tool", {"1": b"a"})
    assert digest("tool", {"1": Text("a")}) == digest("tool", {"1": "a"})
    assert len({digest("tool", {"a": value}) for value in (1, True, "1", [1], "true")}) == 5


@pytest.mark.parametrize(
    ("value", "where", "what"),
    [
        ({"a": [1, float("nan")]}, "$.a[1]", "is nan, which JSON cannot express"),
        ({"a": float("inf")}, "$.a", "is inf, which JSON cannot express"),
        ({"a": float("-inf")}, "$.a", "is -inf, which JSON cannot express"),
        ({"a": {"b": "x\x00y"}}, "$.a.b", "contains a NUL character"),
        (["\ud83d"], "$[0]", "contains the lone surrogate U+D83D at position 0"),
        ({"a": "ok \udc00"}, "$.a", "contains the lone surrogate U+DC00 at position 3"),
        ({"a": MAX_INTEGER + 1}, "$.a", f"is {MAX_INTEGER + 1}, which is more than JSON readers agree on"),
        ({"a": -MAX_INTEGER - 1}, "$.a", f"is {-MAX_INTEGER - 1}, which is more than JSON readers agree on"),
        ({"a": 10**5000}, "$.a", "is an integer of more than 40 digits, which is more than JSON readers agree on"),
        ({"a": {1: 2}}, "$.a", "has the key 1, which is not text"),
        ({"a": {None: 2}}, "$.a", "has the key None, which is not text"),
        ({"a\x00": 1}, "$ (a key)", "contains a NUL character"),
        ({"\ud83d": 1}, "$ (a key)", "contains the lone surrogate"),
        ({"a": b"bytes"}, "$.a", "is of type bytes, which JSON cannot express"),
        ({"a": {1, 2}}, "$.a", "is of type set, which JSON cannot express"),
        (nested(MAX_DEPTH + 1), "$" + "[0]" * 38, "is nested deeper than 64 levels"),
    ],
    ids=lambda value: str(value)[:24] if isinstance(value, str) else "",
)
def test_what_has_no_canonical_json_is_refused_by_its_path(value: Any, where: str, what: str) -> None:
    with pytest.raises(NotCanonical) as refused:
        canonical(value)
    assert f"The value at {where}" in refused.value.what
    assert what in refused.value.what
    assert refused.value.fix
    refused.value.what.encode()


def test_the_deepest_and_the_largest_that_are_allowed() -> None:
    canonical(nested(MAX_DEPTH))
    canonical([MAX_INTEGER, -MAX_INTEGER])


def test_a_value_that_contains_itself_is_too_deep() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotCanonical, match="nested deeper"):
        digest("tool", {"loop": loop})


def test_the_tools_name_is_checked_too() -> None:
    with pytest.raises(NotCanonical, match=r"The value at \$\.tool contains a NUL"):
        digest("to\x00ol", {})
