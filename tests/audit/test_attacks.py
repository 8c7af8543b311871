"""One row of a trail is broken, in 500 ways: every one is found and named."""

from __future__ import annotations

import random
from functools import lru_cache

import pytest

from handraise.audit import verification
from handraise.audit.checking import check_store
from handraise.core.log.chain import content_digest
from handraise.store.store import Store
from handraise.store.tables.trail import Stored
from tests.audit.trails import EVENTS, attacks, broken_by, read_rows, write_trail

WAYS = 500


async def test_every_broken_row_is_found_and_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await write_trail(store)
    whole = await check_store(store)
    assert (whole.events, whole.findings) == (EVENTS, [])
    rows = await read_rows(store)
    _remember_hashes(monkeypatch)
    missed, unnamed = [], []
    for attack in attacks(rows, WAYS, random.Random(20)):
        verdict = await broken_by(store, attack)
        if verdict.intact:
            missed.append(attack.title)
        if not attack.sessions & {finding.session_id for finding in verdict.findings}:
            unnamed.append((attack.title, [str(finding) for finding in verdict.findings]))
    assert missed == []
    assert unnamed == []
    assert (await check_store(store)).findings == []


async def test_counting_alone_misses_most_of_them(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the hashes, only what changes the numbers is found."""
    await write_trail(store)
    rows = await read_rows(store)
    monkeypatch.setattr(verification.Verification, "_check_hash", lambda self, row, before: row.hash)
    monkeypatch.setattr(verification.Verification, "_check_content", lambda self, row: None)
    ways = attacks(rows, 80, random.Random(20))
    missed = [attack.title for attack in ways if (await broken_by(store, attack)).intact]
    assert len(missed) > 20


def _remember_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way costs a walk over the whole trail; the hashes of untouched rows are the same every time."""
    plain = verification.link_of

    @lru_cache(2000)
    def bound(row: Stored, previous: str) -> str:
        return plain(row).hash(previous)

    class Remembered:
        def __init__(self, row: Stored) -> None:
            self._row = row

        def hash(self, previous: str) -> str:
            return bound(self._row, previous)

    monkeypatch.setattr(verification, "link_of", Remembered)
    monkeypatch.setattr(verification, "content_digest", lru_cache(2000)(content_digest))
