"""Events: a closed union of facts, each of which survives JSON."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from hypothesis import given
from pydantic import ValidationError

from handraise.core.actors import SERVICE
from handraise.core.decisions import Edit
from handraise.core.knowledge import Entry
from handraise.core.log import facts as fact_module
from handraise.core.log import installation
from handraise.core.log.facts import (
    EntryDrafted,
    EntryEdited,
    EntryMerged,
    EntryPublished,
    EntryRetired,
    EntryUsed,
    Event,
    Fact,
    HandoffMade,
    MessageReceived,
    MessageSent,
    RequestClaimed,
    RequestDecided,
    RequestDoubted,
    RequestExpired,
    RequestOpened,
    RequestReleased,
    RequestReminded,
    RequestSettled,
    RequestWithdrawn,
    RunFailed,
    RunFinished,
    RunStopped,
    SessionChanged,
    SessionCreated,
    SessionReturned,
    SessionTaken,
    TicketAnswered,
    TicketOpened,
    ToolCalled,
    ToolFinished,
    facts,
)
from handraise.core.requests import Request
from handraise.core.sessions import Session
from handraise.core.tickets import Ticket
from tests.core.json_values import OBJECTS

NOON = datetime(2026, 1, 2, 12, 0, 0, 1, tzinfo=UTC)
SESSION = Session(id="s1", agent="客服", created_at=NOON, updated_at=NOON)
REQUEST = Request(
    id="r1",
    session_id="s1",
    run_id="run-1",
    kind="approval",
    dialect="langchain",
    interrupt_id="i1",
    tool="退款",
    args={"amount": 1.0, "note": "👩🏽‍💻"},
    allowed=("approve", "edit"),
    created_at=NOON,
)
DECIDED = REQUEST.decide(Edit(args={"amount": 1}), by=SERVICE, at=NOON)
ENTRY = Entry(id="k1", question="积分规则？", answer="1 积分", created_by=SERVICE, created_at=NOON, updated_at=NOON)
TICKET = Ticket(number=7, session_id="s1", request_id="r1", question="什么时候到？", created_at=NOON)

ONE_OF_EACH: list[Fact] = [
    installation.OperatorAdded(operator_id="ada", role="lead"),
    installation.OperatorRemoved(operator_id="ada"),
    installation.OperatorAdmitted(operator_id="ada"),
    installation.OperatorDeparted(operator_id="ada"),
    installation.LinkIssued(operator_id="ada"),
    installation.KeyAdded(key_id="key_1", title="报表", scopes=("inbox",)),
    installation.KeyRevoked(key_id="key_1"),
    installation.TrailExported(filters={"session_id": "s1"}),
    installation.SessionForgotten(reason="request", up_to=7),
    installation.ContentForgotten(was="message.sent", gist={"message_id": "m1"}),
    SessionCreated(session=SESSION),
    SessionChanged(status="waiting_for_human", reason="退款"),
    MessageReceived(message_id="m1", run_id="run-1", text=""),
    MessageSent(message_id="m2", text="好的 ✅"),
    ToolCalled(tool_call_id="c1", tool="refund", args={"amount": 1.0}),
    ToolFinished(tool_call_id="c1", tool="refund", status="error", content="no"),
    RequestOpened(request=REQUEST),
    RequestClaimed(request=REQUEST),
    RequestReleased(request=REQUEST),
    RequestDecided(request=DECIDED),
    RequestExpired(request=REQUEST.expire(at=NOON)),
    RequestWithdrawn(request=REQUEST.withdraw(by=SERVICE, at=NOON)),
    RequestReminded(request=REQUEST),
    RequestDoubted(request=DECIDED.doubt()),
    RequestSettled(request=DECIDED.doubt().settle(), settlement="ran"),
    TicketOpened(ticket=TICKET),
    TicketAnswered(ticket=TICKET.reply("明天到", by=SERVICE, at=NOON)),
    SessionTaken(operator="ann"),
    SessionReturned(operator="ann"),
    HandoffMade(source="time", target="weather"),
    RunStopped(run_id="run-1"),
    RunFailed(run_id="run-1", error="boom", final=True),
    RunFinished(run_id="run-1"),
    EntryDrafted(entry=ENTRY),
    EntryPublished(entry=ENTRY.publish(at=NOON)),
    EntryEdited(entry=ENTRY.edit(at=NOON, tags=("积分",))),
    EntryMerged(entry=ENTRY.merge_into("k2", at=NOON)),
    EntryRetired(entry=ENTRY.retire(at=NOON)),
    EntryUsed(entry_id="k1", query="积分"),
]


def test_the_union_covers_every_fact_and_so_does_this_page() -> None:
    union, *_ = get_args(Fact)
    defined = {*fact_module._Fact.__subclasses__(), *installation._InstallationFact.__subclasses__()}
    assert set(get_args(union)) == defined
    assert {type(fact) for fact in ONE_OF_EACH} == defined


def test_what_the_groups_of_facts_say_they_hold_they_hold() -> None:
    union, *_ = get_args(Fact)
    carrying = {
        field: {kind for kind in get_args(union) if field in kind.model_fields} for field in ("request", "ticket")
    }
    assert set(fact_module.ABOUT_A_REQUEST) == carrying["request"]
    assert set(fact_module.ABOUT_A_TICKET) == carrying["ticket"]


@pytest.mark.parametrize("fact", ONE_OF_EACH, ids=lambda fact: fact.name)
def test_a_fact_survives_json(fact: Fact) -> None:
    text = json.dumps(facts.dump_python(fact, mode="json"), ensure_ascii=False)
    again = facts.validate_python(json.loads(text))
    assert type(again) is type(fact)
    assert again == fact
    event = Event(seq=1, session_id="s1", session_seq=1, at=NOON, actor=SERVICE, fact=fact)
    assert Event.model_validate_json(event.model_dump_json()) == event


@pytest.mark.parametrize("fact", ONE_OF_EACH, ids=lambda fact: fact.name)
def test_a_fact_is_named_for_its_class_in_the_past_tense(fact: Fact) -> None:
    assert fact.name == re.sub(r"(?<!^)([A-Z])", r".\1", type(fact).__name__).lower()
    assert re.search(r"(ed|sent|withdrawn|taken|made|forgotten)$", fact.name)


@given(OBJECTS)
def test_arguments_of_any_shape_survive_json(args: dict[str, Any]) -> None:
    called = ToolCalled(tool_call_id="c1", tool="refund", args=args)
    again = facts.validate_json(facts.dump_json(called))
    assert isinstance(again, ToolCalled)
    assert repr(again.args) == repr(args)


def test_an_unknown_fact_is_refused() -> None:
    with pytest.raises(ValidationError):
        facts.validate_python({"name": "request.vanished"})
