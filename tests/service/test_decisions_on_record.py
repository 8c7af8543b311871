"""Whoever decides, and by whichever route, the trail says who, what, when, from where, before and after, and why."""

from __future__ import annotations

from typing import Any

import httpx

from tests.service.desk import RunningDesk
from tests.service.talking import chat, only, stream, until

Event = dict[str, Any]


def on_record(operator: httpx.Client, session_id: str, name: str = "request.decided") -> Event:
    """Return the one event of that name which a session's trail has."""

    def found() -> list[Event]:
        page = operator.get("/api/v1/audit", params={"session_id": session_id, "name": name}).json()
        return list(page["items"])

    [event] = until(found)
    assert event["at"].endswith("Z")
    assert len(event["hash"]) == 64
    return dict(event)


def decision_of(event: Event) -> tuple[str, str, str, Any]:
    """Return who decided, from where, and what; it must be the same in the event, in its gist and in the request."""
    request = event["fact"]["request"]
    assert request["decided_by"] == event["actor"]
    assert request["decision"]["type"] == event["gist"]["decision"]
    assert request["decided_at"] <= event["at"]
    assert event["gist"]["ruling"] == ("ask" if request["kind"] == "approval" else None)
    return event["actor"]["kind"], event["actor"]["id"], event["actor"]["channel"], request["decision"]


def waiting(customer: httpx.Client, text: str) -> tuple[str, str]:
    session_id, frames = chat(customer, text)
    return session_id, str(only(frames, "waiting")["request_id"])


def test_an_operator_edits_with_a_key(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = waiting(customer, "refund")
    operator.post(f"/api/v1/requests/{request_id}/decision", json={"type": "edit", "args": {"order_id": "777"}})
    event = on_record(operator, session_id)
    assert decision_of(event) == ("operator", "admin", "api", {"type": "edit", "args": {"order_id": "777"}})
    assert event["fact"]["request"]["args"] == {"order_id": "12345"}
    assert event["gist"]["edited"] == ["order_id"]


def test_an_operator_rejects_in_the_console(desk: RunningDesk, customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = waiting(customer, "refund")
    with desk.visitor() as browser:
        link = desk.sign_in_link or operator.base_url
        browser.get(str(link))
        said = {"type": "reject", "reason": "Too old."}
        answer = browser.post(f"/api/v1/requests/{request_id}/decision", json=said)
    if answer.status_code == 200:
        assert decision_of(on_record(operator, session_id)) == ("operator", "admin", "console", said)
        signed_in = operator.get("/api/v1/audit", params={"name": "operator.admitted"}).json()["items"]
        assert signed_in[0]["gist"] == {"operator_id": "admin"}
    else:
        assert answer.status_code == 401, "the link works once, and another test was first"


def test_one_answer_for_all_is_on_record_for_each(customer: httpx.Client, operator: httpx.Client) -> None:
    asked = [waiting(customer, "我的订单什么时候发货?") for _ in range(2)]
    said = {"type": "respond", "text": "明天发货", "selected_option": None, "data": None}
    ids = [request_id for _, request_id in asked]
    until(lambda: len(operator.get(f"/api/v1/requests/{ids[0]}/similar").json()["open_requests"]) >= 1)
    body = {"decision": {"type": "respond", "text": "明天发货"}, "request_ids": ids}
    served = operator.post(f"/api/v1/requests/{ids[0]}/decision-for-all", json=body)
    assert served.status_code == 200, served.text
    for session_id, _ in asked:
        assert decision_of(on_record(operator, session_id)) == ("operator", "admin", "api", said)


def test_the_customer_confirms_in_s3s_dialog(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, _ = chat(customer, "transfer")
    stream(customer, "/continue_thread", {"thread_id": session_id, "approved": False, "reason": "I changed my mind"})
    reason = {"type": "reject", "reason": "I changed my mind"}
    assert decision_of(on_record(operator, session_id)) == ("customer", "", "chat", reason)


def test_an_operator_answers_by_s4s_route(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = waiting(customer, "我的订单什么时候发货?")
    body = {"request_id": request_id, "human_agent_id": "agent-9", "response": "明天"}
    answer = operator.post(f"/sessions/{session_id}/human-response", json=body)
    assert answer.status_code == 200, answer.text
    kind, _, channel, said = decision_of(on_record(operator, session_id))
    assert (kind, channel, said["text"]) == ("operator", "api", "明天")


def test_the_clock_decides_and_a_ticket_is_answered_later(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, _ = chat(customer, "ticket")
    expired = on_record(operator, session_id, "request.expired")
    assert expired["actor"] == {"kind": "clock", "id": "", "channel": ""}
    assert (expired["gist"]["status"], expired["gist"]["decided_by"]) == ("expired", "clock")
    number = on_record(operator, session_id, "ticket.opened")["gist"]["ticket"]
    operator.post(f"/api/v1/tickets/{number}/answer", json={"text": "It was shipped."})
    answered = on_record(operator, session_id, "ticket.answered")
    assert (answered["actor"]["id"], answered["fact"]["ticket"]["answer"]) == ("admin", "It was shipped.")


def test_what_is_withdrawn_claimed_and_taken_is_on_record_too(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = waiting(customer, "refund")
    operator.post(f"/api/v1/requests/{request_id}/claim")
    operator.post(f"/api/v1/sessions/{session_id}/takeover")
    operator.post(f"/api/v1/sessions/{session_id}/stop")
    for name in ("request.claimed", "session.taken", "request.withdrawn", "run.stopped"):
        assert on_record(operator, session_id, name)["actor"]["id"] == "admin"


def test_the_trail_is_filtered_and_paged(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = waiting(customer, "refund")
    operator.post(f"/api/v1/requests/{request_id}/decision", json={"type": "approve"})
    on_record(operator, session_id, "run.finished")
    where = {"session_id": session_id}
    whole = operator.get("/api/v1/audit", params={**where, "limit": 200}).json()["items"]
    assert [event["session_seq"] for event in whole] == list(range(len(whole), 0, -1))
    paged: list[Event] = []
    cursor = None
    while cursor is not None or not paged:
        page = operator.get("/api/v1/audit", params={**where, "limit": 3, **({"cursor": cursor} if cursor else {})})
        paged += page.json()["items"]
        cursor = page.json()["next_cursor"]
    assert paged == whole
    of_tool = operator.get("/api/v1/audit", params={**where, "tool": "refund"}).json()["items"]
    assert {event["name"] for event in of_tool} == {"tool.called", "request.opened", "request.decided", "tool.finished"}
    by_admin = operator.get("/api/v1/audit", params={**where, "actor": "admin"}).json()["items"]
    assert [event["name"] for event in by_admin] == ["request.decided"]
    times = {"since": whole[-1]["at"], "until": whole[0]["at"]}
    between = operator.get("/api/v1/audit", params={**where, **times}).json()["items"]
    assert between == [event for event in whole if whole[-1]["at"] <= event["at"] < whole[0]["at"]]
