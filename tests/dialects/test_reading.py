"""The edges of the dialects: what they refuse to say, and what they read in spite of everything."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from handraise.core.actors import Actor
from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.core.errors import InvalidDecision, NotFound, Unspeakable
from handraise.core.masking import MASK
from handraise.core.requests import Request
from handraise.dialects.chat_agent import read_answer
from handraise.dialects.dialect import RULINGS, PauseContext, RawInterrupt
from handraise.dialects.registry import dialect_named, offered, read_requests, write_resume

AT = datetime(2030, 1, 1, tzinfo=UTC)
ASKED = PauseContext(session_id="session", run_id="run", at=AT, schemas={"refund": {"type": "object"}})

INBOX_ITEM: dict[str, Any] = {
    "action_request": {"action": "refund", "args": {"amount": 1}},
    "config": {"allow_accept": True, "allow_edit": True, "allow_respond": True},
}
QUESTION = {"question": "How much?", "question_type": "information_query"}
CALLS = {"tool_calls": [{"id": "c1", "name": "search", "args": {"q": 1}}, {"id": "c2", "name": "search", "args": {}}]}


def read(value: Any) -> list[Request]:
    return read_requests(RawInterrupt(id="interrupt", value=value), asked=ASKED)


def forced(request: Request, decision: Approve | Edit | Reject | Respond) -> Request:
    """Return the request decided by a word that it does not offer."""
    return request.model_copy(update={"allowed": (decision.type,)}).decide(decision, by=Actor(kind="operator"), at=AT)


@pytest.mark.parametrize(
    ("value", "decision", "dialect"),
    [
        (INBOX_ITEM, Reject(reason="no"), "agent_inbox"),
        ([INBOX_ITEM], Reject(reason="no"), "agent_inbox.list"),
        (QUESTION, Approve(), "human_request"),
        (QUESTION, Edit(args={}), "human_request"),
        (QUESTION, Reject(), "human_request"),
        (CALLS, Respond(text="found"), "chat_agent"),
        ("Go on?", Approve(), "free_form"),
    ],
)
def test_what_a_dialect_cannot_say_is_refused_with_the_dialect_and_the_word(
    value: Any, decision: Approve | Edit | Reject | Respond, dialect: str
) -> None:
    requests = [forced(request, decision) for request in read(value)]

    with pytest.raises(Unspeakable) as refused:
        write_resume(requests)

    assert (refused.value.dialect, refused.value.word) == (dialect, decision.type)
    assert offered(requests[0]) == ()


@pytest.mark.parametrize(
    "value",
    [
        {"action_requests": [3]},
        {"action_requests": []},
        {"action_requests": [{"args": {}}]},
        {"action_requests": [{"name": "refund", "args": "all"}]},
        {"action_requests": [{"name": "refund", "args": {"amount": float("nan")}}]},
        {"action_requests": [{"name": "refund", "args": {}}], "review_configs": "all"},
        {
            "action_requests": [{"name": "refund", "args": {}}],
            "review_configs": [{"action_name": "refund", "allowed_decisions": ["maybe"]}],
        },
        {
            "action_requests": [{"name": "refund", "args": {}}],
            "review_configs": [{"action_name": "refund", "allowed_decisions": []}],
        },
        {"type": "tool_approval", "name": None},
        {**INBOX_ITEM, "config": {}},
        {"question": "?", "question_type": "gossip"},
        {"question": "half a character: \ud800", "question_type": "knowledge_gap"},
        {"tool_calls": [1]},
        [],
        None,
        object(),
    ],
)
def test_a_malformed_interrupt_is_a_free_form_question(value: Any) -> None:
    (request,) = read(value)

    assert (request.dialect, request.kind) == ("free_form", "question")
    assert request.question
    request.model_dump_json().encode()


def test_an_interrupt_whose_repr_fails_is_still_read() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    (request,) = read(Broken())

    assert request.question == "<Broken>"


def test_an_optional_field_that_does_not_fit_is_passed_over() -> None:
    action = {"name": "refund", "args": {}, "deadline": "soon", "lineage": 3, "schema": [], "tool_call_id": 9}

    (request,) = read({"action_requests": [action]})

    assert (request.dialect, request.deadline, request.tool_call_id) == ("langchain", None, "")
    assert request.args_schema == {"type": "object"}, "the agent's own schema is used instead"


@pytest.mark.parametrize("field", ["schema", "args_schema"])
def test_a_schema_that_comes_with_a_call_is_preferred(field: str) -> None:
    (request,) = read({"action_requests": [{"name": "refund", "args": {}, field: {"title": "Refund"}}]})

    assert request.args_schema == {"title": "Refund"}


def test_data_that_answers_a_langchain_call_becomes_its_json() -> None:
    (request,) = read({"type": "tool_approval", "name": "refund", "args": {}, "tool_call_id": "c", "description": ""})
    decided = request.decide(Respond(data={"found": "无"}), by=Actor(kind="operator"), at=AT)

    assert write_resume([decided]) == {"type": "respond", "message": '{"found": "无"}'}


def test_options_with_the_same_id_make_a_free_form_question() -> None:
    (request,) = read({**QUESTION, "options": [{"id": "A", "label": "one"}, {"id": "A", "label": "two"}]})

    assert request.dialect == "free_form"


def test_a_chat_answer_without_ids_is_matched_by_name_and_order() -> None:
    first, second = read(CALLS)

    taken = read_answer(
        {"approved": True, "tool_calls": [{"name": "search", "args": {"q": 1}}, {"name": "search", "args": {"q": 2}}]},
        requests=[second, first],
    )

    assert taken == {first.id: Approve(), second.id: Edit(args={"q": 2})}


def test_a_chat_answer_is_matched_by_id_before_order() -> None:
    first, second = read(CALLS)

    taken = read_answer(
        {"approved": True, "tool_calls": [{"id": "c2", "name": "search", "args": {}}]}, requests=[first, second]
    )

    assert taken == {second.id: Approve()}, "the call that was not named stays open"


@pytest.mark.parametrize(("approved", "decision"), [(True, Approve()), (False, Reject())])
def test_a_bare_chat_answer_speaks_of_every_call(approved: bool, decision: Approve | Reject) -> None:
    requests = read(CALLS)

    assert read_answer({"approved": approved}, requests=requests) == {request.id: decision for request in requests}


@pytest.mark.parametrize(
    "answer",
    [
        "yes",
        {},
        {"approved": "yes"},
        {"approved": 1},
        {"approved": True, "tool_calls": [{"id": "c9", "name": "search", "args": {}}]},
        {"approved": True, "tool_calls": [{"id": "c1", "name": "delete_all", "args": {}}]},
        {"approved": True, "tool_calls": [{"id": "c1", "name": "search"}, {"id": "c1", "name": "search"}]},
    ],
)
def test_a_chat_answer_that_fits_no_waiting_call_is_refused(answer: Any) -> None:
    with pytest.raises(InvalidDecision):
        read_answer(answer, requests=read(CALLS))


@pytest.mark.parametrize("args", [{}, {"args": None}], ids=["absent", "null"])
@pytest.mark.parametrize("named", [{"id": "c1", "name": "search"}, {"name": "search"}], ids=["by id", "by name"])
def test_a_chat_answer_without_arguments_approves_the_call_as_shown(named: Any, args: Any) -> None:
    first, second = read(CALLS)

    assert first.args
    taken = read_answer({"approved": True, "tool_calls": [{**named, **args}]}, requests=[first, second])

    assert taken == {first.id: Approve()}


def test_a_chat_answer_with_empty_arguments_is_an_edit() -> None:
    first, second = read(CALLS)

    taken = read_answer(
        {"approved": True, "tool_calls": [{"id": "c1", "name": "search", "args": {}}]}, requests=[first, second]
    )

    assert taken == {first.id: Edit(args={})}


def test_a_rejection_that_names_a_call_leaves_the_others_open() -> None:
    first, second = read(CALLS)

    answer = {"approved": False, "tool_calls": [{"id": "c1", "name": "search"}], "reason": "not now"}

    assert read_answer(answer, requests=[first, second]) == {first.id: Reject(reason="not now")}


def test_a_call_sent_back_as_it_was_shown_is_approved_although_its_secret_was_masked() -> None:
    first, second = read(CALLS)
    shown = first.model_copy(update={"args": {"q": MASK}})

    def taken(args: Any) -> Any:
        answer = {"approved": True, "tool_calls": [{"id": "c1", "name": "search", "args": args}]}
        return read_answer(answer, requests=[shown, second])[first.id]

    assert taken({"q": MASK}) == Approve()
    assert taken(first.args) == Approve()
    assert taken({"q": "other"}) == Edit(args={"q": "other"})


def test_an_approval_of_nothing_is_refused_and_not_taken_for_an_approval_of_everything() -> None:
    requests = read(CALLS)

    with pytest.raises(InvalidDecision, match=r"names no call that shall run.*leave `tool_calls` out"):
        read_answer({"approved": True, "tool_calls": []}, requests=requests)

    everything = {request.id: Approve() for request in requests}
    assert read_answer({"approved": True, "tool_calls": None}, requests=requests) == everything
    nothing = {request.id: Reject() for request in requests}
    assert read_answer({"approved": False, "tool_calls": []}, requests=requests) == nothing


def test_a_question_is_shown_without_the_notes_that_gates_keep_on_it() -> None:
    notes = {RULINGS: [["task", "gate", "call", "digest"]]}
    form = {"type": "object", "properties": {"day": {"type": "string"}}}

    def schema_shown(response_schema: Any) -> Any:
        raw = RawInterrupt(id="interrupt", value="Which day?", response_schema=response_schema)
        (request,) = read_requests(raw, asked=ASKED)
        return request.args_schema

    assert schema_shown(notes) is None
    assert schema_shown({**form, **notes}) == form


def test_an_unknown_dialect_is_named() -> None:
    with pytest.raises(NotFound, match="klingon"):
        dialect_named("klingon")
