"""Wake-ups: whoever waits hears of every commit, in this process and, on PostgreSQL, in others."""

from __future__ import annotations

import asyncio

import pytest

from handraise.core.log.facts import MessageSent
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction, Watch
from tests.patience import PATIENCE
from tests.store.samples import ANN, add_sessions, say

LONG = PATIENCE
SHORT = 0.05


async def test_a_commit_wakes_who_waits_for_its_topic(store: Store) -> None:
    await add_sessions(store, "s1")
    with store.watch("events") as events, store.watch("nothing") as nothing:
        waiting = asyncio.create_task(events.wait(at_most=LONG))
        await asyncio.sleep(0)
        await say(store, "s1", "hello")
        assert await waiting
        assert not await nothing.wait(at_most=SHORT)


async def test_a_wake_up_before_the_wait_is_not_lost(store: Store) -> None:
    with store.watch("runs", "other") as watch:
        await store.write(lambda tx: wake(tx, "other"))
        assert await watch.wait(at_most=LONG)


async def test_a_failed_transaction_wakes_nobody(store: Store) -> None:
    async def fail(tx: Transaction) -> None:
        tx.wake("topic")
        raise LookupError

    with store.watch("topic") as watch:
        with pytest.raises(LookupError):
            await store.write(fail)
        assert not await watch.wait(at_most=SHORT)


async def test_a_watch_that_was_left_is_forgotten(store: Store) -> None:
    with store.watch("topic") as left:
        pass
    await store.write(lambda tx: wake(tx, "topic"))
    assert not await left.wait(at_most=SHORT)


async def test_a_watch_can_be_fired_alone(store: Store) -> None:
    with store.watch("topic") as one, store.watch("topic") as other:
        one.fire()
        assert await one.wait(at_most=LONG)
        assert not await other.wait(at_most=SHORT)


async def test_what_a_cancelled_caller_wrote_still_wakes_others(sqlite_url: str) -> None:
    """SQLite commits what was begun, so it must also tell of it."""
    async with open_store(sqlite_url) as store:
        await add_sessions(store, "s1")
        with store.watch("events") as watch:
            writing = asyncio.create_task(say(store, "s1", "hello"))
            await asyncio.sleep(0)
            writing.cancel()
            assert await watch.wait(at_most=LONG)
        assert await store.read(lambda tx: tx.events.head()) == 1


async def test_a_waiter_that_reads_after_each_wake_up_sees_everything(store: Store) -> None:
    await add_sessions(store, "s1")
    seen = 0

    async def follow() -> None:
        nonlocal seen
        with store.watch("events") as watch:
            while seen < 50:
                seen = await store.read(lambda tx: tx.events.head())
                if seen < 50:
                    assert await watch.wait(at_most=LONG)

    await asyncio.gather(follow(), *(say(store, "s1", str(number)) for number in range(50)))
    assert seen == 50


async def until_heard(speaker: Store, watch: Watch) -> None:
    """Speak until `watch` hears it (its listener may still be connecting), and on until it is quiet again."""
    while not await watch.wait(at_most=SHORT):
        await speaker.write(lambda tx: wake(tx, "events"))
    while await watch.wait(at_most=SHORT * 4):
        pass


async def test_postgresql_wakes_other_processes(postgres_url: str) -> None:
    async with open_store(postgres_url) as here, open_store(postgres_url) as there:
        await add_sessions(here, "s1")
        with there.watch("events") as events, there.watch("runs") as runs:
            await until_heard(here, events)
            runs.fire()
            assert await runs.wait(at_most=LONG)
            await say(here, "s1", "hello")
            assert await events.wait(at_most=LONG)
            assert not await runs.wait(at_most=SHORT)


async def test_postgresql_listens_again_after_its_connection_broke(postgres_url: str) -> None:
    async with open_store(postgres_url) as here, open_store(postgres_url) as there:
        with there.watch("events") as watch:
            await until_heard(here, watch)

            async def break_listeners(tx: Transaction) -> None:
                await tx.connection.all(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
                )

            await here.write(break_listeners)
            assert await watch.wait(at_most=LONG), "it wakes by itself once it listens again"
            await until_heard(here, watch)


async def wake(tx: Transaction, topic: str) -> None:
    tx.wake(topic)


async def test_events_wake_without_being_asked_to(store: Store) -> None:
    await add_sessions(store, "s1")

    async def append(tx: Transaction) -> None:
        tx.events.append("s1", MessageSent(message_id="m", text="hi"), by=ANN)

    with store.watch("events") as watch:
        await store.write(append)
        assert await watch.wait(at_most=LONG)
