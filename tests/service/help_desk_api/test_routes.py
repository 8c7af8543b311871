"""The help desk over real HTTP: its routes with the documented JSON examples, its session, socket and fallbacks."""

from __future__ import annotations

import itertools
import json
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE
from tests.service.desk import DECISION, INFORMATION, RunningDesk
from tests.service.talking import chat, content, kinds, only, picked_up, until

QUESTION = "我的订单什么时候发货?"
ANSWER = "订单已于 2025-12-20 发货，物流单号 SF123456"


def ask(customer: httpx.Client, text: str = QUESTION) -> tuple[str, str]:
    """Let the agent ask an operator; return the session and the request."""
    session_id, frames = chat(customer, text)
    return session_id, str(only(frames, "waiting")["request_id"])


def listed(operator: httpx.Client, session_id: str, **filters: Any) -> list[dict[str, Any]]:
    found = operator.get("/human-agent/pending-requests", params={"page_size": 100, **filters}).json()
    return [item for item in found["items"] if item["session_id"] == session_id]


def test_pending_requests_are_listed_as_documented(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = ask(customer)

    page = operator.get("/human-agent/pending-requests", params={"page": 1, "page_size": 100}).json()

    assert page.keys() == {"items", "total", "page"}
    assert page["page"] == 1
    assert page["total"] == len(page["items"])
    [item] = [item for item in page["items"] if item["session_id"] == session_id]
    created_at, waiting_seconds = item.pop("created_at"), item.pop("waiting_seconds")
    assert item == {"request_id": request_id, "session_id": session_id, **INFORMATION}
    assert created_at.endswith("Z")
    assert isinstance(waiting_seconds, int)
    assert waiting_seconds >= 0


def test_the_list_is_filtered_by_urgency_and_type(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = ask(customer, "我要退款，但商品已经拆封了")
    refund_id, review_id = ask(customer, "refund")

    assert [item["request_id"] for item in listed(operator, session_id, urgency="high")] == [request_id]
    assert listed(operator, session_id, urgency="low") == []
    assert listed(operator, session_id, type="knowledge_gap") == []
    [choice] = listed(operator, session_id, type="decision_required")
    assert choice["options"] == DECISION["options"]
    [review] = listed(operator, refund_id, type="risk_confirmation")
    assert review["request_id"] == review_id
    assert review["question"] == '是否执行 refund({"order_id": "12345"})？'
    assert [option["id"] for option in review["options"]] == ["approve", "reject"]


def test_pages_are_numbered_and_bounded(customer: httpx.Client, operator: httpx.Client) -> None:
    for _ in range(3):
        ask(customer)
    whole = operator.get("/human-agent/pending-requests", params={"page_size": 100}).json()

    pages = [
        operator.get("/human-agent/pending-requests", params={"page": page, "page_size": 2}).json()
        for page in range(1, whole["total"] // 2 + 2)
    ]

    numbered = [item["request_id"] for page in pages for item in page["items"]]
    assert numbered == [item["request_id"] for item in whole["items"]]
    assert operator.get("/human-agent/pending-requests", params={"page": 0}).status_code == 422
    assert operator.get("/human-agent/pending-requests", params={"page": 1001}).status_code == 422


def test_a_pending_request_is_shown_with_the_conversation(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = ask(customer)

    shown = operator.get(f"/sessions/{session_id}/pending-request").json()

    assert shown["request"] == {"request_id": request_id, **INFORMATION}
    history = shown["conversation_history"]
    assert [(said["role"], said["content"]) for said in history] == [
        ("user", QUESTION),
        ("assistant", "正在为您核实，请稍候……"),
    ]
    assert all(said.keys() == {"role", "content", "timestamp"} for said in history)


def test_an_answer_lets_the_agent_go_on_as_documented(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = ask(customer)
    waiting = operator.get(f"/sessions/{session_id}").json()

    answer = operator.post(
        f"/sessions/{session_id}/human-response",
        json={"request_id": request_id, "human_agent_id": "agent_001", "response": ANSWER},
    )
    said = until(lambda: content(picked_up(customer, session_id)))
    answered = until(lambda: _if_active(operator.get(f"/sessions/{session_id}").json()))

    assert answer.json() == {
        "success": True,
        "request_id": request_id,
        "session_id": session_id,
        "status": "answered",
        "message": "Agent 已继续执行",
    }
    assert said == f"Result: {ANSWER}"
    assert waiting["status"] == "waiting_for_human"
    assert waiting["pending_human_request"]["status"] == "pending"
    assert waiting["human_request_history"] == []
    assert answered["pending_human_request"] is None
    [before] = answered["human_request_history"]
    assert (before["status"], before["response"], before["human_agent_id"]) == ("answered", ANSWER, "admin")
    assert operator.get(f"/sessions/{session_id}/pending-request").status_code == 404


@pytest.mark.parametrize(("words", "tool"), [(QUESTION, "ask_human_agent"), ("ask an expert", "ask_the_expert")])
def test_what_is_asked_and_answered_backstage_is_on_no_stream_of_the_customer(
    customer: httpx.Client, operator: httpx.Client, words: str, tool: str
) -> None:
    session_id, asked = chat(customer, words)
    request_id = only(asked, "waiting")["request_id"]
    operator.post(f"/sessions/{session_id}/human-response", json={"request_id": request_id, "response": ANSWER})
    said = until(lambda: content(picked_up(customer, session_id)))
    whole = picked_up(customer, session_id)
    at_once = customer.get(f"/api/v1/sessions/{session_id}/chat", headers={"Accept": "application/json"}).json()

    assert kinds(asked) == ["session", "waiting", "done"]
    assert kinds(whole) == ["session", "waiting", "content", "done"]
    assert at_once["messages"] == whole
    # The agent's own words are all that the customer reads of it.
    assert said == f"Result: {ANSWER}"
    assert tool not in json.dumps(whole)
    with customer.stream("GET", f"/api/v1/sessions/{session_id}/events") as events:
        until_said = itertools.takewhile(lambda line: "run.finished" not in line, events.iter_lines())
        assert tool not in "".join(until_said)


def _if_active(session: dict[str, Any]) -> dict[str, Any] | None:
    return session if session["status"] == "active" else None


def test_an_option_is_chosen(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = ask(customer, "我要退款，但商品已经拆封了")
    path = f"/sessions/{session_id}/human-response"

    unknown = operator.post(path, json={"request_id": request_id, "selected_option": "Z"})
    empty = operator.post(path, json={"request_id": request_id})
    chosen = operator.post(path, json={"request_id": request_id, "selected_option": "B"})

    assert [unknown.status_code, empty.status_code, chosen.status_code] == [422, 422, 200]
    assert until(lambda: content(picked_up(customer, session_id))) == "Result: 批准部分退款"


@pytest.mark.parametrize(("option", "outcome"), [("approve", "refunded 12345"), ("reject", "too old")])
def test_a_call_is_reviewed_on_s4s_wire_too(
    customer: httpx.Client, operator: httpx.Client, option: str, outcome: str
) -> None:
    session_id, request_id = ask(customer, "refund")
    path = f"/sessions/{session_id}/human-response"

    unclear = operator.post(path, json={"request_id": request_id, "selected_option": "maybe"})
    operator.post(path, json={"request_id": request_id, "selected_option": option, "response": "too old"})

    assert unclear.status_code == 422
    assert outcome in until(lambda: content(picked_up(customer, session_id)))


def test_a_late_answer_is_told_who_was_first(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = ask(customer)
    path = f"/sessions/{session_id}/human-response"
    body = {"request_id": request_id, "response": "first"}
    operator.post(path, json=body)

    late = operator.post(path, json={**body, "response": "second"})
    elsewhere = operator.post(f"/sessions/{ask(customer)[0]}/human-response", json=body)

    assert (late.status_code, late.json()["details"]["by"]) == (409, "operator admin")
    assert elsewhere.status_code == 404


def test_the_customer_never_sees_what_was_asked_backstage(customer: httpx.Client) -> None:
    session_id, request_id = ask(customer)

    seen = customer.get(f"/api/v1/sessions/{session_id}/chat", headers={"Accept": "application/json"}).text
    assert INFORMATION["question"] not in json.loads(seen)["content"]
    assert customer.get(f"/sessions/{session_id}").status_code == 403
    assert customer.get(f"/sessions/{session_id}/pending-request").status_code == 403
    assert customer.post(f"/sessions/{session_id}/human-response", json={"request_id": request_id}).status_code == 403
    assert customer.get("/human-agent/pending-requests").status_code == 403


def frames_of(socket: ClientConnection, request_id: str, count: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while len(found) < count:
        frame = json.loads(socket.recv(timeout=PATIENCE))
        if frame["request_id"] == request_id:
            found.append(frame)
    return found


def test_the_socket_tells_what_is_asked_and_what_becomes_of_it(
    desk: RunningDesk, customer: httpx.Client, operator: httpx.Client
) -> None:
    url = desk.address.replace("http", "ws") + "/human-agent/ws"
    key = {"Authorization": f"Bearer {desk.key}"}
    with connect(url, additional_headers=key) as socket:
        session_id, request_id = ask(customer)
        operator.post(f"/api/v1/requests/{request_id}/claim")
        operator.post(f"/sessions/{session_id}/human-response", json={"request_id": request_id, "response": "ok"})
        asked, claimed, answered = frames_of(socket, request_id, 3)
    with connect(f"{url}?after={asked['seq']}", additional_headers=key) as socket:
        again = frames_of(socket, request_id, 2)

    assert {name: asked[name] for name in ("event", "session_id", "question", "urgency")} == {
        "event": "human_request",
        "session_id": session_id,
        "question": INFORMATION["question"],
        "urgency": "medium",
    }
    assert (claimed["event"], claimed["human_agent_id"]) == ("human_request_claimed", "admin")
    assert (answered["event"], answered["status"]) == ("human_request_answered", "answered")
    assert again == [claimed, answered]


def test_a_cursor_ahead_of_the_log_goes_on_from_now(
    desk: RunningDesk, customer: httpx.Client, operator: httpx.Client
) -> None:
    url = desk.address.replace("http", "ws") + "/human-agent/ws"
    key = {"Authorization": f"Bearer {desk.key}"}
    with connect(f"{url}?after={10**15}", additional_headers=key) as socket:
        session_id, request_id = ask(customer)
        [asked] = frames_of(socket, request_id, 1)

    assert (asked["event"], asked["session_id"]) == ("human_request", session_id)


def test_a_cursor_that_no_event_can_have_is_refused(desk: RunningDesk) -> None:
    url = desk.address.replace("http", "ws") + "/human-agent/ws"
    key = {"Authorization": f"Bearer {desk.key}"}
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"{url}?after={2**62 + 1}", additional_headers=key),
    ):
        pass

    assert refused.value.response.status_code in {403, 422}


@pytest.mark.parametrize(
    ("words", "language", "line"),
    [
        ("inform", "zh", "客服繁忙"),
        ("inform", "en", "everyone is busy"),
        ("self-service", "zh", "自助查询"),
        ("self-service", "en", "look it up yourself"),
    ],
)
def test_a_question_that_nobody_answers_falls_back(
    customer: httpx.Client, operator: httpx.Client, words: str, language: str, line: str
) -> None:
    said = f"请 {words}" if language == "zh" else f"please {words}"
    session_id, request_id = ask(customer, said)

    told = until(lambda: "Result: timeout" in (text := content(picked_up(customer, session_id))) and text)

    assert line in told
    [expired] = operator.get(f"/sessions/{session_id}").json()["human_request_history"]
    assert (expired["request_id"], expired["status"]) == (request_id, "timeout")


def test_a_ticket_is_numbered_answered_later_and_the_customer_reads_it(
    customer: httpx.Client, operator: httpx.Client
) -> None:
    session_id, request_id = ask(customer, "请开 ticket")
    told = until(lambda: "工单" in (text := content(picked_up(customer, session_id))) and text)
    tickets = operator.get("/api/v1/tickets", params={"limit": 200}).json()["items"]
    [ticket] = [ticket for ticket in tickets if ticket["request_id"] == request_id]
    path = f"/api/v1/tickets/{ticket['number']}"

    first = operator.post(f"{path}/answer", json={"text": ANSWER})
    second = operator.post(f"{path}/answer", json={"text": "again"})
    until(lambda: ANSWER in content(picked_up(customer, session_id)))
    _, history = chat(customer, "history", session_id)

    assert f"编号 {ticket['number']}" in told
    assert ticket["question"] == INFORMATION["question"]
    assert (first.json()["status"], first.json()["answered_by"]["id"]) == ("answered", "admin")
    assert (second.status_code, second.json()["code"]) == (409, "already_answered")
    assert ANSWER in content(history), "the agent finds the answer in its history"
    assert "正在为您核实" not in content(history), "what the service said is not in it"
    assert operator.get(path).json()["answer"] == ANSWER
