"""Who may take a conversation over, and give it back for whom, over real HTTP and the real command line."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.service.desk import RunningDesk
from tests.service.talking import chat, content, picked_up, until


@pytest.fixture
def grace_id(desk: RunningDesk) -> str:
    """Somebody who answers, in this test only."""
    operator_id = f"grace{uuid.uuid4().hex[:6]}"
    desk.run("operators", "add", operator_id)
    return operator_id


@pytest.fixture
def grace(desk: RunningDesk, grace_id: str) -> Iterator[httpx.Client]:
    with desk.program(desk.run("keys", "add", "hers", "--operator", grace_id).strip()) as client:
        yield client


def test_what_a_removed_operator_had_taken_over_goes_back_to_its_agent(
    desk: RunningDesk, customer: httpx.Client, operator: httpx.Client, grace: httpx.Client, grace_id: str
) -> None:
    asked, _ = chat(customer, "hello")
    idle, _ = chat(customer, "hello")
    for session_id in (asked, idle):
        grace.post(f"/api/v1/sessions/{session_id}/takeover").raise_for_status()
    chat(customer, "is anybody there?", asked)

    said = desk.run("operators", "remove", grace_id)
    answered = until(lambda: "You said: is anybody there?" in content(picked_up(customer, asked)))
    _, after = chat(customer, "still here", idle)

    assert said == f"Removed {grace_id}. Back with their agents: 2 conversations.\n"
    assert answered
    assert content(after) == "You said: still here"
    where = {"session_id": asked, "name": "session.returned"}
    [returned] = operator.get("/api/v1/audit", params=where).json()["items"]
    assert (returned["actor"]["kind"], returned["actor"]["channel"]) == ("operator", "cli")


def test_what_a_revoked_key_had_taken_over_goes_back_to_its_agent(
    desk: RunningDesk, customer: httpx.Client, operator: httpx.Client
) -> None:
    session_id, _ = chat(customer, "hello")
    for revoke in ("over HTTP", "by a command"):
        name = f"bot {uuid.uuid4().hex}"
        secret = desk.run("keys", "add", name, "--scope", "inbox").strip()
        [key_id] = re.findall(rf"(key_\w+) .*{name}", desk.run("keys", "list"))
        with desk.program(secret) as program:
            taken = program.post(f"/api/v1/sessions/{session_id}/takeover").json()
        if revoke == "over HTTP":
            operator.delete(f"/api/v1/keys/{key_id}").raise_for_status()
        else:
            assert "Back with their agents: 1 conversation." in desk.run("keys", "revoke", key_id)

        assert taken["taken_by"] == key_id
        assert operator.get(f"/api/v1/sessions/{session_id}").json()["taken_by"] is None


def test_a_lead_hands_back_what_somebody_else_has_and_an_operator_does_not(
    customer: httpx.Client, operator: httpx.Client, grace: httpx.Client, grace_id: str
) -> None:
    session_id, _ = chat(customer, "hello")
    path = f"/api/v1/sessions/{session_id}"
    operator.post(f"{path}/takeover")

    refused = [grace.post(f"{path}/{way}") for way in ("takeover", "handback")]
    operator.post(f"{path}/handback").raise_for_status()
    grace.post(f"{path}/takeover").raise_for_status()
    chat(customer, "who is this?", session_id)
    returned = operator.post(f"{path}/handback").json()

    assert [answer.status_code for answer in refused] == [409, 409]
    assert refused[0].json()["detail"] == f"Session {session_id} is with admin."
    assert refused[0].json()["fix"] == "Ask them, or a lead, to hand it back."
    assert returned["taken_by"] is None
    assert until(lambda: "You said: who is this?" in content(picked_up(customer, session_id)))
    assert operator.post(f"{path}/handback").status_code == 409, "it is with its agent"


def test_a_lead_takes_over_what_somebody_else_has_and_talks_in_their_place(
    customer: httpx.Client, operator: httpx.Client, grace: httpx.Client
) -> None:
    session_id, _ = chat(customer, "hello")
    path = f"/api/v1/sessions/{session_id}"
    grace.post(f"{path}/takeover")

    taken = operator.post(f"{path}/takeover").json()
    late = grace.post(f"{path}/say", json={"text": "I was here first"})
    said = operator.post(f"{path}/say", json={"text": "Let me help you."})

    assert taken["taken_by"] == "admin"
    assert (late.status_code, late.json()["details"]) == (409, {"taken_by": "admin"})
    assert said.status_code == 201


def test_a_completed_conversation_is_not_taken_over(customer: httpx.Client, operator: httpx.Client) -> None:
    session_id, _ = chat(customer, "hello")
    path = f"/api/v1/sessions/{session_id}"
    customer.post(f"{path}/close").raise_for_status()

    refused = operator.post(f"{path}/takeover")

    assert (refused.status_code, refused.json()["detail"]) == (409, f"Session {session_id} is completed.")
    assert operator.get(path).json()["taken_by"] is None


def test_a_conversation_that_is_closed_while_an_operator_has_it_takes_no_more(
    customer: httpx.Client, operator: httpx.Client
) -> None:
    session_id, _ = chat(customer, "hello")
    path = f"/api/v1/sessions/{session_id}"
    operator.post(f"{path}/takeover").raise_for_status()
    chat(customer, "goodbye then", session_id)
    customer.post(f"{path}/close").raise_for_status()

    refused = [operator.post(f"{path}/say", json={"text": "Wait!"}), operator.post(f"{path}/takeover")]
    returned = operator.post(f"{path}/handback").json()

    assert [answer.status_code for answer in refused] == [409, 409]
    assert all(answer.json()["detail"].endswith("is completed.") for answer in refused)
    assert (returned["taken_by"], returned["status"]) == (None, "completed")
    assert "goodbye" not in content(picked_up(customer, session_id)), "nobody answers after the end"
    names = [
        event["name"] for event in operator.get("/api/v1/audit", params={"session_id": session_id}).json()["items"]
    ]
    assert names[:2] == ["session.returned", "session.changed"], "nothing was begun after it"
