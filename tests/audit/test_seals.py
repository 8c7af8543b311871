"""Seals: one chain over all sessions, which finds what a session's own chain cannot show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from handraise.audit.checking import Kept, check_store
from handraise.audit.sealer import Sealer, seal_all
from handraise.audit.verification import link_of
from handraise.core.log.chain import START, Seal, content_digest
from handraise.store.connection import Row
from handraise.store.drivers import driver
from handraise.store.migrations import MIGRATIONS
from handraise.store.migrations import m0007_audit as audit
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from handraise.store.tables.seals import Seals
from handraise.store.tables.trail import Stored
from tests.audit.trails import EVENTS, Attack, broken_by, read_rows, write_trail
from tests.patience import PATIENCE
from tests.store.samples import add_sessions, say


async def run(store: Store, sql: str, **params: Any) -> None:
    await store.write(lambda tx: tx.connection.run(sql, params))


async def wrong_with(store: Store, *statements: str) -> list[str]:
    attack = Attack("", [(statement, {}) for statement in statements], frozenset())
    return [str(finding) for finding in (await broken_by(store, attack)).findings]


async def test_a_session_that_disappears_without_a_trace_is_found(store: Store) -> None:
    await write_trail(store)
    found = await wrong_with(
        store, "DELETE FROM events WHERE session_id = 's7'", "DELETE FROM sessions WHERE id = 's7'"
    )
    assert "missing: session s7 event 20: seal 4 recorded it, and it is not there" in found


async def test_a_session_that_is_written_anew_from_its_first_event_is_found(store: Store) -> None:
    await write_trail(store)
    await seal_all(store)
    rows = [row for row in await read_rows(store) if row["session_id"] == "s3"]
    await rewrite(store, rows)
    findings = (await check_store(store)).findings
    assert {(finding.wrong, finding.session_id) for finding in findings} == {("rewritten", "s3")}


async def rewrite(store: Store, rows: list[dict[str, Any]]) -> None:
    """Change a session's first event and bind all that follow anew, as somebody would who knows how."""
    previous = START
    for row in rows:
        changed = Stored(**row)
        if row["session_seq"] == 1:
            fact = row["fact"].replace("3", "4")
            changed = changed._replace(fact=fact, digest=content_digest(row["salt"], fact))
        previous = link_of(changed).hash(previous)
        await run(
            store,
            "UPDATE events SET fact = :fact, digest = :digest, hash = :hash WHERE seq = :seq",
            fact=changed.fact, digest=changed.digest, hash=previous, seq=row["seq"],
        )  # fmt: skip


async def test_a_seal_that_is_changed_or_removed_is_found(store: Store) -> None:
    await write_trail(store)
    assert await wrong_with(store, "UPDATE seals SET at = at + 1 WHERE number = 2") == [
        "changed: seal 2 is not what was stored"
    ]
    assert "missing: seal 2 is not there" in await wrong_with(store, "DELETE FROM seals WHERE number = 2")
    assert await wrong_with(store, "DELETE FROM seals WHERE number = 4") == [
        "cut off: the seals once covered every event up to number 400 of the store"
    ]


async def test_an_end_that_is_cut_off_with_its_counters_shows_against_a_kept_head(store: Store) -> None:
    await write_trail(store)
    head = await seal_all(store)
    assert head is not None
    kept = Kept(hash=head.hash, number=head.number)
    assert (await check_store(store, kept=kept)).intact
    await cut_off_after(store, 400)
    assert (await check_store(store)).intact, "whoever knows all of it can cut the end off"
    [finding] = (await check_store(store, kept=kept)).findings
    assert (finding.wrong, finding.what) == (
        "cut_off",
        "the head that was kept (seal 5) is not in this store: its end was cut off, or it was written anew",
    )


async def cut_off_after(store: Store, seq: int) -> None:
    for sql in (
        f"DELETE FROM events WHERE seq > {seq}",
        f"DELETE FROM seals WHERE seq > {seq}",
        f"UPDATE counters SET value = {seq} WHERE name IN ('events', 'seals')",
        "UPDATE sessions SET last_seq = (SELECT COUNT(*) FROM events WHERE session_id = sessions.id)",
    ):
        await run(store, sql)


async def test_events_that_no_seal_covers_yet_cost_a_check_no_question_each(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await write_trail(store, sealed=EVENTS - 200)
    real, asked = Seals.after, []

    async def after(self: Seals, number: int, *, limit: int) -> list[Seal]:
        asked.append(number)
        return await real(self, number, limit=limit)

    monkeypatch.setattr(Seals, "after", after)
    verdict = await check_store(store)

    assert (verdict.events, verdict.findings) == (EVENTS, [])
    assert len(asked) == 2, "for the seals, and to learn that there are no more"


async def test_processes_that_seal_at_once_make_one_chain(database_url: str) -> None:
    async with open_store(database_url) as one, open_store(database_url) as other:
        await add_sessions(one, "s1", "s2")
        for turn in range(10):
            await asyncio.gather(say(one, "s1", f"{turn}"), say(other, "s2", f"{turn}"))
            await asyncio.gather(seal_all(one), seal_all(other), seal_all(one))
        verdict = await check_store(one)
        assert verdict.intact
        assert 10 <= verdict.seals <= 20
        assert await one.read(lambda tx: tx.seals.sealed_up_to()) == 20


async def sealed_up_to_the_head(store: Store) -> None:
    with store.watch("events") as watch:
        while await store.read(lambda tx: tx.seals.sealed_up_to()) < await store.read(lambda tx: tx.events.head()):
            await watch.wait(at_most=0.02)


async def test_a_serving_process_seals_by_itself(store: Store) -> None:
    await add_sessions(store, "s1")
    async with Sealer(store, every=timedelta(seconds=0.01)):
        for text in ("a", "b"):
            await say(store, "s1", text)
            async with asyncio.timeout(PATIENCE):
                await sealed_up_to_the_head(store)
    assert (await check_store(store)).intact


OLDER = {
    "sessions": "id, agent, status, customer, language, taken_by, unheard, version, last_seq, created_at, updated_at",
    "events": "seq, session_id, session_seq, at, name, key, actor, fact",
}
"""What a store had of these before there was a chain."""


async def test_a_store_older_than_the_chain_is_chained_when_it_is_opened(
    database_url: str, new_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(tx: Transaction) -> dict[str, list[Row]]:
        return {table: await tx.connection.all(f"SELECT {names} FROM {table}") for table, names in OLDER.items()}

    async def fill(tx: Transaction) -> None:
        for table, rows in kept.items():
            names = OLDER[table].split(", ")
            marks = ", ".join(f":{name}" for name in names)
            for row in rows:
                values = dict(zip(names, row, strict=True))
                await tx.connection.run(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", values)
        await tx.connection.run("UPDATE counters SET value = (SELECT MAX(seq) FROM events) WHERE name = 'events'")

    async with open_store(database_url) as store:
        await write_trail(store)
        kept = await store.read(read)
    url = new_database("sqlite" if database_url.startswith("sqlite") else "postgres")
    with monkeypatch.context() as patch:
        patch.setattr(driver, "MIGRATIONS", MIGRATIONS[: MIGRATIONS.index(audit.STATEMENTS)])
        async with open_store(url) as store:
            await store.write(fill)
    async with open_store(url) as store:
        verdict = await check_store(store)
        assert (verdict.events, verdict.findings) == (EVENTS, [])
