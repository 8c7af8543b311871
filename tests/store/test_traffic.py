"""Everything at once: customers write, runners pause and resume, operators and the clock decide."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from handraise.core.actors import CLOCK, SERVICE
from handraise.core.decisions import Approve
from handraise.core.log.facts import MessageReceived, RequestDecided, RequestExpired, RequestOpened, RunFinished
from handraise.core.runs import Run
from handraise.store.drivers import postgres
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from handraise.store.tables.request_lists import Filter
from tests.store.samples import ANN, MINUTE, NOON, a_request, add_sessions, claim

SESSIONS = [f"s{number}" for number in range(6)]
MESSAGES = 6


async def customer(store: Store, session_id: str) -> None:
    for number in range(MESSAGES):
        run_id = f"{session_id}:{number}"

        async def write(tx: Transaction, run_id: str = run_id) -> None:
            await tx.sessions.lock(session_id)
            await tx.runs.enqueue(run_id=run_id, session_id=session_id, input={})
            tx.events.append(session_id, MessageReceived(message_id=run_id, run_id=run_id, text=""), by=SERVICE)
            tx.wake("runs")

        await store.write(write)


async def step(store: Store, run: Run) -> None:
    """Pause a run that has not asked yet, with a request; finish one that has."""

    async def write(tx: Transaction) -> None:
        session = await tx.sessions.lock(run.session_id)
        await tx.runs.hold(run)
        request = a_request(f"of {run.id}", session_id=run.session_id, run_id=run.id)
        if await tx.requests.open(request):
            await tx.runs.pause(run)
            await tx.sessions.move(session, "wait")
            tx.events.append(run.session_id, RequestOpened(request=request), by=SERVICE)
        else:
            await tx.runs.finish(run)
            tx.events.append(run.session_id, RunFinished(run_id=run.id), by=SERVICE)
        tx.wake("runs")

    await store.write(write)


async def close_one(store: Store, *, by_clock: bool) -> None:
    """Close any open request the way the service does: lock, read again, apply the rules, compare and set."""
    page = await store.read(lambda tx: tx.requests.list_open(Filter(), limit=3))
    for seen in page.items:

        async def write(tx: Transaction, id: str = seen.id, session_id: str = seen.session_id) -> None:
            session = await tx.sessions.lock(session_id)
            request = await tx.requests.get(id)
            if request.status != "open":
                return
            closed = request.expire(at=NOON) if by_clock else request.decide(Approve(), by=ANN, at=NOON)
            assert await tx.requests.close(closed), "nobody changes a request of a locked session"
            await tx.runs.resume(request.run_id)
            await tx.sessions.move(session, "answer")
            fact = RequestExpired(request=closed) if by_clock else RequestDecided(request=closed)
            tx.events.append(session_id, fact, by=CLOCK if by_clock else ANN)
            tx.wake("runs")

        await store.write(write)


async def play(*stores: Store) -> None:
    """Let everybody act on the same sessions until every run is done."""
    done: list[str] = []
    total = len(SESSIONS) * MESSAGES

    async def runner(store: Store, name: str) -> None:
        while len(done) < total:
            run = await claim(store, owner=name, lease=MINUTE)
            if run is None:
                await asyncio.sleep(0.002)
                continue
            await step(store, run)
            if run.epoch == 2:
                done.append(run.id)

    async def closer(store: Store, *, by_clock: bool) -> None:
        while len(done) < total:
            await close_one(store, by_clock=by_clock)
            await asyncio.sleep(0.001)

    await add_sessions(stores[0], *SESSIONS)
    await asyncio.gather(
        *(customer(stores[0], session_id) for session_id in SESSIONS),
        *(runner(store, f"runner-{number}") for number in range(3) for store in stores),
        *(closer(store, by_clock=by_clock) for by_clock in (True, False) for store in stores),
    )


async def check(store: Store) -> None:
    events = await store.read(lambda tx: tx.events.since(0, limit=10_000))
    assert [event.seq for event in events] == list(range(1, len(SESSIONS) * MESSAGES * 4 + 1))
    names = Counter(event.fact.name for event in events)
    closed = names.pop("request.decided", 0) + names.pop("request.expired", 0)
    assert closed == len(SESSIONS) * MESSAGES
    assert set(names.values()) == {len(SESSIONS) * MESSAGES}
    for session_id in SESSIONS:
        finished = [
            event.fact.run_id
            for event in events
            if event.session_id == session_id and isinstance(event.fact, RunFinished)
        ]
        assert finished == [f"{session_id}:{number}" for number in range(MESSAGES)]


async def test_busy_sessions_keep_their_order(store: Store) -> None:
    await play(store)
    await check(store)


async def test_two_stores_on_one_postgresql_never_deadlock(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "ATTEMPTS", 1)  # so that a deadlock is raised, not mended
    async with open_store(postgres_url) as one, open_store(postgres_url) as other:
        await play(one, other)
        await check(one)


async def test_postgresql_breaks_a_deadlock_and_the_loser_tries_again(postgres_url: str) -> None:
    """Two writers who lock the same sessions in opposite orders: against our rule, but nobody may be hurt."""
    async with open_store(postgres_url) as store:
        await add_sessions(store, "a", "b")
        both_hold_one = asyncio.Barrier(2)
        attempts: list[str] = []

        async def lock(tx: Transaction, first: str, second: str) -> None:
            attempts.append(first)
            await tx.sessions.lock(first)
            if attempts.count(first) == 1:
                await both_hold_one.wait()
            await tx.sessions.lock(second)

        await asyncio.gather(
            store.write(lambda tx: lock(tx, "a", "b")),
            store.write(lambda tx: lock(tx, "b", "a")),
        )
        assert len(attempts) == 3, "one of the two was run again"
