"""The native API over real HTTP: sessions, requests, repeats, takeover and the live feed."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.patience import PATIENCE
from tests.service.desk import RunningDesk
from tests.service.talking import chat, content, only, picked_up, stream, until

JsonObject = dict[str, Any]


def ask(customer: httpx.Client, text: str = "refund") -> tuple[str, str]:
    session_id, frames = chat(customer, text)
    return session_id, str(only(frames, "waiting")["request_id"])


def pages(client: httpx.Client, path: str, **filters: Any) -> list[JsonObject]:
    """Return every item of a list, page by page."""
    items: list[JsonObject] = []
    cursor: str | None = None
    while True:
        params = {**filters, **({"cursor": cursor} if cursor else {})}
        page = client.get(path, params=params).raise_for_status().json()
        items += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return items


def events_until(client: httpx.Client, session_id: str, last: str) -> list[JsonObject]:
    """Return the facts of a session's stream up to the first of that name."""
    facts: list[JsonObject] = []
    with client.stream("GET", f"/api/v1/sessions/{session_id}/events") as stream:
        for line in stream.iter_lines():
            if line.startswith("data: ") and (frame := json.loads(line[6:]))["type"] == "event":
                facts.append(frame["event"]["fact"])
                if facts[-1]["name"] == last and facts[-1].get("final", True):
                    return facts
    raise AssertionError(f"the stream ended before {last}")


def test_sessions_are_listed_newest_first_page_by_page(customer: httpx.Client, operator: httpx.Client) -> None:
    opened = [chat(customer, "hello")[0] for _ in range(3)]

    listed = [session["id"] for session in pages(operator, "/api/v1/sessions", limit=2)]

    assert [session_id for session_id in listed if session_id in opened] == opened[::-1]
    assert len(listed) == len(set(listed))
    assert all(s["status"] == "completed" for s in pages(operator, "/api/v1/sessions", status="completed"))
    assert pages(operator, "/api/v1/sessions", agent="nobody") == []


@pytest.fixture
def program(desk: RunningDesk) -> Iterator[httpx.Client]:
    """A program that opens sessions for its customers."""
    secret = desk.run("keys", "add", "our shop", "--scope", "chat").strip()
    with desk.program(secret) as client:
        yield client


def test_a_program_says_who_the_customer_is_and_operators_find_them_by_it(
    program: httpx.Client, operator: httpx.Client
) -> None:
    name = f"顾客 {uuid.uuid4()}"
    opened = program.post("/api/v1/sessions", json={"customer": name}).json()
    chatted = stream(program, "/chat", {"message": "refund", "customer": name})
    by_operator = operator.post("/api/v1/sessions", json={"customer": name}).json()

    found = [session["id"] for session in pages(operator, "/api/v1/sessions", customer=name)]
    asked = operator.get(f"/api/v1/requests/{only(chatted, 'waiting')['request_id']}").json()

    assert opened["customer"] == name
    assert found == [by_operator["id"], chatted[0]["thread_id"], opened["id"]]
    assert asked["customer"] == name
    assert program.post("/api/v1/sessions", json={"customer": "a\x00b"}).status_code == 422


def test_a_customer_cannot_say_who_they_are(customer: httpx.Client) -> None:
    thread_id, _ = chat(customer, "hello")
    body = {"customer": "the queen", "message": "hi"}

    refused = [
        customer.post("/api/v1/sessions", json=body),
        customer.post("/chat", json=body),
        customer.post("/chat", json={**body, "thread_id": thread_id}),
    ]

    assert [answer.status_code for answer in refused] == [403, 403, 403]
    assert "'the queen'" in refused[0].json()["detail"]
    assert "Leave `customer` out" in refused[0].json()["fix"]


def test_closed_requests_are_listed_and_found_by_a_text(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, request_id = ask(customer)
    reason = 'too "old" 100%'
    operator.post(f"/api/v1/requests/{request_id}/decision", json={"type": "reject", "reason": reason})
    _, open_id = ask(customer, "我的订单什么时候发货?")

    def found(**filters: str) -> list[str]:
        return [request["id"] for request in pages(operator, "/api/v1/requests", limit=100, **filters)]

    assert request_id in found(status="decided", search=reason)
    assert request_id in found(status="all", tool="refund", kind="approval", session_id=session_id)
    assert request_id not in found(status="open")
    assert request_id not in found(status="expired")
    assert open_id in found(search="发货时间")
    assert found(search="no such text anywhere") == []
    assert operator.get("/api/v1/requests", params={"status": "all", "cursor": "bm9wZQ=="}).status_code == 422


def test_a_claim_keeps_others_off_until_it_is_released(
    desk: RunningDesk, customer: httpx.Client, operator: httpx.Client
) -> None:
    _, request_id = ask(customer)
    path = f"/api/v1/requests/{request_id}"

    claimed = operator.post(f"{path}/claim").json()
    mine = [request["id"] for request in pages(operator, "/api/v1/requests", claimed_by="admin")]
    released = operator.post(f"{path}/release").json()

    assert (claimed["claimed_by"], released["claimed_by"]) == ("admin", None)
    assert request_id in mine
    assert operator.post(f"{path}/decision", json={"type": "approve"}).status_code == 200
    assert operator.post(f"{path}/claim").status_code == 409


def test_the_same_key_with_the_same_body_is_answered_the_same(customer: httpx.Client, operator: httpx.Client) -> None:
    _, request_id = ask(customer)
    path = f"/api/v1/requests/{request_id}/decision"
    key = {"Idempotency-Key": f"key-{request_id}"}

    first = operator.post(path, json={"type": "approve"}, headers=key)
    again = operator.post(path, json={"type": "approve"}, headers=key)
    other = operator.post(path, json={"type": "reject"}, headers=key)
    without = operator.post(path, json={"type": "approve"})

    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert other.status_code == 422
    assert "was used for another call" in other.json()["detail"]
    assert (without.status_code, without.json()["details"]["by"]) == (409, "operator admin")


def test_a_refused_call_does_not_use_its_key_up(customer: httpx.Client, operator: httpx.Client) -> None:
    _, request_id = ask(customer)
    path = f"/api/v1/requests/{request_id}/decision"
    key = {"Idempotency-Key": f"key-{request_id}"}

    refused = operator.post(path, json={"type": "edit", "args": {"order_id": 7}}, headers=key)
    accepted = operator.post(path, json={"type": "approve"}, headers=key)

    assert (refused.status_code, accepted.status_code) == (422, 200)


def test_an_operator_takes_over_talks_and_hands_back(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, _ = chat(customer, "hello")
    path = f"/api/v1/sessions/{session_id}"

    early = operator.post(f"{path}/say", json={"text": "too early"})
    taken = operator.post(f"{path}/takeover").json()
    _, meanwhile = chat(customer, "are you a person?", session_id)
    said = operator.post(f"{path}/say", json={"text": "Yes, I am Ada."})
    returned = operator.post(f"{path}/handback").json()
    _, after = chat(customer, "history", session_id)

    assert early.status_code == 409
    assert (taken["taken_by"], returned["taken_by"]) == ("admin", None)
    assert only(meanwhile, "thought")["content"] == "A colleague is talking to you now, please wait a moment."
    assert said.status_code == 201
    assert "Yes, I am Ada." in content(after)


def test_a_stopped_run_withdraws_what_it_asked_and_a_closed_session_takes_no_more(
    customer: httpx.Client, operator: httpx.Client
) -> None:
    session_id, request_id = ask(customer)
    path = f"/api/v1/sessions/{session_id}"

    stopped, idle = (customer.post(f"{path}/stop").json() for _ in range(2))
    withdrawn = operator.get(f"/api/v1/requests/{request_id}").json()
    closed = customer.post(f"{path}/close").json()
    late = customer.post(f"{path}/messages", json={"text": "one more thing"})

    assert (stopped, idle) == ({"stopped": True}, {"stopped": False})
    assert withdrawn["status"] == "withdrawn"
    assert closed["status"] == "completed"
    assert late.status_code == 409


def test_a_customer_learns_that_a_run_failed_and_an_operator_why(
    customer: httpx.Client, operator: httpx.Client
) -> None:
    session_id, _ = chat(customer, "explode")

    told, shown = (events_until(client, session_id, "run.failed") for client in (operator, customer))

    assert [fact["name"] for fact in shown] == [fact["name"] for fact in told]
    assert shown[-1]["final"] is True
    assert "the model is down" in told[-1]["error"]
    assert "the model is down" in str(told[:-1]), "the control: the reason of the session's change has it too"
    assert "the model is down" not in str(shown)


def test_a_message_under_an_id_of_the_senders_is_taken_once(customer: httpx.Client) -> None:
    session_id, _ = chat(customer, "hello")
    path = f"/api/v1/sessions/{session_id}/messages"
    body = {"text": "only once", "message_id": "mine-1"}

    first, again = (customer.post(path, json=body).json() for _ in range(2))

    assert first == again
    assert first["message_id"] == "mine-1"
    until(lambda: "only once" in content(picked_up(customer, session_id)))
    assert content(picked_up(customer, session_id)).count("only once") == 1
    assert customer.post(path, json={**body, "text": "another"}).status_code == 422


def test_the_live_socket_gives_a_snapshot_and_goes_on_from_a_cursor(
    desk: RunningDesk, customer: httpx.Client, operator: httpx.Client
) -> None:
    url = desk.address.replace("http", "ws") + "/api/v1/live/ws"
    key = {"Authorization": f"Bearer {desk.key}"}
    with connect(url, additional_headers=key) as socket:
        snapshot = json.loads(socket.recv(timeout=PATIENCE))
        _, request_id = ask(customer)
        opened = next(frame for frame in map(json.loads, socket) if _about(frame, request_id))
    operator.post(f"/api/v1/requests/{request_id}/decision", json={"type": "approve"})
    with connect(f"{url}?after={opened['event']['seq']}", additional_headers=key) as socket:
        decided = next(frame for frame in map(json.loads, socket) if _about(frame, request_id))

    assert snapshot["type"] == "snapshot"
    assert snapshot["at"].endswith("Z")
    assert opened["event"]["fact"]["name"] == "request.opened"
    assert decided["event"]["fact"]["name"] == "request.decided"


def _about(frame: JsonObject, request_id: str) -> bool:
    if frame["type"] != "event":  # a sign of life, which comes when nothing else does for a while
        return False
    request = frame["event"]["fact"].get("request", {})
    return bool(request.get("id") == request_id)


@pytest.mark.parametrize("path", ["/api/v1/live/ws", "/human-agent/ws"])
def test_a_socket_is_only_for_operators(desk: RunningDesk, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused, connect(desk.address.replace("http", "ws") + path):
        pass

    assert refused.value.response.status_code in {401, 403}


def test_settling_what_has_no_doubt_is_a_conflict(customer: httpx.Client, operator: httpx.Client) -> None:
    _, request_id = ask(customer)

    answer = operator.post(f"/api/v1/requests/{request_id}/settle", json={"settlement": "ran", "result": "done"})

    assert (answer.status_code, answer.json()["details"]["status"]) == (409, "open")
