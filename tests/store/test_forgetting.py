"""Forgetting in both databases: whatever a person decided, only its kind remains."""

from __future__ import annotations

import pytest

from handraise.core.decisions import DECISION_KINDS, Approve, Edit, Reject, Respond
from handraise.store.store import Store
from tests.store.samples import ANN, NOON, a_request, add_sessions, get_request, open_requests

DECISIONS = (
    Approve(),
    Edit(args={"to": "secret"}),
    Reject(reason="secret"),
    Respond(text="secret", data={"secret": "secret"}),
)


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.type)
async def test_no_decision_keeps_its_words(store: Store, decision: Approve | Edit | Reject | Respond) -> None:
    await add_sessions(store, "s1")
    asked = a_request(allowed=DECISION_KINDS)
    await open_requests(store, asked)
    decided = asked.decide(decision, by=ANN, at=NOON)
    assert await store.write(lambda tx: tx.requests.close(decided))

    await store.write(lambda tx: tx.forgetting.forget("s1", up_to=0))

    left = (await get_request(store, asked.id)).decision
    assert left is not None
    assert left.type == decision.type
    assert "secret" not in left.model_dump_json()


def test_every_kind_of_decision_is_tried() -> None:
    assert tuple(decision.type for decision in DECISIONS) == DECISION_KINDS
