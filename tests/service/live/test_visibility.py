"""What a customer may see: said of every fact, closed by default."""

from __future__ import annotations

from typing import Any

import pytest

from handraise.core.actors import SERVICE
from handraise.core.log.facts import Event, Fact, RunFailed, SessionChanged, ToolCalled, ToolFinished
from handraise.core.requests import Audience
from handraise.service.live.visibility import BACKSTAGE, for_customer, seen_by_customer
from tests.core.test_events import NOON, ONE_OF_EACH

SHOWN = {
    "session.created", "session.taken", "session.returned", "session.forgotten", "handoff.made", "message.received",
    "message.sent", "tool.called", "tool.finished", "run.stopped", "run.finished",
}  # fmt: skip
TRIMMED = {"run.failed", "session.changed"}


@pytest.mark.parametrize("fact", ONE_OF_EACH, ids=lambda fact: fact.name)
def test_a_customer_sees_their_conversation_and_nothing_behind_it(fact: Fact) -> None:
    seen = for_customer(fact)

    if fact.name in SHOWN:
        assert seen == fact
    elif fact.name in TRIMMED:
        assert type(seen) is type(fact)
        assert seen != fact
    else:
        assert seen is None


@pytest.mark.parametrize("audience", ["customer", "operator"])
def test_a_customer_sees_the_requests_that_they_confirm_and_no_operators(audience: Audience) -> None:
    of_requests = [fact for fact in ONE_OF_EACH if hasattr(fact, "request")]
    assert len(of_requests) == 9
    for fact in of_requests:
        theirs = fact.model_copy(update={"request": fact.request.model_copy(update={"audience": audience})})
        assert for_customer(theirs) == (theirs if audience == "customer" else None)


@pytest.mark.parametrize("tool", sorted(BACKSTAGE))
def test_what_an_operator_is_asked_and_answers_stays_backstage(tool: str) -> None:
    for marked, name in ((False, tool), (True, "another")):
        called = ToolCalled(tool_call_id="c1", tool=name, args={}, backstage=marked)
        finished = ToolFinished(tool_call_id="c1", tool=name, status="success", content="", backstage=marked)
        assert for_customer(called) is None
        assert for_customer(finished) is None


def test_what_went_wrong_inside_is_not_told_but_that_it_did_is() -> None:
    failed = RunFailed(run_id="run-1", error="KeyError: 'sk-live-1'", final=True)
    event = Event(seq=7, session_id="s1", session_seq=3, at=NOON, actor=SERVICE, fact=failed)

    seen = seen_by_customer(event)

    assert seen == event.model_copy(update={"fact": RunFailed(run_id="run-1", error="", final=True)})
    assert for_customer(SessionChanged(status="error", reason="KeyError")) == SessionChanged(status="error")


def test_a_fact_that_nobody_placed_is_refused_and_not_shown() -> None:
    class MoonEclipsed:
        name = "moon.eclipsed"

    fact: Any = MoonEclipsed()
    with pytest.raises(AssertionError, match="Expected code to be unreachable"):
        for_customer(fact)


def test_no_fact_inherits_from_another_so_that_none_is_taken_for_another() -> None:
    assert {type(fact).__mro__[1].__name__ for fact in ONE_OF_EACH} == {"_Fact", "_InstallationFact"}
