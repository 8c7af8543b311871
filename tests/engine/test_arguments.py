"""Edits and answers against their schema, before anything is stored."""

from __future__ import annotations

from typing import Any

import pytest

from handraise.core.decisions import Edit, Respond
from handraise.core.errors import InvalidDecision
from handraise.engine.desk.decision_checks import check_answer, check_edit
from tests.store.samples import a_request

SCHEMA = {
    "type": "object",
    "properties": {
        "day": {"type": "string", "minLength": 3},
        "slot": {"type": "object", "properties": {"hour": {"type": "integer"}}, "required": ["hour"]},
    },
    "required": ["day"],
}
FITTING = {"day": "Monday", "slot": {"hour": 9}}


def test_an_edit_that_does_not_fit_names_every_field() -> None:
    request = a_request(args_schema=SCHEMA)

    assert check_edit(request, Edit(args=FITTING)).args == FITTING
    with pytest.raises(InvalidDecision) as refused:
        check_edit(request, Edit(args={"day": "Mo", "slot": {"hour": "nine"}}))
    assert {each["field"] for each in refused.value.details["fields"]} == {"day", "slot.hour"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "answer",
    [
        {"data": {"day": "Mo"}},
        {"data": []},
        {"text": "on Monday"},
        {"text": '{"day": 1}'},
        {"text": "x", "data": {}},
        {"selected_option": "A"},
    ],
)
def test_an_answer_that_does_not_fit_its_form_is_refused(answer: dict[str, Any]) -> None:
    with pytest.raises(InvalidDecision, match="does not fit its form"):
        check_answer(a_request(kind="question", args_schema=SCHEMA), Respond(**answer))


@pytest.mark.parametrize("answer", [{"data": FITTING}, {"text": '{"day": "Monday"}'}])
def test_an_answer_that_fits_is_data_or_json(answer: dict[str, Any]) -> None:
    given = Respond(**answer)

    assert check_answer(a_request(kind="question", args_schema=SCHEMA), given) is given


def test_a_text_fits_a_question_that_asks_for_text_or_for_nothing_in_particular() -> None:
    given = Respond(text="yes")

    assert check_answer(a_request(kind="question", args_schema={"type": "string"}), given) is given
    assert check_answer(a_request(kind="question"), given) is given


def test_what_is_said_in_a_tools_place_need_not_fit_its_arguments() -> None:
    given = Respond(text="not today")

    assert check_answer(a_request(args_schema=SCHEMA), given) is given
