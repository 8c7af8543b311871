"""Sessions in both databases."""

from __future__ import annotations

import asyncio

import pytest

from handraise.core.errors import Conflict, IllegalMove, NotFound
from handraise.store.store import Store, Transaction
from tests.store.samples import a_session, add_sessions


async def test_a_session_comes_back_as_it_was_stored(store: Store) -> None:
    session = a_session("会话-1", customer="王小明 👩🏽‍💻", language="zh", agent="客服")
    await store.write(lambda tx: tx.sessions.add(session))
    assert await store.read(lambda tx: tx.sessions.get("会话-1")) == session


async def test_a_session_that_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="no session 'nobody'"):
        await store.read(lambda tx: tx.sessions.get("nobody"))
    with pytest.raises(NotFound, match="no session 'nobody'"):
        await store.write(lambda tx: tx.sessions.lock("nobody"))


async def test_adding_a_session_twice_is_a_conflict_that_changes_nothing(store: Store) -> None:
    await add_sessions(store, "s1")
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.sessions.add(a_session("s1", customer="somebody else")))
    assert (await store.read(lambda tx: tx.sessions.get("s1"))).customer == ""


async def test_moves_follow_the_table(store: Store) -> None:
    await add_sessions(store, "s1")

    async def wait(tx: Transaction) -> None:
        await tx.sessions.move(await tx.sessions.lock("s1"), "wait")

    async def time_out_twice(tx: Transaction) -> None:
        session = await tx.sessions.move(await tx.sessions.lock("s1"), "time_out")
        await tx.sessions.move(session, "time_out")

    await store.write(wait)
    with pytest.raises(IllegalMove):
        await store.write(time_out_twice)
    session = await store.read(lambda tx: tx.sessions.get("s1"))
    assert (session.status, session.version) == ("waiting_for_human", 2)


async def test_writers_who_lock_a_session_go_one_after_the_other(store: Store) -> None:
    """Each reads a number, adds one and writes it back: without the lock, increments would be lost."""
    await add_sessions(store, "s1")

    async def increment(tx: Transaction) -> None:
        await tx.sessions.lock("s1")
        row = await tx.connection.one("SELECT version FROM sessions WHERE id = 's1'")
        assert row is not None
        await tx.connection.run("UPDATE sessions SET version = :version WHERE id = 's1'", {"version": row[0] + 1})

    await asyncio.gather(*(store.write(increment) for _ in range(40)))
    assert (await store.read(lambda tx: tx.sessions.get("s1"))).version == 41
