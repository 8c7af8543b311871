"""Checking a store: its events, its seals and its counters, against each other and against a head kept elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from handraise.audit.findings import Finding, Verdict
from handraise.audit.verification import Verification
from handraise.core.log.chain import Seal
from handraise.core.log.facts import Event
from handraise.core.log.installation import SessionForgotten
from handraise.store.store import Store, Transaction
from handraise.store.tables.seals import CURSOR as SEALED
from handraise.store.tables.trail import Stored, TrailFilter

BATCH = 2_000
EVERYTHING = TrailFilter()


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A head that was kept outside the store: the hash of a seal, and its number if it is known."""

    hash: str
    number: int | None = None


@dataclass(frozen=True, kw_only=True)
class _Counts:
    """What the store says of itself. Numbers that somebody may have written are checked before they are used."""

    counted: Any
    newest: int
    sealed: Any
    last_seal: int
    last_numbers: dict[str, Any]


async def check_store(
    store: Store, *, kept: Kept | None = None, progress: Callable[[int, int], None] | None = None
) -> Verdict:
    """Walk the whole trail. What is written meanwhile is left for the next time."""
    counts = await store.read(_counts)
    walk = Verification()
    seals = _Seals(store, kept)
    seq = -1 << 62
    up_to = max(counts.newest, counts.counted) if isinstance(counts.counted, int) else counts.newest
    while rows := await _rows(store, after=seq, up_to=up_to):
        for row in rows:
            while (seal := await seals.next()) is not None and (not seal.is_sound or seal.seq < row.seq):
                walk.seal(seals.take())
            walk.event(row)
        seq = rows[-1].seq
        if progress is not None:
            progress(seq, up_to)
    while (seal := await seals.next()) is not None and (not seal.is_sound or seal.number <= counts.last_seal):
        walk.seal(seals.take())
    forgotten = await _forgotten(store) if walk.emptied else {}
    findings = walk.finish(
        counted=counts.counted, sealed=counts.sealed, last_numbers=counts.last_numbers, forgotten=forgotten
    )
    if kept is not None and not seals.met:
        number = f" (seal {kept.number})" if kept.number else ""
        what = f"the head that was kept{number} is not in this store: its end was cut off, or it was written anew"
        findings.append(Finding(wrong="cut_off", what=what))
    return Verdict(events=walk.events, seals=seals.taken, findings=findings, forgotten=walk.emptied)


class _Seals:
    """The store's seals, one after the other."""

    def __init__(self, store: Store, kept: Kept | None) -> None:
        self._store = store
        self._kept = kept
        self._waiting: list[Seal] = []
        self._number = -1 << 62
        self._at_end = False
        self.taken = 0
        self.met = False

    async def next(self) -> Seal | None:
        """Return the next seal without taking it. After the last one nothing is asked for again."""
        if not self._waiting and not self._at_end:
            self._waiting = await self._store.read(lambda tx: tx.seals.after(self._number, limit=100))
            self._number = self._waiting[-1].number if self._waiting else self._number
            self._at_end = not self._waiting
        return self._waiting[0] if self._waiting else None

    def take(self) -> Seal:
        """Return the next seal, and go on."""
        seal = self._waiting.pop(0)
        self.taken += 1
        if self._kept is not None and seal.hash == self._kept.hash and self._kept.number in {None, seal.number}:
            self.met = True
        return seal


async def _rows(store: Store, *, after: int, up_to: int) -> list[Stored]:
    return await store.read(lambda tx: tx.trail.after(after, EVERYTHING, up_to=up_to, limit=BATCH))


async def _counts(tx: Transaction) -> _Counts:
    return _Counts(
        counted=await tx.trail.counter("events"),
        newest=await tx.trail.newest(),
        sealed=await tx.trail.counter(SEALED),
        last_seal=await tx.seals.newest(),
        last_numbers=await tx.trail.last_numbers(),
    )


async def _forgotten(store: Store) -> dict[str, int]:
    """Return for each session up to which event its content was forgotten, as the trail itself says."""
    events: list[Event] = await store.read(lambda tx: tx.events.named("session.forgotten"))
    up_to: dict[str, int] = {}
    for event in events:
        if isinstance(event.fact, SessionForgotten):
            up_to[event.session_id] = max(event.fact.up_to, up_to.get(event.session_id, 0))
    return up_to
