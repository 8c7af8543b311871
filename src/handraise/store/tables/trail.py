"""The audit trail in the database: events as they are stored, for whoever checks, exports or reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from handraise.core.log.chain import START
from handraise.store.connection import Connection, to_us
from handraise.store.paging import Page, Whole, check_limit, read_cursor, write_cursor

_by_seq: TypeAdapter[tuple[int]] = TypeAdapter(tuple[Whole])


class Stored(NamedTuple):
    """A row of the trail, exactly as the database has it. An empty `fact` was forgotten."""

    seq: int
    session_id: str
    session_seq: int
    at: int
    name: str
    key: str | None
    actor: str
    gist: str
    fact: str
    salt: str
    digest: str
    hash: str


_COLUMNS = ", ".join(Stored._fields)


@dataclass(frozen=True, kw_only=True)
class TrailFilter:
    """Which events to read; None means all."""

    actor: str | None = None
    name: str | None = None
    session_id: str | None = None
    tool: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return what was asked for, as plain data."""
        return {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in vars(self).items()
            if value is not None
        }


class Trail:
    """Read the trail."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def page(self, where: TrailFilter, /, *, limit: int, cursor: str | None = None) -> Page[Stored]:
        """List events, the newest first."""
        check_limit(limit)
        conditions, params = self._conditions(where)
        if cursor is not None:
            conditions.append("seq < :before")
            params["before"] = read_cursor(cursor, _by_seq)[0]
        rows = await self._rows(conditions, params, order="DESC", limit=limit + 1)
        last = rows[limit - 1].seq if len(rows) > limit else None
        return Page(items=rows[:limit], next_cursor=None if last is None else write_cursor(last))

    async def after(self, seq: int, where: TrailFilter, /, *, up_to: int, limit: int) -> list[Stored]:
        """Return events after `seq`, in order."""
        conditions, params = self._conditions(where)
        conditions += ["seq > :seq", "seq <= :up_to"]
        return await self._rows(conditions, {**params, "seq": seq, "up_to": up_to}, order="ASC", limit=limit)

    async def previous(self, event: Stored) -> str:
        """Return the hash of the event before this one in its session."""
        row = await self._connection.one(
            "SELECT hash FROM events WHERE session_id = :session_id AND session_seq = :before",
            {"session_id": event.session_id, "before": event.session_seq - 1},
        )
        return str(row[0]) if row else START

    async def last_numbers(self) -> dict[str, Any]:
        """Return the number of the newest event of each session, as its session has it: SQLite keeps anything."""
        rows = await self._connection.all("SELECT id, last_seq FROM sessions")
        return {str(session_id): last for session_id, last in rows}

    async def counter(self, name: str) -> Any:
        """Return what a counter says, whatever that is."""
        row = await self._connection.one("SELECT value FROM counters WHERE name = :name", {"name": name})
        return None if row is None else row[0]

    async def newest(self) -> int:
        """Return the highest number that any event has; somebody may have added one behind the counter's back."""
        numbers = " WHERE typeof(seq) = 'integer'" if self._connection.backend == "sqlite" else ""
        row = await self._connection.one(f"SELECT COALESCE(MAX(seq), 0) FROM events{numbers}")
        return int(row[0]) if row else 0

    async def _rows(self, conditions: list[str], params: dict[str, Any], *, order: str, limit: int) -> list[Stored]:
        found = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM events{found} ORDER BY seq {order} LIMIT :limit", {**params, "limit": limit}
        )
        return [Stored(*row) for row in rows]

    def _conditions(self, where: TrailFilter) -> tuple[list[str], dict[str, Any]]:
        columns = {
            "actor": self._field("actor", "id"),
            "name": "name",
            "session_id": "session_id",
            "tool": self._field("gist", "tool"),
        }
        params: dict[str, Any] = {name: getattr(where, name) for name in columns if getattr(where, name) is not None}
        conditions = [f"{columns[name]} = :{name}" for name in params]
        for name, comparison in (("since", "at >= :since"), ("until", "at < :until")):
            if (time := getattr(where, name)) is not None:
                conditions.append(comparison)
                params[name] = to_us(time)
        return conditions, params

    def _field(self, column: str, name: str) -> str:
        # As the indexes spell it.
        if self._connection.backend == "sqlite":
            return f"json_extract({column}, '$.{name}')"
        return f"({column}::jsonb ->> '{name}')"
