"""Cursors: how far each consumer of the event log has come. Moving one commits together with what was done for it."""

from __future__ import annotations

from handraise.store.connection import Connection


class Cursors:
    """Read and move cursors."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def begin(self, name: str) -> None:
        """Add a cursor that stands at the newest event, unless there is one of this name."""
        await self._connection.run(
            "INSERT INTO counters (name, value) SELECT :name, value FROM counters WHERE name = 'events' "
            "ON CONFLICT DO NOTHING",
            {"name": name},
        )

    async def get(self, name: str) -> int:
        """Return the number of the last event that was dealt with."""
        row = await self._connection.one("SELECT value FROM counters WHERE name = :name", {"name": name})
        if row is None:
            raise AssertionError(f"a migration, or whoever begins with now, adds the cursor {name}")
        return int(row[0])

    async def move(self, name: str, *, was: int, to: int) -> bool:
        """Move a cursor, unless another process has moved it: then this transaction must do nothing."""
        changed = await self._connection.run(
            "UPDATE counters SET value = :to_seq WHERE name = :name AND value = :was",
            {"name": name, "was": was, "to_seq": to},
        )
        return changed == 1
