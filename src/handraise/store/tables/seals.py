"""Seals in the database: one chain for the whole store, over the heads of its sessions."""

from __future__ import annotations

from handraise.core.log.chain import START, Head, Seal, heads_of
from handraise.store.connection import Connection, Row, read_json, to_json
from handraise.store.tables.cursors import Cursors

_COLUMNS = "number, at, seq, heads, hash"
CURSOR = "seals"


class Seals:
    """Append seals and read them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def last(self) -> Seal | None:
        """Return the newest seal."""
        row = await self._connection.one(f"SELECT {_COLUMNS} FROM seals ORDER BY number DESC LIMIT 1")
        return None if row is None else _seal(row)

    async def newest(self) -> int:
        """Return the number of the newest seal, 0 when there is none."""
        numbers = " WHERE typeof(number) = 'integer'" if self._connection.backend == "sqlite" else ""
        row = await self._connection.one(f"SELECT COALESCE(MAX(number), 0) FROM seals{numbers}")
        return int(row[0]) if row else 0

    async def after(self, number: int, *, limit: int) -> list[Seal]:
        """Return the seals after `number`, in order."""
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM seals WHERE number > :number ORDER BY number LIMIT :limit",
            {"number": number, "limit": limit},
        )
        return [_seal(row) for row in rows]

    async def sealed_up_to(self) -> int:
        """Return the number of the newest event that a seal covers."""
        return await Cursors(self._connection).get(CURSOR)

    async def seal(self, *, at_most: int) -> Seal | None:
        """Seal what happened since the last seal. Return None when nothing did, or when another process was first."""
        was = await self.sealed_up_to()
        rows = await self._connection.all(
            "SELECT seq, session_id, session_seq, hash FROM events WHERE seq > :seq ORDER BY seq LIMIT :limit",
            {"seq": was, "limit": at_most},
        )
        if not rows or not await Cursors(self._connection).move(CURSOR, was=was, to=rows[-1][0]):
            return None
        # Read after the cursor was moved: from here on this is the only process that seals.
        last = await self.last()
        clock = await self._connection.one("SELECT clock_us()")
        seal = Seal(
            number=last.number + 1 if last else 1,
            at=int(clock[0]) if clock else 0,
            seq=rows[-1][0],
            heads=heads_of([Head(*row[1:]) for row in rows]),
        )
        bound = seal.seal(last.hash if last else START)
        await self._connection.run(
            f"INSERT INTO seals ({_COLUMNS}) VALUES (:number, :at, :seq, :heads, :hash)",
            {**vars(seal), "heads": to_json(seal.heads), "hash": bound},
        )
        return Seal(**{**vars(seal), "hash": bound})


def _seal(row: Row) -> Seal:
    number, at, seq, heads, bound = row
    return Seal(number=number, at=at, seq=seq, heads=_heads(heads), hash=bound)


def _heads(text: str) -> tuple[Head, ...]:
    """Return the heads of a seal; none of a text that somebody has broken, which then does not fit its hash."""
    try:
        return tuple(Head(str(session), int(number), str(bound)) for session, number, bound in read_json(text))
    except (ValueError, TypeError):
        return ()
