"""Migrations: run once however many processes start, and a newer schema is left alone."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE

import pytest

from handraise.audit.checking import check_store
from handraise.core.errors import Misconfigured
from handraise.core.log.facts import RequestOpened
from handraise.core.requests import Request
from handraise.store.drivers import driver
from handraise.store.migrations import MIGRATIONS
from handraise.store.opening import open_store
from handraise.store.store import Transaction
from handraise.store.tables.request_lists import Filter
from tests.store.samples import ANN, a_request, add_sessions, get_request, open_requests

PROCESSES = 3


@pytest.fixture
def postgres_url(empty_postgres_url: str) -> str:
    """Return one that nobody has migrated yet."""
    return empty_postgres_url


OPEN_WHEN_TOLD = """
import asyncio, sys
from handraise.store.opening import open_store

async def main():
    async with open_store(sys.argv[1]) as store:
        await store.read(lambda tx: tx.events.head())

print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main())
"""


async def applied(url: str) -> list[int]:
    async def numbers(tx: Transaction) -> list[int]:
        return [row[0] for row in await tx.connection.all("SELECT number FROM handraise_migrations ORDER BY number")]

    async with open_store(url) as store:
        return await store.read(numbers)


async def test_a_migration_runs_once(database_url: str) -> None:
    expected = list(range(1, len(MIGRATIONS) + 1))
    assert await applied(database_url) == expected
    assert await applied(database_url) == expected


async def test_processes_that_start_at_once_migrate_once(database_url: str) -> None:
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", OPEN_WHEN_TOLD, database_url, stdin=PIPE, stdout=PIPE, stderr=PIPE
        )
        for _ in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
    outcomes = await asyncio.gather(*(process.communicate(b"\n") for process in processes))
    assert outcomes == [(b"", b"")] * PROCESSES
    assert [process.returncode for process in processes] == [0] * PROCESSES
    assert await applied(database_url) == list(range(1, len(MIGRATIONS) + 1))


async def test_a_newer_schema_is_refused_and_left_as_it_is(database_url: str) -> None:
    newer = len(MIGRATIONS) + 7

    async def pretend(tx: Transaction) -> None:
        await tx.connection.run("INSERT INTO handraise_migrations VALUES (:number, 0)", {"number": newer})

    async with open_store(database_url) as store:
        await store.write(pretend)
    with pytest.raises(Misconfigured) as refused:
        await applied(database_url)
    assert f"has schema {newer}, newer than this version's {len(MIGRATIONS)}." in refused.value.what
    assert refused.value.fix == "Upgrade handraise, or name another database."


def as_written_before(request: Request) -> Request:
    """Return a settlement as versions had it that knew two kinds of requests."""
    return request.model_copy(update={"kind": "question"})


async def test_settlements_that_were_questions_are_settlements_and_their_events_stay_as_written(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settlement = a_request("settles", kind="settlement", dialect="settlement")
    quoting = a_request("quotes", kind="question", dialect="human_request", context={"dialect": "settlement"})
    monkeypatch.setattr(driver, "MIGRATIONS", MIGRATIONS[:9])
    async with open_store(database_url) as store:
        await add_sessions(store, "s1")
        await open_requests(store, as_written_before(settlement), quoting)
        fact = RequestOpened(request=as_written_before(settlement))
        await store.write(lambda tx: append(tx, fact))
        before = await store.read(written)
    monkeypatch.undo()

    async with open_store(database_url) as store:
        kinds = [(await get_request(store, name)).kind for name in ("settles", "quotes")]
        listed = await store.read(lambda tx: tx.requests.list_all(Filter(kind="settlement"), status=None, limit=9))
        [event] = await store.read(lambda tx: tx.events.of_session("s1"))
        verdict = await check_store(store)
        after = await store.read(written)

    assert kinds == ["settlement", "question"]
    assert [request.id for request in listed.items] == ["settles"]
    assert isinstance(event.fact, RequestOpened)
    assert event.fact.request == settlement
    assert '"kind":"question"' in before
    assert after == before, "the chain covers what an event says"
    assert verdict.findings == []


async def test_notices_go_on_where_they_were_when_their_place_is_kept_with_the_other_cursors(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "MIGRATIONS", MIGRATIONS[:10])
    async with open_store(database_url) as store:
        await store.write(lambda tx: tx.connection.run("INSERT INTO positions (name, seq) VALUES ('channels', 41)"))
    monkeypatch.undo()

    async with open_store(database_url) as store:
        await store.write(lambda tx: tx.cursors.begin("channels"))
        assert await store.read(lambda tx: tx.cursors.get("channels")) == 41


async def append(tx: Transaction, fact: RequestOpened) -> None:
    tx.events.append("s1", fact, by=ANN)


async def written(tx: Transaction) -> str:
    row = await tx.connection.one("SELECT fact FROM events")
    assert row is not None
    return str(row[0])
