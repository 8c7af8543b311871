"""The walk of one request over real HTTP, on both databases."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.running import RunningDemo


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def demo(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[RunningDemo]:
    """One service for all of these tests: each has a session of its own."""
    with RunningDemo(new_database(request.param)) as running:
        yield running


@pytest.fixture(scope="module")
def client(demo: RunningDemo) -> Iterator[httpx.Client]:
    """A browser in which Ada is signed in, and which is the customer of the sessions that it opens."""
    http = demo.browser()
    yield http
    http.close()


def ask_for_a_refund(client: httpx.Client, text: str = "I want a refund for order 1001") -> str:
    session_id: str = client.post("/api/v1/sessions", json={}).json()["id"]
    assert client.post(f"/api/v1/sessions/{session_id}/messages", json={"text": text}).status_code == 202
    return session_id


def events(client: httpx.Client, session_id: str, *, until: str, after: int = 0) -> list[dict[str, Any]]:
    """Follow a session until a fact of that name, and return the facts on the way."""
    found = []
    headers = {"Last-Event-ID": str(after)} if after else {}
    with client.stream("GET", f"/api/v1/sessions/{session_id}/events", headers=headers) as stream:
        for line in stream.iter_lines():
            frame = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            if frame.get("type") == "event":
                found.append(frame["event"])
                if frame["event"]["fact"]["name"] == until:
                    return found
    raise AssertionError(f"the stream ended without {until}")


def names(found: list[dict[str, Any]]) -> list[str]:
    return [event["fact"]["name"] for event in found]


def the_open_request(client: httpx.Client, session_id: str) -> dict[str, Any]:
    [request] = client.get("/api/v1/requests", params={"session_id": session_id}).json()["items"]
    assert isinstance(request, dict)
    return request


def test_an_approved_call_runs_and_the_agent_answers(client: httpx.Client) -> None:
    session_id = ask_for_a_refund(client)
    waiting = events(client, session_id, until="session.changed")
    request = the_open_request(client, session_id)

    decided = client.post(f"/api/v1/requests/{request['id']}/decision", json={"type": "approve"})
    rest = events(client, session_id, until="run.finished", after=waiting[-1]["session_seq"])

    handed_over = ["tool.called", "tool.finished", "handoff.made"]
    looked_up = ["tool.called", "tool.finished"]
    asked = ["message.sent", "tool.called", "session.changed"]
    assert names(waiting) == ["session.created", "message.received", *handed_over, *looked_up, *asked]
    assert request["tool"] == "refund_order"
    assert request["args"] == {"order_id": "1001", "amount": 42.5}
    assert decided.json()["status"] == "decided"
    assert names(rest) == ["session.changed", "tool.finished", "message.sent", "run.finished"]
    assert rest[2]["fact"]["text"] == "Done: 42.50 has been refunded to your card."
    assert client.get(f"/api/v1/sessions/{session_id}").json()["status"] == "active"


def test_a_rejected_call_does_not_run(client: httpx.Client) -> None:
    session_id = ask_for_a_refund(client, "我要退款，订单 1002")
    events(client, session_id, until="session.changed")

    decision = {"type": "reject", "reason": "已超过退款期限"}
    client.post(f"/api/v1/requests/{the_open_request(client, session_id)['id']}/decision", json=decision)

    facts = [event["fact"] for event in events(client, session_id, until="run.finished")]
    [finished] = [fact for fact in facts if fact["name"] == "tool.finished" and fact["tool"] == "refund_order"]
    assert finished["status"] == "error"
    assert "已超过退款期限" in facts[-2]["text"]


def test_an_edit_that_does_not_fit_changes_nothing_and_can_be_sent_again(client: httpx.Client) -> None:
    session_id = ask_for_a_refund(client)
    events(client, session_id, until="session.changed")
    path = f"/api/v1/requests/{the_open_request(client, session_id)['id']}/decision"

    refused = client.post(path, json={"type": "edit", "args": {"order_id": "1001", "amount": "ten"}})
    still_open = the_open_request(client, session_id)
    accepted = client.post(path, json={"type": "edit", "args": {"order_id": "1001", "amount": 10}})

    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"
    wrong = {"field": "amount", "message": "'ten' is not of type 'number'"}
    assert refused.json()["details"] == {"field": "amount", "fields": [wrong]}
    assert still_open["version"] == 1
    assert accepted.json()["decision"] == {"type": "edit", "args": {"order_id": "1001", "amount": 10}}
    assert events(client, session_id, until="run.finished")[-2]["fact"]["text"].startswith("Done: 10.00")


def test_the_second_decision_is_told_who_made_the_first(client: httpx.Client) -> None:
    session_id = ask_for_a_refund(client)
    events(client, session_id, until="session.changed")
    path = f"/api/v1/requests/{the_open_request(client, session_id)['id']}/decision"
    client.post(path, json={"type": "approve"})

    late = client.post(path, json={"type": "reject"})

    assert late.status_code == 409
    assert late.json()["code"] == "already_settled"
    assert late.json()["details"]["by"] == "operator ada"


def test_a_pause_survives_a_pulled_plug(demo: RunningDemo, client: httpx.Client) -> None:
    session_id = ask_for_a_refund(client)
    events(client, session_id, until="session.changed")

    demo.kill()
    demo.start()
    client.post(f"/api/v1/requests/{the_open_request(client, session_id)['id']}/decision", json={"type": "approve"})

    facts = [event["fact"] for event in events(client, session_id, until="run.finished")]
    assert facts[-2]["text"] == "Done: 42.50 has been refunded to your card."
    assert [fact["tool"] for fact in facts if fact["name"] == "tool.finished"].count("refund_order") == 1


def test_a_message_sent_while_waiting_is_answered_after_the_decision(client: httpx.Client) -> None:
    session_id = ask_for_a_refund(client)
    events(client, session_id, until="session.changed")
    client.post(f"/api/v1/sessions/{session_id}/messages", json={"text": "hello?"})

    client.post(f"/api/v1/requests/{the_open_request(client, session_id)['id']}/decision", json={"type": "approve"})
    first = events(client, session_id, until="run.finished")
    second = events(client, session_id, until="run.finished", after=first[-1]["session_seq"])

    assert first[-2]["fact"]["text"].startswith("Done:")
    assert second[-2]["fact"]["text"].startswith("Hello!")


def test_operators_get_a_snapshot_and_then_what_happens(client: httpx.Client) -> None:
    with client.stream("GET", "/api/v1/live") as stream:
        frames = (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))
        snapshot = next(frames)
        session_id = ask_for_a_refund(client)
        opened = next(frames)
        request_id = opened["event"]["fact"]["request"]["id"]
        client.post(f"/api/v1/requests/{request_id}/decision", json={"type": "approve"})
        decided = next(frames)

    assert snapshot["type"] == "snapshot"
    assert opened["event"]["fact"]["name"] == "request.opened"
    assert opened["event"]["seq"] > snapshot["seq"]
    assert opened["event"]["session_id"] == session_id
    assert decided["event"]["fact"]["name"] == "request.decided"


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/v1/sessions/nobody", None, 404),
        ("GET", "/api/v1/sessions/nobody/events", None, 404),
        ("POST", "/api/v1/sessions/nobody/messages", {"text": "hi"}, 404),
        ("POST", "/api/v1/sessions", {"agent": "nobody"}, 404),
        ("GET", "/api/v1/requests/nothing", None, 404),
        ("POST", "/api/v1/requests/nothing/decision", {"type": "approve"}, 404),
        ("POST", "/api/v1/requests/nothing/decision", {"type": "maybe"}, 422),
        ("GET", "/api/v1/requests?cursor=nonsense", None, 422),
        ("GET", "/api/v1/requests?limit=0", None, 422),
        ("GET", "/api/v1/nothing", None, 404),
    ],
)
def test_bad_requests_are_answered_as_problems(
    client: httpx.Client, method: str, path: str, body: dict[str, Any] | None, status: int
) -> None:
    answer = client.request(method, path, json=body)

    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"code", "detail", "fix"} <= answer.json().keys()
    assert answer.json()["detail"].endswith(".")


def test_a_page_of_another_site_cannot_reach_the_service(client: httpx.Client) -> None:
    assert client.get("/api/v1/info", headers={"Host": "evil.example"}).status_code == 400
