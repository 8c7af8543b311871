"""SQLite keeps whatever somebody writes into a column: what is no number or no text is found, and stops no walk."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3

import pytest

from handraise.audit.checking import check_store
from handraise.audit.sealer import seal_all
from handraise.store.opening import open_store
from handraise.store.store import Store
from tests.audit.trails import EVENTS, write_trail

ODD = {
    "UPDATE seals SET seq = 'abc' WHERE number = 2": "seal 2",
    "UPDATE seals SET at = 'abc' WHERE number = 2": "seal 2",
    "UPDATE seals SET number = 'abc' WHERE number = 4": "seal 'abc'",
    "UPDATE events SET seq = 'zzz' WHERE seq = 3": "session s2 event 1",
    "UPDATE events SET session_id = CAST(session_id AS BLOB) WHERE seq = 3": "event 3 of the store",
    "UPDATE events SET hash = CAST(hash AS BLOB) WHERE seq = 3": "event 3 of the store",
    "UPDATE sessions SET last_seq = 'x' WHERE id = 's3'": "session s3",
    "UPDATE counters SET value = 'x' WHERE name = 'seals'": "sealed events",
    "UPDATE counters SET value = 'x' WHERE name = 'events'": "the counter of events",
}


@pytest.mark.parametrize("statement", ODD)
async def test_a_value_of_another_kind_is_found_and_named(sqlite_url: str, statement: str) -> None:
    async with open_store(sqlite_url) as store:
        await write_trail(store)
        assert (await check_store(store)).intact
        with contextlib.closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as somebody, somebody:
            assert somebody.execute(statement).rowcount == 1

        verdict = await check_store(store)

    assert not verdict.intact
    assert any(ODD[statement] in str(finding) for finding in verdict.findings), [*map(str, verdict.findings)]


async def test_sealing_ends_when_the_newest_events_are_gone(store: Store) -> None:
    await write_trail(store)
    await store.write(lambda tx: tx.connection.run(f"DELETE FROM events WHERE seq = {EVENTS}"))

    async with asyncio.timeout(60):
        seal = await seal_all(store)

    assert seal is not None
    assert seal.seq == EVENTS - 1
    assert not (await check_store(store)).intact
