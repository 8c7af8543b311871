"""The chain holds however many write at once, in however many processes."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

import pytest

from handraise.audit.checking import check_store
from handraise.core.log.chain import INSTALLATION
from handraise.core.log.facts import MessageSent
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from handraise.store.tables.sessions import Sessions
from tests.store.samples import ANN, add_sessions

WRITERS = 60


async def write_at_once(*stores: Store, session_id: str) -> None:
    """Append to one session from several stores, none of them waiting for another."""

    async def writer(number: int) -> None:
        async def work(tx: Transaction) -> None:
            tx.events.append(session_id, MessageSent(message_id=str(number), text="x"), by=ANN)

        await stores[number % len(stores)].write(work)

    await asyncio.gather(*(writer(number) for number in range(WRITERS)))


@pytest.mark.parametrize("session_id", ["s1", INSTALLATION])
async def test_events_that_are_written_at_once_make_one_chain(database_url: str, session_id: str) -> None:
    async with open_store(database_url) as one, open_store(database_url) as another:
        await add_sessions(one, "s1")
        await write_at_once(one, another, session_id=session_id)
        verdict = await check_store(one)
    assert verdict.intact
    assert verdict.events == WRITERS


async def test_without_the_lock_before_they_do_not(postgres_url: str) -> None:
    async def keep_nobody_off(sessions: Sessions, _: str) -> None:
        await sessions._open_installation_record()

    with patch.object(Sessions, "keep_writers_off", keep_nobody_off):
        async with open_store(postgres_url) as one, open_store(postgres_url) as another:
            await write_at_once(one, another, session_id=INSTALLATION)
            verdict = await check_store(one)
    assert not verdict.intact
