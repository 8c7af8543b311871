"""SQLite's writer: many transactions in one commit, none of them able to harm another or to outlive the store."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from handraise.core.errors import Unavailable
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from tests.patience import PATIENCE
from tests.store.samples import a_request, a_session, add_sessions, open_requests

pytestmark = pytest.mark.real


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    async with open_store(sqlite_url) as opened:
        await add_sessions(opened, "s1")
        yield opened


def our_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("handraise-")]


async def test_it_writes_ahead_and_flushes_every_commit(store: Store) -> None:
    async def pragmas(tx: Transaction) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [(await tx.connection.all(f"PRAGMA {name}"))[0][0] for name in names]

    assert await store.write(pragmas) == ["wal", 2, 1]


@pytest.mark.parametrize("boundary", ["COMMIT", "rollback", " END", "BEGIN", "SAVEPOINT x", "RELEASE work"])
async def test_work_cannot_end_the_transaction_it_shares(store: Store, boundary: str) -> None:
    async def meddle(tx: Transaction) -> None:
        await tx.requests.open(a_request("lost"))
        await tx.connection.run(boundary)

    before, meddling, after = await asyncio.gather(
        open_requests(store, a_request("a")),
        store.write(meddle),
        open_requests(store, a_request("b")),
        return_exceptions=True,
    )
    assert (before, after) == (None, None)
    assert "inside a transaction" in str(meddling)
    assert [request.id for request in await store.read(lambda tx: tx.requests.of_run("run-1"))] == ["a", "b"]


async def test_work_that_waits_for_something_else_is_refused(store: Store) -> None:
    async def wait(tx: Transaction) -> None:
        await tx.requests.open(a_request("lost"))
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="waited for something other than its database connection"):
        await store.write(wait)
    assert await store.read(lambda tx: tx.requests.of_run("run-1")) == []


async def test_a_full_disk_fails_the_whole_batch_and_the_writer_goes_on(store: Store) -> None:
    """When SQLite itself rolls back, everybody in the batch hears that nothing was saved."""

    async def limit(tx: Transaction, pages: int) -> None:
        await tx.connection.one(f"PRAGMA max_page_count = {pages}")

    async def fill(tx: Transaction) -> None:
        await tx.requests.open(a_request("big", description="x" * 4_000_000))

    await store.write(lambda tx: limit(tx, 1))
    outcomes = await asyncio.gather(open_requests(store, a_request("small")), store.write(fill), return_exceptions=True)
    stored = {request.id for request in await store.read(lambda tx: tx.requests.of_run("run-1"))}
    assert isinstance(outcomes[1], Unavailable)
    assert "disk is full" in str(outcomes[1])
    assert ("small" in stored) == (outcomes[0] is None), "what was acknowledged is there, what was not is not"
    assert "big" not in stored
    await store.write(lambda tx: limit(tx, 1_000_000))
    await open_requests(store, a_request("after"))


async def test_a_locked_file_is_reported_and_the_writer_goes_on(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **{**options, "timeout": 0.01}))
    async with open_store(sqlite_url) as store:
        other = connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="could not be written: database is locked"):
            await add_sessions(store, "s1")
        other.execute("ROLLBACK")
        other.close()
        await add_sessions(store, "s1")


async def test_closing_finishes_what_was_begun_and_ends_every_thread(tmp_path: Path) -> None:
    assert our_threads() == []
    store = open_store(str(tmp_path / "db"))
    async with store:
        await add_sessions(store, "s1")
        pending = [asyncio.create_task(open_requests(store, a_request(f"r{number}"))) for number in range(100)]
        await asyncio.sleep(0)
        assert our_threads()
    assert our_threads() == []
    assert await asyncio.gather(*pending) == [None] * 100


async def test_a_write_while_closing_is_answered(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "db"))
    await store.__aenter__()
    closing = asyncio.create_task(store.__aexit__(None, None, None))
    await asyncio.sleep(0)
    with pytest.raises(Unavailable, match="is closed"):
        await store.write(lambda tx: tx.sessions.add(a_session()))
    await closing


async def test_many_callers_share_a_commit(store: Store) -> None:
    """While one commit is on its way to the disk the others gather, and go together: that is what makes it quick."""
    commits: list[str] = []
    everybody_waits = threading.Event()

    async def trace(tx: Transaction) -> None:
        tx.connection.raw.set_trace_callback(  # type: ignore[attr-defined]  # only SQLite's has it
            lambda sql: commits.append(sql) if sql == "COMMIT" else None
        )

    async def hold_up(_: Transaction) -> None:
        everybody_waits.wait(timeout=PATIENCE)

    await store.write(trace)
    callers = [asyncio.create_task(store.write(hold_up))]
    callers += [asyncio.create_task(open_requests(store, a_request(f"r{number}"))) for number in range(500)]
    await asyncio.sleep(0)
    everybody_waits.set()
    await asyncio.gather(*callers)
    assert len(commits) <= 4
