"""Exporting the trail as JSON Lines that can be checked without the database."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

from handraise.audit.lines import event_line, seal_line
from handraise.audit.sealer import seal_all
from handraise.core.actors import Actor
from handraise.core.log.chain import INSTALLATION, START, Seal
from handraise.core.log.installation import TrailExported
from handraise.store.connection import to_json
from handraise.store.store import Store, Transaction
from handraise.store.tables.trail import Stored, TrailFilter

BATCH = 1_000


async def export(store: Store, where: TrailFilter, /, *, by: Actor) -> AsyncIterator[str]:
    """Yield the lines of the trail up to now, or of the part that `where` names; and record that it was taken."""
    await _note(store, where, by=by)
    end = await seal_all(store)
    up_to = end.seq if end else 0
    lines = hashlib.sha256()

    def written(line: dict[str, Any]) -> str:
        text = to_json(line) + "\n"
        lines.update(text.encode())
        return text

    now = datetime.now(UTC).isoformat(timespec="seconds")
    yield written({"type": "trail", "version": 1, "at": now, "filters": where.as_dict()})
    seals: list[Seal] = []
    number, seq, count = 0, 0, 0
    while rows := await _rows(store, where, after=seq, up_to=up_to):
        for row, previous in rows:
            while not where.as_dict() and (seals := seals or await _seals(store, number)) and seals[0].seq < row.seq:
                number = seals[0].number
                yield written(seal_line(seals.pop(0)))
            yield written(event_line(row, previous))
            count += 1
        seq = rows[-1][0].seq
    while not where.as_dict() and (seals := seals or await _seals(store, number)) and seals[0].seq <= up_to:
        number = seals[0].number
        yield written(seal_line(seals.pop(0)))
    head = {"seal": end.number, "seq": end.seq, "hash": end.hash} if end else {"seal": 0, "seq": 0, "hash": START}
    yield to_json({"type": "head", "events": count, **head, "lines": lines.hexdigest()}) + "\n"


async def _note(store: Store, where: TrailFilter, *, by: Actor) -> None:
    async def work(tx: Transaction) -> None:
        tx.events.append(INSTALLATION, TrailExported(filters=where.as_dict()), by=by)

    await store.write(work)


async def _rows(store: Store, where: TrailFilter, *, after: int, up_to: int) -> list[tuple[Stored, str]]:
    """Return events, each with the hash before it."""

    async def work(tx: Transaction) -> list[tuple[Stored, str]]:
        rows = await tx.trail.after(after, where, up_to=up_to, limit=BATCH)
        hashes = {(row.session_id, row.session_seq): row.hash for row in rows}
        return [
            (row, hashes.get((row.session_id, row.session_seq - 1)) or await tx.trail.previous(row)) for row in rows
        ]

    return await store.read(work)


async def _seals(store: Store, number: int) -> list[Seal]:
    return await store.read(lambda tx: tx.seals.after(number, limit=100))
