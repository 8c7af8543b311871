"""The first run: something of every kind waits, there is history, and a second start changes nothing."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.demo.conversation import Service
from tests.running import RunningDemo

pytestmark = pytest.mark.real


class SeededDemo(RunningDemo):
    """The demo as it starts when nothing is said about it."""

    command: ClassVar[list[str]] = ["demo"]


@pytest.fixture(params=["sqlite", "postgres"])
def seeded(request: pytest.FixtureRequest, tmp_path: Path) -> RunningDemo:
    url = str(request.getfixturevalue(f"{request.param}_url"))
    return SeededDemo(url, "--data", str(tmp_path))


def kinds(requests: list[dict[str, Any]]) -> Counter[str]:
    return Counter(request["question_type"] or request["tool"] for request in requests)


def test_a_first_run_has_something_of_every_kind_and_a_second_keeps_it(seeded: RunningDemo) -> None:
    started = datetime.now(UTC)
    with seeded, Service(seeded) as service:
        waiting = service.waiting()
        published, drafts = service.entries("published"), service.entries("draft")
        seeded.stop()
        seeded.start()
        with Service(seeded) as again:
            assert [request["id"] for request in again.waiting()] == [request["id"] for request in waiting]
            assert len(again.entries("published")) == len(published)

    assert kinds(waiting) == {
        "refund_order": 2,
        "cancel_orders": 1,
        "grant_points": 1,
        "information_query": 1,
        "decision_required": 1,
        "risk_confirmation": 1,
        "knowledge_gap": 1,
    }
    deadlines = [datetime.fromisoformat(request["deadline"]) for request in waiting if request["deadline"]]
    soon = [deadline for deadline in deadlines if deadline < started + timedelta(minutes=10)]
    assert len(soon) == 1
    assert min(deadlines) > started + timedelta(minutes=2)
    assert (len(published), len(drafts)) == (13, 1)
    assert {entry["created_by"]["id"] for entry in published} == {"ada", "lin"}
    assert {entry["language"] for entry in published} == {"zh", "en"}


def test_what_waits_can_be_carried_on(seeded: RunningDemo) -> None:
    with seeded, Service(seeded) as service:
        for request in service.waiting():
            customer = service.customer_of(request["session_id"])
            decision = {
                "approval": {"type": "approve"},
                "question": {"type": "respond", "text": "好的，可以"},
            }[request["kind"]]
            assert len(customer.is_decided(decision)[-1]) > 1
        assert service.waiting() == []


def test_fresh_starts_without_and_does_not_fill_what_was_used(sqlite_url: str) -> None:
    with RunningDemo(sqlite_url) as demo, Service(demo) as service:
        assert (service.waiting(), service.entries("published")) == ([], [])
        service.customer().writes("hello")
        demo.stop()
    with SeededDemo(sqlite_url) as demo, Service(demo) as service:
        assert service.waiting() == []
