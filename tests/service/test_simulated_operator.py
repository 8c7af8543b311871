"""A simulated operator at a running service decides over HTTP, as a program with a key does."""

from __future__ import annotations

import httpx
import pytest

from handraise.core.errors import Misconfigured, Unavailable
from handraise.testing import Approve, Reject, Respond, ServiceOperator, by_tool
from tests.patience import PATIENCE
from tests.service.desk import RunningDesk
from tests.service.talking import chat, content, picked_up, until

ANSWERS = by_tool({"refund": Approve()}, questions=Respond(text="On Tuesday."))


def test_what_is_asked_is_answered_and_the_agent_carries_on(desk: RunningDesk, customer: httpx.Client) -> None:
    operator = ServiceOperator(ANSWERS, url=desk.address, key=desk.key)
    session, _ = chat(customer, "refund")

    [closed] = operator.answer_next(session_id=session, within=PATIENCE)

    assert (closed.tool, closed.status) == ("refund", "decided")
    assert operator.closed == [closed]
    assert until(lambda: "refunded 12345" in content(picked_up(customer, session)))
    assert operator.answer_open(session_id=session) == []


def test_an_operator_at_work_answers_what_is_asked_meanwhile(desk: RunningDesk, customer: httpx.Client) -> None:
    operator = ServiceOperator(ANSWERS, url=desk.address, key=desk.key)
    session, _ = chat(customer, "hello")

    with operator.at_work(session_id=session):
        chat(customer, "什么时候发货", session)
        assert until(lambda: "On Tuesday." in content(picked_up(customer, session)))

    assert [request.question_type for request in operator.closed] == ["information_query"]


def test_an_error_of_an_operator_at_work_reaches_the_test(desk: RunningDesk, customer: httpx.Client) -> None:
    session, _ = chat(customer, "refund")
    unprepared = ServiceOperator(by_tool({"transfer": Approve()}), url=desk.address, key=desk.key)

    with pytest.raises(Misconfigured, match="no answer to a call of 'refund'"), unprepared.at_work(session_id=session):
        until(lambda: not _at_work())

    ServiceOperator(Reject(), url=desk.address, key=desk.key).answer_open(session_id=session)


def test_what_a_service_refuses_is_an_error_that_says_why(desk: RunningDesk) -> None:
    with pytest.raises(Misconfigured, match="refused GET /api/v1/requests with 401"):
        ServiceOperator(ANSWERS, url=desk.address, key="none").answer_open()
    with pytest.raises(Unavailable, match="does not answer"):
        ServiceOperator(ANSWERS, url="http://127.0.0.1:9", key=desk.key).answer_open()


def test_an_operator_who_is_asked_nothing_gives_up(desk: RunningDesk, customer: httpx.Client) -> None:
    session, _ = chat(customer, "hello")

    with pytest.raises(Unavailable, match=r"Nothing was asked within 0.1 seconds"):
        ServiceOperator(ANSWERS, url=desk.address, key=desk.key).answer_next(session_id=session, within=0.1)


def _at_work() -> bool:
    import threading

    return any(thread.name == "handraise-simulated-operator" for thread in threading.enumerate())
