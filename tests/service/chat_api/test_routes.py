"""The chat routes over real HTTP: /chat and /continue_thread, the documented JSON example, and every error."""

from __future__ import annotations

import json

import httpx
import pytest

from handraise.core.masking import MASK
from tests.service.desk import RunningDesk
from tests.service.talking import chat, content, kinds, only, picked_up, stream, until


def test_a_chat_streams_an_answer(customer: httpx.Client) -> None:
    thread_id, frames = chat(customer, "hello")

    assert kinds(frames) == ["session", "content", "done"]
    assert content(frames) == "You said: hello"
    assert frames[0]["token"].startswith("hrs_")
    assert frames[-1] == {"type": "done", "thread_id": thread_id, "status": "active"}


def test_the_customer_approves_a_call_as_documented(customer: httpx.Client) -> None:
    thread_id, asked = chat(customer, "transfer")
    body = {"thread_id": thread_id, "approved": True, "tool_calls": [{"name": "transfer", "args": {"amount": 42.5}}]}
    answered = stream(customer, "/continue_thread", body)

    assert kinds(asked) == ["session", "thought", "tool_request", "done"]
    assert asked[-1]["status"] == "waiting_for_human"
    [call] = only(asked, "tool_request")["tool_calls"]
    assert call.keys() == {
        "id", "request_id", "name", "args", "description", "schema", "allowed", "digest", "deadline",
    }  # fmt: skip
    assert (call["name"], call["args"]) == ("transfer", {"amount": 42.5})
    assert call["id"].startswith("call_")
    assert call["schema"]["properties"]["amount"]["type"] == "number"
    assert call["allowed"] == ["approve", "edit", "reject", "respond"]
    assert len(call["digest"]) == 64
    assert kinds(answered) == ["session", "tool_result", "content", "done"]
    assert only(answered, "tool_result") == {
        "type": "tool_result", "tool_call_id": call["id"], "name": "transfer", "content": "transferred 42.5",
        "status": "success",
    }  # fmt: skip
    assert content(answered) == "Result: transferred 42.5"
    assert answered[-1]["status"] == "active"


def test_a_call_with_a_masked_secret_is_approved_by_sending_it_back_as_it_was_shown(customer: httpx.Client) -> None:
    thread_id, asked = chat(customer, "transmit")
    [call] = only(asked, "tool_request")["tool_calls"]

    answered = stream(customer, "/continue_thread", {"thread_id": thread_id, "approved": True, "tool_calls": [call]})

    assert call["args"] == {"order_id": "7", "token": MASK}
    assert only(answered, "tool_result")["content"] == "transmitted 7 with 22 characters"


def test_a_rejection_that_names_one_of_two_calls_leaves_the_other_open(customer: httpx.Client) -> None:
    thread_id, asked = chat(customer, "transfer twice")
    first, second = only(asked, "tool_request")["tool_calls"]
    body = {"thread_id": thread_id, "approved": False, "tool_calls": [first], "reason": "not that one"}

    waits = stream(customer, "/continue_thread", body)
    ended = stream(customer, "/continue_thread", {"thread_id": thread_id, "approved": True})

    assert [call["id"] for call in only(waits, "tool_request")["tool_calls"]] == [second["id"]]
    results = {frame["tool_call_id"]: frame for frame in ended if frame["type"] == "tool_result"}
    assert (results[first["id"]]["status"], results[second["id"]]["content"]) == ("error", "transferred 2")
    assert "not that one" in results[first["id"]]["content"]


@pytest.mark.parametrize("approved", ["yes", "true", 1, None])
def test_what_is_neither_true_nor_false_approves_nothing(customer: httpx.Client, approved: object) -> None:
    thread_id, _ = chat(customer, "transfer")

    refused = customer.post("/continue_thread", json={"thread_id": thread_id, "approved": approved})

    assert refused.status_code == 422
    assert "transferred 42.5" in str(stream(customer, "/continue_thread", {"thread_id": thread_id, "approved": True}))


def test_edited_parameters_are_what_runs(customer: httpx.Client) -> None:
    thread_id, _ = chat(customer, "transfer")
    body = {"thread_id": thread_id, "approved": True, "tool_calls": [{"name": "transfer", "args": {"amount": 10}}]}

    assert "transferred 10" in only(stream(customer, "/continue_thread", body), "tool_result")["content"]


def test_parameters_that_do_not_fit_change_nothing_and_can_be_sent_again(customer: httpx.Client) -> None:
    thread_id, _ = chat(customer, "transfer")
    body = {"thread_id": thread_id, "approved": True, "tool_calls": [{"name": "transfer", "args": {"amount": "ten"}}]}

    refused = customer.post("/continue_thread", json=body)
    again = stream(customer, "/continue_thread", {"thread_id": thread_id, "approved": True})

    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_decision")
    assert only(again, "tool_result")["content"] == "transferred 42.5"


def test_a_call_without_parameters_runs_as_it_was_shown(customer: httpx.Client) -> None:
    thread_id, _ = chat(customer, "transfer")
    body = {"thread_id": thread_id, "approved": True, "tool_calls": [{"name": "transfer"}]}

    assert only(stream(customer, "/continue_thread", body), "tool_result")["content"] == "transferred 42.5"


def test_an_approval_of_no_call_changes_nothing_and_can_be_sent_again(customer: httpx.Client) -> None:
    thread_id, _ = chat(customer, "transfer")

    refused = customer.post("/continue_thread", json={"thread_id": thread_id, "approved": True, "tool_calls": []})
    again = stream(customer, "/continue_thread", {"thread_id": thread_id, "approved": True})

    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_decision")
    assert "names no call that shall run" in refused.json()["detail"]
    assert only(again, "tool_result")["content"] == "transferred 42.5"


def test_several_calls_are_one_request_and_take_a_decision_each(customer: httpx.Client) -> None:
    thread_id, asked = chat(customer, "transfer twice")
    calls = only(asked, "tool_request")["tool_calls"]
    one = {"thread_id": thread_id, "approved": True, "tool_calls": [{**calls[1], "args": {"amount": 2}}]}

    half = stream(customer, "/continue_thread", one)
    rest = stream(customer, "/continue_thread", {"thread_id": thread_id, "approved": False, "reason": "once is enough"})

    assert [call["args"] for call in calls] == [{"amount": 1.5}, {"amount": 2}]
    assert kinds(half) == ["session", "tool_request", "done"]
    assert [call["id"] for call in only(half, "tool_request")["tool_calls"]] == [calls[0]["id"]]
    results = {frame["tool_call_id"]: frame for frame in rest if frame["type"] == "tool_result"}
    assert results[calls[1]["id"]]["content"] == "transferred 2"
    assert results[calls[0]["id"]]["status"] == "error"
    assert "once is enough" in results[calls[0]["id"]]["content"]


def test_a_rejection_reaches_the_agent_and_the_conversation_goes_on(customer: httpx.Client) -> None:
    thread_id, _ = chat(customer, "transfer")

    frames = stream(customer, "/continue_thread", {"thread_id": thread_id, "approved": False, "tool_calls": []})
    _, after = chat(customer, "still there?", thread_id)

    assert only(frames, "tool_result")["status"] == "error"
    assert frames[-1]["status"] == "active"
    assert content(after) == "You said: still there?"


def test_an_operators_request_is_waited_for_and_not_the_customers_to_decide(
    customer: httpx.Client, operator: httpx.Client
) -> None:
    thread_id, frames = chat(customer, "refund please")
    waiting = only(frames, "waiting")

    by_customer = customer.post("/continue_thread", json={"thread_id": thread_id, "approved": True})
    unseen = customer.get(f"/api/v1/requests/{waiting['request_id']}")
    operator.post(f"/api/v1/requests/{waiting['request_id']}/decision", json={"type": "approve"})
    rest = until(lambda: [f for f in picked_up(customer, thread_id) if f["type"] == "tool_result"])

    assert kinds(frames) == ["session", "thought", "waiting", "done"]
    assert waiting["message"] == "This is being checked, please wait a moment."
    assert frames[-1]["status"] == "waiting_for_human"
    assert (by_customer.status_code, by_customer.json()["code"]) == (409, "conflict")
    assert unseen.status_code == 404
    assert rest[0]["content"] == "refunded 12345"


def test_a_turn_may_need_both_the_customer_and_an_operator(customer: httpx.Client, operator: httpx.Client) -> None:
    thread_id, asked = chat(customer, "transfer and refund")
    half = stream(customer, "/continue_thread", {"thread_id": thread_id, "approved": True})
    operator.post(f"/api/v1/requests/{only(half, 'waiting')['request_id']}/decision", json={"type": "approve"})
    rest = until(lambda: [f for f in picked_up(customer, thread_id) if f["type"] == "tool_result"][1:])

    assert {"tool_request", "waiting"} <= set(kinds(asked))
    assert kinds(half) == ["session", "waiting", "done"]
    assert len(rest) == 1


def test_the_agents_own_words_are_the_waiting_line_when_it_said_any(customer: httpx.Client) -> None:
    thread_id, frames = chat(customer, "politely refund")

    events = customer.get(f"/api/v1/sessions/{thread_id}/chat", headers={"Accept": "application/json"}).json()
    assert content(frames) == "One moment."
    assert events["content"] == "One moment."


def test_a_message_while_somebody_is_asked_is_kept_and_says_what_is_waited_for(
    customer: httpx.Client, operator: httpx.Client
) -> None:
    thread_id, asked = chat(customer, "refund")
    _, meanwhile = chat(customer, "hello?", thread_id)
    operator.post(f"/api/v1/requests/{only(asked, 'waiting')['request_id']}/decision", json={"type": "approve"})

    assert kinds(meanwhile) == ["session", "waiting", "done"]
    assert until(lambda: "You said: hello?" in content(picked_up(customer, thread_id)))


def test_a_client_that_asks_for_json_gets_one_object(customer: httpx.Client) -> None:
    json_please = {"Accept": "application/json"}
    asked = customer.post("/chat", json={"message": "transfer"}, headers=json_please).json()
    body = {"thread_id": asked["thread_id"], "approved": True}
    answered = customer.post("/continue_thread", json=body, headers=json_please).json()

    assert asked["status"] == "waiting_for_human"
    assert asked["messages"][-2]["type"] == "tool_request"
    assert (answered["status"], answered["content"]) == ("active", "Result: transferred 42.5")


def test_a_tool_that_fails_is_a_result_with_an_error(customer: httpx.Client) -> None:
    _, frames = chat(customer, "look up")

    result = only(frames, "tool_result")
    assert (result["status"], result["content"]) == ("error", "the order system is down")
    assert frames[-1]["status"] == "active"


def test_a_run_that_fails_is_an_error_and_the_next_message_is_answered(customer: httpx.Client) -> None:
    thread_id, frames = chat(customer, "explode")
    _, after = chat(customer, "hello", thread_id)

    assert only(frames, "error")["code"] == "run_failed"
    assert frames[-1]["status"] == "error"
    assert content(after) == "You said: hello"


def test_a_broken_connection_stops_nothing_and_the_stream_can_be_picked_up(customer: httpx.Client) -> None:
    with customer.stream("POST", "/chat", json={"message": "long story"}) as answer:
        lines = answer.iter_lines()
        first = [line for _, line in zip(range(12), lines, strict=False)]
    data = [json.loads(line[6:]) for line in first if line.startswith("data: ")]
    place = [line[4:] for line in first if line.startswith("id: ")][len(data) - 1]

    rest = picked_up(customer, data[0]["thread_id"], place)

    from tests.service.desk import LONG

    assert content(data) + content(rest) == LONG
    assert rest[-1]["type"] == "done"


def test_a_message_that_is_sent_again_is_not_a_second_message(customer: httpx.Client) -> None:
    thread_id, _ = chat(customer, "hello")
    body = {"message": "again", "thread_id": thread_id, "message_id": "m-1"}

    first, second = stream(customer, "/chat", body), stream(customer, "/chat", body)
    other = customer.post("/chat", json={**body, "message": "something else"})

    assert content(first) == content(second) == "You said: again"
    assert content(picked_up(customer, thread_id)).count("again") == 1
    assert other.status_code == 422


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/chat", b"{not json", 422, "invalid_input"),
        ("/continue_thread", b"{not json", 422, "invalid_input"),
        ("/continue_thread", b'{"approved": true}', 422, "invalid_input"),
        ("/continue_thread", b'{"thread_id": "THREAD"}', 422, "invalid_input"),
        ("/continue_thread", b'{"thread_id": "no-such-thread", "approved": true}', 404, "not_found"),
        ("/continue_thread", b'{"thread_id": "THREAD", "approved": true}', 409, "conflict"),
        ("/chat", b'{"message": "hi", "thread_id": "no-such-thread"}', 404, "not_found"),
        ("/chat", b'{"message": "hi", "agent": "nobody"}', 404, "not_found"),
        ("/chat", b'{"message": "   "}', 422, "invalid_input"),
    ],
)
def test_what_cannot_work_is_answered_as_a_problem(
    customer: httpx.Client, path: str, body: bytes, status: int, code: str
) -> None:
    thread_id, _ = chat(customer, "hello")
    sent = body.replace(b"THREAD", thread_id.encode())

    answer = customer.post(path, content=sent, headers={"Content-Type": "application/json"})

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_thread_is_only_for_its_own_customer(desk: RunningDesk, customer: httpx.Client) -> None:
    thread_id, _ = chat(customer, "transfer")

    with desk.visitor() as other:
        chat(other, "hello")
        for path in ("/chat", "/continue_thread"):
            answer = other.post(path, json={"thread_id": thread_id, "approved": True, "message": "hi"})
            assert answer.status_code == 404
