"""Events in both databases: numbered without gaps, and never seen out of order."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from handraise.core.errors import NotFound
from handraise.core.log.facts import Event, MessageSent, RequestOpened
from handraise.store.store import Store, Transaction
from tests.store.samples import ANN, a_request, add_sessions, say

WRITERS = 50


async def since(store: Store, seq: int, *, limit: int = 10_000) -> list[Event]:
    return await store.read(lambda tx: tx.events.since(seq, limit=limit))


def texts(events: list[Event]) -> list[str]:
    return [event.fact.text for event in events if isinstance(event.fact, MessageSent)]


async def test_an_event_comes_back_with_its_fact_actor_and_time(store: Store) -> None:
    await add_sessions(store, "s1")
    fact = RequestOpened(request=a_request(args={"金额": 1.0, "emoji": "✅"}))

    async def append(tx: Transaction) -> None:
        tx.events.append("s1", fact, by=ANN)

    before = await store.read(lambda tx: tx.now())
    await store.write(append)
    [event] = await since(store, 0)
    assert (event.seq, event.session_id, event.session_seq, event.actor) == (1, "s1", 1, ANN)
    assert event.fact == fact
    assert isinstance(event.fact, RequestOpened)
    assert repr(event.fact.request.args) == repr(fact.request.args)
    assert event.at >= before


async def test_facts_of_one_transaction_keep_their_order(store: Store) -> None:
    await add_sessions(store, "s1")
    await say(store, "s1", "你好", "", "👋")
    assert texts(await since(store, 0)) == ["你好", "", "👋"]


async def test_each_session_has_its_own_numbers(store: Store) -> None:
    await add_sessions(store, "s1", "s2")

    async def interleaved(tx: Transaction) -> None:
        for text in ("a", "b", "c"):
            for session_id in ("s2", "s1"):
                tx.events.append(session_id, MessageSent(message_id=text, text=session_id + text), by=ANN)

    await store.write(interleaved)
    await say(store, "s2", "d")
    of_s2 = await store.read(lambda tx: tx.events.of_session("s2"))
    assert [(event.session_seq, event.seq) for event in of_s2] == [(1, 1), (2, 3), (3, 5), (4, 7)]
    assert texts(of_s2) == ["s2a", "s2b", "s2c", "d"]
    assert await store.read(lambda tx: tx.events.of_session("s2", after=3)) == of_s2[3:]
    assert await store.read(lambda tx: tx.events.of_session("s2", limit=2)) == of_s2[:2]
    assert await since(store, 6) == of_s2[3:]
    assert await store.read(lambda tx: tx.events.head()) == 7


async def test_an_event_of_a_session_that_is_not_there_undoes_its_transaction(store: Store) -> None:
    with pytest.raises(NotFound, match="no session 'nobody'"):
        await say(store, "nobody", "hello")
    assert await store.read(lambda tx: tx.events.head()) == 0


async def test_fifty_writers_at_once_leave_no_gap(store: Store) -> None:
    sessions = [f"s{number}" for number in range(5)]
    await add_sessions(store, *sessions)

    async def writer(number: int) -> None:
        for turn in range(4):
            session_id = sessions[(number + turn) % len(sessions)]
            if (number + turn) % 7 == 0:
                with pytest.raises(NotFound):  # a failed transaction must not leave a hole
                    await store.write(partial(fail_after_events, session_id=session_id))
            await say(store, session_id, f"{number}.{turn}a", f"{number}.{turn}b")

    await asyncio.gather(*(writer(number) for number in range(WRITERS)))
    events = await since(store, 0)
    assert [event.seq for event in events] == list(range(1, WRITERS * 4 * 2 + 1))
    for session_id in sessions:
        numbers = [event.session_seq for event in events if event.session_id == session_id]
        assert numbers == list(range(1, len(numbers) + 1))
    at = [event.at for event in events]
    assert at == sorted(at)


async def fail_after_events(tx: Transaction, session_id: str) -> None:
    tx.events.append(session_id, MessageSent(message_id="x", text="lost"), by=ANN)
    await tx.events.flush()
    await tx.sessions.get("nobody")


async def test_a_reader_who_polls_while_others_write_misses_nothing(store: Store) -> None:
    await add_sessions(store, *(f"s{number}" for number in range(10)))
    total = 300
    seen: list[int] = []

    async def reader() -> None:
        while len(seen) < total:
            seen.extend(event.seq for event in await since(store, seen[-1] if seen else 0, limit=17))

    async def writer(number: int) -> None:
        for turn in range(total // 10):
            await say(store, f"s{number}", str(turn))

    await asyncio.gather(reader(), *(writer(number) for number in range(10)))
    assert seen == list(range(1, total + 1))
