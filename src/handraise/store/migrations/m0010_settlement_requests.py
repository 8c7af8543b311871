"""Settlements are a kind of request, not questions of one dialect. Events stay as written: they are read as such."""

from __future__ import annotations

import json

from handraise.store.connection import Connection


async def name_the_kind(connection: Connection) -> None:
    """Set the kind of every settlement that was stored as a question."""
    # The pattern spares most documents; a question may quote the words somewhere, so each is read.
    rows = await connection.all(
        "SELECT id, asked FROM requests WHERE kind = 'question' AND asked LIKE :pattern",
        {"pattern": '%"dialect":"settlement"%'},
    )
    for request_id, asked in rows:
        if json.loads(asked)["dialect"] == "settlement":
            await connection.run("UPDATE requests SET kind = 'settlement' WHERE id = :id", {"id": request_id})
