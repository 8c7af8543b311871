"""Two services on one PostgreSQL: whoever is connected to one sees at once what happens at the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from tests.service.desk import RunningDesk
from tests.service.talking import chat, only


@pytest.fixture(scope="module")
def pair(new_database: Callable[[str], str]) -> Iterator[tuple[RunningDesk, RunningDesk]]:
    url = new_database("postgres")
    with RunningDesk(url) as one, RunningDesk(url) as other:
        # The key was printed by the one that was first; it opens both.
        other.key = one.key = one.key or other.key
        yield one, other


@pytest.mark.parametrize("decision", [{"type": "approve"}, {"type": "reject", "reason": "too old"}])
def test_a_customer_at_one_sees_live_the_answer_of_an_operator_at_the_other(
    pair: tuple[RunningDesk, RunningDesk], decision: dict[str, str]
) -> None:
    one, other = pair
    with one.visitor() as customer, other.program() as operator:
        session_id, frames = chat(customer, "refund")
        request_id = only(frames, "waiting")["request_id"]
        with customer.stream("GET", f"/api/v1/sessions/{session_id}/events") as stream:
            frames_of_session = (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))
            facts = (frame["event"]["fact"] for frame in frames_of_session if frame["type"] == "event")
            seen = [fact["name"] for _, fact in zip(range(5), facts, strict=False)]
            operator.post(f"/api/v1/requests/{request_id}/decision", json=decision).raise_for_status()
            live = []
            for fact in facts:
                live.append(fact)
                if fact["name"] == "run.finished":
                    break

    assert seen[-1] == "session.changed"
    assert [fact["name"] for fact in live] == ["session.changed", "tool.finished", "message.sent", "run.finished"]
    assert live[2]["text"].startswith("Result: ")


def test_an_operator_at_one_sees_what_is_asked_at_the_other(pair: tuple[RunningDesk, RunningDesk]) -> None:
    one, other = pair
    with one.program() as operator, other.visitor() as customer, operator.stream("GET", "/api/v1/live") as live:
        frames = (json.loads(line[6:]) for line in live.iter_lines() if line.startswith("data: "))
        assert next(frames)["type"] == "snapshot"
        session_id, _ = chat(customer, "refund")
        assert next(frames)["event"]["session_id"] == session_id
