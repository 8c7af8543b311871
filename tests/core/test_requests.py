"""Requests: every rule about answering one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.core.actors import CLOCK, SERVICE, Actor
from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.core.digests import digest
from handraise.core.errors import AlreadySettled, ClaimedByAnother, DecisionNotAllowed, InvalidDecision, NotCanonical
from handraise.core.requests import Option, Request, request_id
from tests.core.json_values import OBJECTS, TEXT

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
LATER = NOON + timedelta(minutes=5)
ANN = Actor(kind="operator", id="ann", channel="console")
BEN = Actor(kind="operator", id="ben")
ARGS = {"order": "A-7", "amount": 42.5}


def a_request(**changes: Any) -> Request:
    return Request.model_validate(
        {
            "id": "r1",
            "session_id": "s1",
            "run_id": "run-1",
            "kind": "approval",
            "dialect": "langchain",
            "interrupt_id": "i1",
            "tool": "refund",
            "args": ARGS,
            "digest": digest("refund", ARGS),
            "allowed": ("approve", "edit", "reject", "respond"),
            "created_at": NOON,
            **changes,
        }
    )


def a_question(**changes: Any) -> Request:
    options = (Option(id="yes", label="可以"), Option(id="no", label="不可以"))
    return a_request(kind="question", allowed=("respond",), options=options, **changes)


def test_a_decision_says_what_who_and_when_and_ends_the_claim() -> None:
    request = a_request(claimed_by="ann", claim_until=LATER)
    decided = request.decide(Approve(), by=ANN, at=NOON)
    assert (decided.status, decided.decision, decided.decided_by, decided.decided_at) == (
        "decided",
        Approve(),
        ANN,
        NOON,
    )
    assert (decided.claimed_by, decided.claim_until, decided.version) == (None, None, request.version + 1)
    assert request.status == "open", "the request itself is frozen"


def test_the_clock_and_the_service_close_without_a_decision() -> None:
    expired = a_request(claimed_by="ann", claim_until=LATER).expire(at=LATER)
    assert (expired.status, expired.decided_by, expired.decision) == ("expired", CLOCK, None)
    withdrawn = a_request().withdraw(by=SERVICE, at=LATER)
    assert (withdrawn.status, withdrawn.decided_by, withdrawn.decision) == ("withdrawn", SERVICE, None)
    assert expired.approved_digest is None
    assert withdrawn.approved_digest is None


def test_a_late_answer_is_told_who_was_first() -> None:
    decided = a_request().decide(Reject(reason="no"), by=ANN, at=NOON)
    with pytest.raises(AlreadySettled) as late:
        decided.decide(Approve(), by=BEN, at=LATER)
    assert late.value.what == "Request r1 is already decided by operator ann at 2026-01-02T12:00:00+00:00."
    assert late.value.details == {
        "request_id": "r1",
        "status": "decided",
        "by": "operator ann",
        "at": "2026-01-02T12:00:00+00:00",
    }


def test_a_closed_request_is_reported_before_anything_else_is_checked() -> None:
    decided = a_question().decide(Respond(text="yes"), by=ANN, at=NOON)
    with pytest.raises(AlreadySettled):
        decided.decide(Approve(), by=BEN, at=LATER)


def test_another_operators_claim_holds_until_it_ends() -> None:
    claimed = a_request(claimed_by="ann", claim_until=LATER)
    with pytest.raises(ClaimedByAnother, match="Request r1 is claimed by ann until 2026-01-02 12:05:00 UTC"):
        claimed.decide(Approve(), by=BEN, at=NOON)
    assert claimed.decide(Approve(), by=ANN, at=NOON).decided_by == ANN
    assert claimed.decide(Approve(), by=BEN, at=LATER).decided_by == BEN


def test_a_claim_holds_back_operators_but_not_the_customer_or_the_clock() -> None:
    claimed = a_request(audience="customer", claimed_by="ann", claim_until=LATER)
    customer = Actor(kind="customer", id="wang")
    assert claimed.decide(Approve(), by=customer, at=NOON).decided_by == customer
    assert claimed.expire(at=NOON).status == "expired"


@pytest.mark.parametrize("decision", [Approve(), Edit(args={}), Reject(), Respond(text="hi")], ids=lambda one: one.type)
def test_only_offered_kinds_are_taken(decision: Approve | Edit | Reject | Respond) -> None:
    others = tuple(kind for kind in ("approve", "edit", "reject", "respond") if kind != decision.type)
    with pytest.raises(DecisionNotAllowed, match=f"Request r1 does not take '{decision.type}'") as refused:
        a_request(allowed=others).decide(decision, by=ANN, at=NOON)
    assert refused.value.fix == f"Answer with one of: {', '.join(others)}."
    assert refused.value.details == {"allowed": list(others)}
    assert a_request(allowed=(decision.type,)).decide(decision, by=ANN, at=NOON).decision == decision


def test_an_option_must_be_one_that_was_offered() -> None:
    with pytest.raises(
        InvalidDecision, match=r"Request r1 offers no option 'maybe'\. Choose one of: yes, no\."
    ) as refused:
        a_question().decide(Respond(selected_option="maybe"), by=ANN, at=NOON)
    assert refused.value.details == {"options": ["yes", "no"]}
    with pytest.raises(InvalidDecision, match="Answer in text instead"):
        a_request().decide(Respond(selected_option="yes"), by=ANN, at=NOON)
    assert a_question().decide(Respond(selected_option="no"), by=ANN, at=NOON).status == "decided"


@pytest.mark.parametrize("text", ["", "  \n\t", "\u3000"])
def test_an_empty_answer_is_no_answer(text: str) -> None:
    with pytest.raises(InvalidDecision, match="The answer is empty"):
        a_question().decide(Respond(text=text), by=ANN, at=NOON)


@pytest.mark.parametrize("data", [{"n": 1}, [], 0, False, ""])
def test_data_alone_is_an_answer(data: Any) -> None:
    assert a_question().decide(Respond(data=data), by=ANN, at=NOON).status == "decided"


@pytest.mark.parametrize(
    ("decision", "where"),
    [
        (Edit(args={"amount": float("nan")}), "$.args.amount"),
        (Edit(args={"note": "a\x00"}), "$.args.note"),
        (Reject(reason="a\x00"), "$.reason"),
        (Reject(reason="\ud83d"), "$.reason"),
        (Respond(text="a\x00"), "$.text"),
        (Respond(text="a", data={"n": float("inf")}), "$.data.n"),
    ],
)
def test_an_answer_without_canonical_json_is_refused_by_its_field(
    decision: Edit | Reject | Respond, where: str
) -> None:
    with pytest.raises(NotCanonical) as refused:
        a_request().decide(decision, by=ANN, at=NOON)
    assert f"The value at {where} " in refused.value.what


@given(OBJECTS)
def test_what_may_run_is_what_was_approved(args: dict[str, Any]) -> None:
    request = a_request()
    assert request.approved_digest is None
    assert request.decide(Approve(), by=ANN, at=NOON).approved_digest == request.digest
    assert request.decide(Edit(args=args), by=ANN, at=NOON).approved_digest == digest("refund", args)
    assert request.decide(Reject(), by=ANN, at=NOON).approved_digest is None
    assert request.decide(Respond(text="done by hand"), by=ANN, at=NOON).approved_digest is None


@given(st.tuples(TEXT, TEXT, st.integers(0, 99)), st.tuples(TEXT, TEXT, st.integers(0, 99)))
def test_a_requests_id_says_where_it_was_asked_and_nothing_else(
    one: tuple[str, str, int], other: tuple[str, str, int]
) -> None:
    ids = [request_id(session_id=place[0], interrupt_id=place[1], position=place[2]) for place in (one, other)]
    assert (ids[0] == ids[1]) == (one == other)
    assert all(len(derived) == 28 for derived in ids)


@pytest.mark.parametrize(
    ("before", "after", "edited"),
    [
        ({"n": 1}, {"n": 1.0}, ()),
        ({"n": 1}, {"n": True}, ("n",)),
        ({"n": 0}, {"n": False}, ("n",)),
        ({"n": 1}, {"n": "1"}, ("n",)),
        ({"n": [1, {"m": 2}]}, {"n": [1.0, {"m": 2.0}]}, ()),
        ({"n": None}, {}, ("n",)),
        ({}, {"n": None}, ("n",)),
        ({"b": 1, "a": 1, "c": 1}, {"c": 1, "a": 2}, ("a", "b")),
    ],
)
def test_an_edit_changed_what_the_digest_says_it_changed(
    before: dict[str, Any], after: dict[str, Any], edited: tuple[str, ...]
) -> None:
    decided = a_request(args=before).decide(Edit(args=after), by=ANN, at=NOON)

    assert decided.edited_fields == edited
    assert (digest("refund", before) == digest("refund", after)) is (edited == ())


@given(OBJECTS, OBJECTS)
def test_nothing_was_edited_exactly_when_the_call_is_the_same(before: dict[str, Any], after: dict[str, Any]) -> None:
    decided = a_request(args=before).decide(Edit(args=after), by=ANN, at=NOON)
    assert (not decided.edited_fields) is (digest("refund", before) == digest("refund", after))


def test_only_an_edit_edits() -> None:
    assert a_request().edited_fields == ()
    assert a_request().decide(Approve(), by=ANN, at=NOON).edited_fields == ()


@given(OBJECTS)
def test_a_request_survives_json(args: dict[str, Any]) -> None:
    decided = a_request(args=args).decide(Edit(args=args), by=ANN, at=NOON)
    assert Request.model_validate_json(decided.model_dump_json()) == decided
