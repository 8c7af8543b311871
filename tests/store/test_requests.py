"""Requests in both databases: opened once, closed once, returned exactly."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from handraise.core.decisions import Edit, Respond
from handraise.core.errors import NotFound
from handraise.core.policy import Ruling
from handraise.core.requests import Option, Request
from handraise.store.store import Store
from tests.store.samples import (
    ANN,
    BEN,
    MINUTE,
    NOON,
    a_request,
    add_sessions,
    decide,
    expire,
    get_request,
    open_requests,
)

FULL: dict[str, Any] = {
    "kind": "question",
    "audience": "customer",
    "position": 3,
    "args": {
        "金额": 1.0,
        "whole": 1,
        "text": "",
        "emoji": "👩🏽‍💻",
        "quotes": "'\"\\%s :name ?",
        "deep": [[{"a": None}]],
    },
    "args_schema": {"type": "object", "properties": {}},
    "description": "退款 42.5 元\n第二行",
    "allowed": ("respond", "reject"),
    "ruling": Ruling(verdict="ask", rule="refund*", reason=""),
    "agent": "客服",
    "question": "可以退吗？",
    "question_type": "risk_confirmation",
    "options": (Option(id="yes", label="可以"), Option(id="no", label="不", description="…")),
    "context": {"big": 2**53 - 1, "small": 1e-300, "flag": False, "none": None},
    "urgency": "high",
    "deadline": NOON + MINUTE,
    "on_timeout": "ticket",
    "claimed_by": "ann",
    "claim_until": NOON + timedelta(microseconds=1),
}


async def test_every_value_comes_back_exactly(store: Store) -> None:
    await add_sessions(store, "s1")
    asked = a_request(**FULL)
    await open_requests(store, asked)
    stored = await get_request(store, "r1")
    assert stored == asked
    assert repr(stored.args) == repr(asked.args), "1.0 must stay 1.0, and keys keep their order"

    decided = stored.decide(
        Respond(text="好的 ✅", selected_option="yes", data={"n": 1.0}), by=ANN, at=NOON + timedelta(microseconds=7)
    )
    assert await store.write(lambda tx: tx.requests.close(decided))
    assert repr(await get_request(store, "r1")) == repr(decided)


async def test_opening_twice_is_opening_once(store: Store) -> None:
    await add_sessions(store, "s1")
    assert await store.write(lambda tx: tx.requests.open(a_request()))
    assert not await store.write(lambda tx: tx.requests.open(a_request(description="asked again")))
    assert await get_request(store, "r1") == a_request()


async def test_opening_again_does_not_reopen_a_closed_request(store: Store) -> None:
    await add_sessions(store, "s1")
    await open_requests(store, a_request())
    assert await decide(store, a_request(), by=ANN)
    assert not await store.write(lambda tx: tx.requests.open(a_request()))
    assert (await get_request(store, "r1")).status == "decided"


async def test_the_second_decision_loses_and_changes_nothing(store: Store) -> None:
    await add_sessions(store, "s1")
    request = a_request()
    await open_requests(store, request)
    edited = request.decide(Edit(args={"order": "A-7", "amount": 10}), by=ANN, at=NOON)
    assert await store.write(lambda tx: tx.requests.close(edited))
    assert not await decide(store, request, by=BEN)
    assert not await expire(store, request)
    assert await get_request(store, "r1") == edited
    assert edited.approved_digest != request.digest


async def test_a_change_made_meanwhile_is_not_overwritten(store: Store) -> None:
    await add_sessions(store, "s1")
    request = a_request()
    await open_requests(store, request)
    claimed = request.model_copy(update={"claimed_by": "ann", "claim_until": NOON + MINUTE, "version": 2})
    other = request.model_copy(update={"claimed_by": "ben", "claim_until": NOON + MINUTE, "version": 2})
    assert await store.write(lambda tx: tx.requests.update(claimed))
    assert not await store.write(lambda tx: tx.requests.update(other))
    assert not await decide(store, request, by=BEN), "it was read before the claim"
    assert await decide(store, claimed, by=ANN)


async def test_a_request_that_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="no request 'r9'"):
        await get_request(store, "r9")
    assert not await store.write(lambda tx: tx.requests.close(a_request("r9").expire(at=NOON)))


async def test_a_runs_requests_come_in_the_order_they_were_asked(store: Store) -> None:
    await add_sessions(store, "s1")
    asked = [
        a_request("r3", interrupt_id="i1", position=0),
        a_request("r1", interrupt_id="i1", position=1),
        a_request("r2", interrupt_id="i0", position=0, created_at=NOON + MINUTE),
    ]
    await open_requests(store, asked[2], asked[1], asked[0], a_request("r4", run_id="another"))
    assert await store.read(lambda tx: tx.requests.of_run("run-1")) == asked
    assert await store.read(lambda tx: tx.requests.count_open("run-1")) == 3
    await decide(store, asked[0], by=ANN)
    assert await store.read(lambda tx: tx.requests.count_open("run-1")) == 2


async def test_only_open_requests_past_their_deadline_are_due_the_longest_overdue_first(store: Store) -> None:
    await add_sessions(store, "s1")
    now = await store.read(lambda tx: tx.now())

    def due_in(id: str, wait: timedelta) -> Request:
        return a_request(id, created_at=now, deadline=now + wait)

    await open_requests(
        store,
        due_in("just over", -timedelta(seconds=1)),
        due_in("long over", -MINUTE),
        due_in("answered", -MINUTE * 2),
        due_in("later", MINUTE),
        a_request("never"),
    )
    await decide(store, due_in("answered", -MINUTE * 2), by=ANN)
    due = await store.read(lambda tx: tx.requests.due(limit=10))
    assert [request.id for request in due] == ["long over", "just over"]
    assert await store.read(lambda tx: tx.requests.due(limit=1)) == due[:1]
    assert await store.read(lambda tx: tx.requests.until_next_deadline()) == timedelta(0)
    for request in due:
        assert await expire(store, request)
    wait = await store.read(lambda tx: tx.requests.until_next_deadline())
    assert wait is not None
    assert timedelta(0) < wait <= MINUTE


async def test_without_deadlines_there_is_nothing_to_wait_for(store: Store) -> None:
    assert await store.read(lambda tx: tx.requests.until_next_deadline()) is None
