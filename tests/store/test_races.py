"""A thousand races for each pair of contenders: exactly one winner, whoever it is."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest

from handraise.core.actors import CLOCK
from handraise.core.requests import Request
from handraise.store.store import Store
from handraise.store.tables.requests import Requests
from tests.store.samples import ANN, BEN, a_request, add_sessions, decide, expire, open_requests

RACES = 1_000
AT_ONCE = 50

Contender = Callable[[Store, Request], Awaitable[bool]]


async def ann_decides(store: Store, request: Request) -> bool:
    return await decide(store, request, by=ANN)


async def ben_decides(store: Store, request: Request) -> bool:
    return await decide(store, request, by=BEN)


async def race(store: Store, *contenders: Contender, races: int) -> list[int]:
    """Let the contenders, who have all read the open request, close it at once. Return each race's winners."""
    sessions = [f"s{number}" for number in range(AT_ONCE)]
    await add_sessions(store, *sessions)
    requests = [a_request(f"r{number}", session_id=sessions[number % AT_ONCE]) for number in range(races)]
    await open_requests(store, *requests)
    winners: list[int] = []
    for first in range(0, races, AT_ONCE):
        batch = requests[first : first + AT_ONCE]
        # Alternate who starts, so that neither contender wins by being first in the queue.
        order = contenders if (first // AT_ONCE) % 2 else contenders[::-1]
        won = await asyncio.gather(*(contend(store, request) for request in batch for contend in order))
        winners += [sum(won[index : index + len(order)]) for index in range(0, len(won), len(order))]
    return winners


@pytest.mark.parametrize("rival", [ben_decides, expire], ids=["decide", "expire"])
async def test_exactly_one_contender_wins_each_race(store: Store, rival: Contender) -> None:
    assert Counter(await race(store, ann_decides, rival, races=RACES)) == {1: RACES}
    events = await store.read(lambda tx: tx.events.since(0, limit=RACES + 1))
    assert len(events) == RACES, "the loser leaves no trace"
    stored = {request.id: request for request in await store.read(lambda tx: tx.requests.of_run("run-1"))}
    by: Counter[str] = Counter()
    for event in events:
        assert event.fact.name in ("request.decided", "request.expired")
        closed = stored[event.fact.request.id]
        assert closed == event.fact.request, "the row and the event name the same winner"
        by[str(closed.decided_by)] += 1
    assert set(by) == {"operator ann", "operator ben" if rival is ben_decides else str(CLOCK)}, (
        "both sides must win some"
    )


async def test_without_compare_and_set_both_would_win(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the same race, with a close that trusts what was read before."""

    async def close_blindly(self: Requests, closed: Request) -> bool:
        changed = await self._connection.run(
            "UPDATE requests SET status = :status WHERE id = :id", {"id": closed.id, "status": closed.status}
        )
        return changed == 1

    monkeypatch.setattr(Requests, "close", close_blindly)
    assert 2 in await race(store, ann_decides, ben_decides, races=AT_ONCE)
