"""Decisions: four kinds, read from plain data or refused with the field that is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from handraise.core.decisions import DECISION_KINDS, Approve, Edit, Reject, Respond, parse_decision
from handraise.core.errors import InvalidDecision
from tests.core.json_values import OBJECTS, VALUES


@pytest.mark.parametrize(
    ("value", "decision"),
    [
        ({"type": "approve"}, Approve()),
        ({"type": "edit", "args": {"amount": 1.0}}, Edit(args={"amount": 1.0})),
        ({"type": "reject"}, Reject(reason="")),
        ({"type": "reject", "reason": "太贵"}, Reject(reason="太贵")),
        ({"type": "respond", "text": "hi"}, Respond(text="hi")),
        ({"type": "respond", "selected_option": "a", "data": [1]}, Respond(selected_option="a", data=[1])),
    ],
)
def test_a_decision_is_read_from_plain_data(value: Any, decision: Any) -> None:
    assert parse_decision(value) == decision
    assert parse_decision(decision.model_dump(mode="json")) == decision
    assert parse_decision(decision) == decision


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (None, "the decision"),
        ("approve", "the decision"),
        ([], "the decision"),
        ({}, "the decision"),
        ({"type": "accept"}, "the decision"),
        ({"type": "approve", "args": {}}, "approve.args"),
        ({"type": "edit"}, "edit.args"),
        ({"type": "edit", "args": []}, "edit.args"),
        ({"type": "edit", "args": {}, "tool": "other"}, "edit.tool"),
        ({"type": "reject", "reason": 5}, "reject.reason"),
        ({"type": "respond", "text": None}, "respond.text"),
    ],
)
def test_a_decision_that_does_not_fit_is_refused_by_its_field(value: Any, where: str) -> None:
    with pytest.raises(InvalidDecision) as refused:
        parse_decision(value)
    assert refused.value.what.startswith(f"The decision does not fit: {where}: ")
    assert all(kind in refused.value.fix for kind in DECISION_KINDS)
    assert refused.value.__cause__ is None


@given(VALUES)
def test_nothing_but_a_decision_or_a_refusal_comes_out(value: Any) -> None:
    with pytest.raises(InvalidDecision):
        parse_decision(value)


@given(OBJECTS)
def test_a_number_stays_the_number_it_was(args: dict[str, Any]) -> None:
    assert repr(parse_decision({"type": "edit", "args": args}).model_dump()["args"]) == repr(args)
