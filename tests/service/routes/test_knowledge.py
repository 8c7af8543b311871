"""Scenario 4 over real HTTP, on both databases: a gap is answered once, and the next customer needs no person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest

from tests.running import RunningDemo
from tests.service.routes.test_requests import events
from tests.service.talking import until

ROOT = Path(__file__).parents[3]


class RunningGaps(RunningDemo):
    """`handraise serve` with an agent that asks about what it does not find."""

    command: ClassVar[list[str]] = ["serve", "tests.knowledge.gap_agent:agent"]
    environment: ClassVar[dict[str, str]] = {"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"}


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def client(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[httpx.Client]:
    """A service whose agent looks things up first and asks a person about gaps."""
    with RunningGaps(new_database(request.param)) as running, running.visitor() as http:
        http.get(running.sign_in_link)
        yield http


def say(client: httpx.Client, text: str) -> str:
    session_id: str = client.post("/api/v1/sessions", json={}).json()["id"]
    client.post(f"/api/v1/sessions/{session_id}/messages", json={"text": text})
    return session_id


def last_message(client: httpx.Client, session_id: str) -> str:
    facts = [event["fact"] for event in events(client, session_id, until="run.finished")]
    return [str(fact["text"]) for fact in facts if fact["name"] == "message.sent"][-1]


def request_of(client: httpx.Client, session_id: str) -> dict[str, Any]:
    events(client, session_id, until="session.changed")
    [request] = client.get("/api/v1/requests", params={"session_id": session_id}).json()["items"]
    assert isinstance(request, dict)
    return request


def eventually(found: Callable[[], Any]) -> Any:
    """Return what is found, once it is there: the event log is read a moment after it is written."""
    return until(found)


def test_a_gap_is_answered_once_and_the_next_customer_is_answered_from_the_knowledge_base(client: httpx.Client) -> None:
    first = say(client, "你们的会员积分规则是什么？")
    request = request_of(client, first)
    decision = {"type": "respond", "text": "1 元 = 1 积分，100 积分 = 1 元"}
    assert client.post(f"/api/v1/requests/{request['id']}/decision", json=decision).status_code == 200
    assert last_message(client, first) == "客服说：1 元 = 1 积分，100 积分 = 1 元"

    def drafts() -> Any:
        found = client.get("/api/v1/knowledge", params={"status": "draft"}).json()["items"]
        return [each for each in found if each["request_id"] == request["id"]]

    [draft] = eventually(drafts)
    assert draft["question"] == "你们的会员积分规则是什么？"
    published = client.post(f"/api/v1/knowledge/{draft['id']}/publish", json={"version": draft["version"]})
    assert published.json()["status"] == "published"

    second = say(client, "请问会员的积分规则？")
    assert last_message(client, second) == f"[{draft['id']}] 1 元 = 1 积分，100 积分 = 1 元"
    assert client.get(f"/api/v1/knowledge/{draft['id']}").json()["uses"] == 1
    assert client.get("/api/v1/requests", params={"session_id": second}).json()["items"] == []
    seen = [event["fact"]["name"] for event in events(client, second, until="run.finished")]
    assert not [name for name in seen if name.startswith("entry.")], "a customer never sees how knowledge is kept"
    names = [change["fact"]["name"] for change in client.get(f"/api/v1/knowledge/{draft['id']}/history").json()]
    assert names == ["entry.drafted", "entry.published"]


def test_customers_who_ask_the_same_are_served_by_one_answer(client: httpx.Client) -> None:
    sessions = [say(client, "礼品卡能退吗？") for _ in range(3)]
    ids = [request_of(client, session_id)["id"] for session_id in sessions]

    def similar() -> Any:
        found = client.get(f"/api/v1/requests/{ids[0]}/similar").json()
        return found if len(found["open_requests"]) == 2 else None

    assert {each["id"] for each in eventually(similar)["open_requests"]} == set(ids[1:])
    decision = {"type": "respond", "text": "礼品卡售出不退"}
    served = client.post(f"/api/v1/requests/{ids[0]}/decision-for-all", json={"decision": decision}).json()["items"]
    assert {(each["request_id"], each["request"]["status"]) for each in served} == {(each, "decided") for each in ids}
    assert [last_message(client, session_id) for session_id in sessions] == ["客服说：礼品卡售出不退"] * 3

    later = request_of(client, say(client, "礼品卡可以退吗"))

    def past() -> Any:
        return client.get(f"/api/v1/requests/{later['id']}/similar").json()["past_answers"]

    assert [each["answer"] for each in eventually(past)] == ["礼品卡售出不退"]


def test_entries_are_written_searched_edited_merged_and_retired(client: httpx.Client) -> None:
    new = {"question": "How do I return an item?", "answer": "Within 30 days.", "publish": True}
    entry = client.post("/api/v1/knowledge", json=new).json()
    twice = client.post("/api/v1/knowledge", json=new)
    assert (twice.status_code, twice.json()["code"]) == (409, "already_known")
    assert twice.json()["details"]["entry_id"] == entry["id"]

    [passage] = client.get("/api/v1/knowledge/search", params={"q": "returning items"}).json()["items"]
    assert passage["entry"]["id"] == entry["id"]
    assert passage["highlights"][0] == "How do I **return** an **item**?"

    path = f"/api/v1/knowledge/{entry['id']}"
    edited = client.patch(path, json={"version": entry["version"], "answer": "Within 14 days."}).json()
    assert edited["answer"] == "Within 14 days."
    late = client.patch(path, json={"version": entry["version"], "answer": "?"})
    assert (late.status_code, late.json()["details"]["version"]) == (409, edited["version"])

    other = client.post("/api/v1/knowledge", json={**new, "even_if_similar": True}).json()
    assert [each["id"] for each in client.get(f"{path}/similar").json()] == [other["id"]]
    kept = client.post(f"/api/v1/knowledge/{other['id']}/merge", json={"into": entry["id"]}).json()
    assert kept["id"] == entry["id"]
    assert client.post(f"{path}/retire", json={}).json()["status"] == "retired"
    assert client.get("/api/v1/knowledge/search", params={"q": "returning items"}).json()["items"] == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/knowledge/nothing", None, 404),
        ("GET", "/knowledge/nothing/history", None, 404),
        ("GET", "/knowledge/nothing/similar", None, 404),
        ("PATCH", "/knowledge/nothing", {"answer": "a"}, 404),
        ("POST", "/knowledge/nothing/publish", {}, 404),
        ("POST", "/knowledge/nothing/merge", {"into": "x"}, 404),
        ("POST", "/knowledge", {"question": "q"}, 422),
        ("POST", "/knowledge", {"question": " ", "answer": "a"}, 422),
        ("POST", "/knowledge", {"question": "q", "answer": "a", "sorce": "x"}, 422),
        ("GET", "/knowledge?status=lost", None, 422),
        ("GET", "/knowledge/search?q=", None, 422),
        ("GET", "/requests/nothing/similar", None, 404),
        ("POST", "/requests/nothing/decision-for-all", {"decision": {"type": "respond", "text": "x"}}, 404),
        ("POST", "/requests/nothing/decision-for-all", {"decision": {"type": "approve"}}, 422),
    ],
)
def test_bad_requests_are_answered_as_problems(
    client: httpx.Client, method: str, path: str, body: dict[str, Any] | None, status: int
) -> None:
    answer = client.request(method, f"/api/v1{path}", json=body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"code", "detail", "fix"} <= answer.json().keys()
