"""Sessions in the database."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from handraise.core.errors import LeaseLost, NotFound
from handraise.core.log.chain import INSTALLATION
from handraise.core.runs import Run
from handraise.core.sessions import Session
from handraise.core.states import SessionMove, SessionStatus, next_session_status
from handraise.store.connection import Connection, Row, from_us, to_json, to_us
from handraise.store.paging import Name, Page, Whole, check_limit, read_cursor, write_cursor
from handraise.store.tables.runs import HELD, lease_of

_COLUMNS = "id, agent, status, customer, language, taken_by, version, created_at, updated_at"
_by_age: TypeAdapter[tuple[int, str]] = TypeAdapter(tuple[Whole, Name])


@dataclass(frozen=True, kw_only=True)
class SessionFilter:
    """Which sessions to list; None means all."""

    status: SessionStatus | None = None
    agent: str | None = None
    customer: str | None = None
    taken_by: str | None = None


class Sessions:
    """Every write to a session's rows locks the session first, so that writers queue instead of deadlocking."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._locked: set[str] = set()

    async def add(self, session: Session) -> None:
        """Store a new session."""
        await self._connection.run(
            f"INSERT INTO sessions ({_COLUMNS}, last_seq) VALUES "
            "(:id, :agent, :status, :customer, :language, :taken_by, :version, :created_at, :updated_at, 0)",
            {
                **session.model_dump(exclude={"created_at", "updated_at"}),
                "created_at": to_us(session.created_at),
                "updated_at": to_us(session.updated_at),
            },
        )

    async def get(self, session_id: str) -> Session:
        """Return a session, or raise NotFound."""
        row = await self._connection.one(f"SELECT {_COLUMNS} FROM sessions WHERE id = :id", {"id": session_id})
        return _session(row, session_id)

    async def exists(self, session_id: str) -> bool:
        """Return whether there is such a session."""
        row = await self._connection.one("SELECT 1 FROM sessions WHERE id = :id", {"id": session_id})
        return row is not None and session_id != INSTALLATION

    async def page(self, where: SessionFilter, /, *, limit: int, cursor: str | None = None) -> Page[Session]:
        """List sessions, the newest first."""
        check_limit(limit)
        params: dict[str, Any] = {name: value for name, value in vars(where).items() if value is not None}
        conditions = ["id <> :installation", *(f"{name} = :{name}" for name in params)]
        if cursor is not None:
            conditions.append("(created_at, id) < (:after_created, :after_id)")
            params |= dict(zip(("after_created", "after_id"), read_cursor(cursor, _by_age), strict=True))
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM sessions WHERE {' AND '.join(conditions)} "
            "ORDER BY created_at DESC, id DESC LIMIT :limit",
            {**params, "installation": INSTALLATION, "limit": limit + 1},
        )
        items = [_session(row, "") for row in rows[:limit]]
        last = items[-1] if len(rows) > limit else None
        return Page(items=items, next_cursor=write_cursor(to_us(last.created_at), last.id) if last else None)

    async def last_event_number(self, session_id: str) -> int:
        """Return the number of a session's newest event."""
        row = await self._connection.one("SELECT last_seq FROM sessions WHERE id = :id", {"id": session_id})
        if row is None:
            raise NotFound("session", session_id)
        return int(row[0])

    async def lock(self, session_id: str) -> Session:
        """Return a session and keep every other writer off it until this transaction ends.

        Its `updated_at` is the time on the database's clock from when it was locked on.
        """
        row = await self._connection.one(
            f"UPDATE sessions SET updated_at = clock_us() WHERE id = :id RETURNING {_COLUMNS}", {"id": session_id}
        )
        self._locked.add(session_id)
        return _session(row, session_id)

    async def lock_for(self, run: Run) -> Session:
        """Lock the session of a run that this process drives, or raise LeaseLost; nobody takes the run meanwhile."""
        row = await self._connection.one(
            f"UPDATE sessions SET updated_at = clock_us() WHERE id = :id RETURNING {_COLUMNS}, ({HELD})",
            {"id": run.session_id, **lease_of(run)},
        )
        if row is not None and row[-1] is None:
            raise LeaseLost.of(run.id, run.epoch)
        self._locked.add(run.session_id)
        return _session(row and row[:-1], run.session_id)

    async def move(self, session: Session, move: SessionMove) -> Session:
        """Move a locked session along the state table."""
        row = await self._connection.one(
            "UPDATE sessions SET status = :status, version = version + 1, updated_at = now_us() "
            f"WHERE id = :id RETURNING {_COLUMNS}",
            {"id": session.id, "status": next_session_status(session.status, move)},
        )
        return _session(row, session.id)

    async def hand_to(self, session: Session, operator: str | None) -> Session:
        """Give a locked session to an operator, or back to its agent (None)."""
        row = await self._connection.one(
            "UPDATE sessions SET taken_by = :operator, version = version + 1, updated_at = now_us() "
            f"WHERE id = :id RETURNING {_COLUMNS}",
            {"id": session.id, "operator": operator},
        )
        return _session(row, session.id)

    async def held_by(self, operator: str) -> list[str]:
        """Return the sessions that an operator has taken over, in the order in which to lock them."""
        rows = await self._connection.all(
            "SELECT id FROM sessions WHERE taken_by = :operator ORDER BY id", {"operator": operator}
        )
        return [str(row[0]) for row in rows]

    async def undelivered(self, session_id: str) -> list[dict[str, str]]:
        """Return what was said while an operator had the session, and its agent has not heard yet."""
        row = await self._connection.one("SELECT unheard FROM sessions WHERE id = :id", {"id": session_id})
        return list(json.loads(row[0])) if row else []

    async def keep_unheard(self, session_id: str, said: list[dict[str, str]]) -> None:
        """Keep for the agent what was said; an empty list when it has heard it."""
        await self._connection.run(
            "UPDATE sessions SET unheard = :said WHERE id = :id", {"id": session_id, "said": to_json(said)}
        )

    async def keep_writers_off(self, session_id: str) -> None:
        """Lock a session, or the installation's own record, unless this transaction has it locked."""
        if session_id in self._locked:
            return
        if session_id == INSTALLATION:
            await self._open_installation_record()
        await self._connection.run("UPDATE sessions SET last_seq = last_seq WHERE id = :id", {"id": session_id})
        self._locked.add(session_id)

    async def _open_installation_record(self) -> None:
        await self._connection.run(
            "INSERT INTO sessions (id, agent, status, customer, language, version, last_seq, created_at, updated_at) "
            "VALUES (:id, '', 'completed', '', '', 1, 0, 0, 0) ON CONFLICT DO NOTHING",
            {"id": INSTALLATION},
        )


def _session(row: Row | None, session_id: str) -> Session:
    # The installation's own log is no conversation, so nobody gets it as one.
    if row is None or row[0] == INSTALLATION:
        raise NotFound("session", session_id)
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    for name in ("created_at", "updated_at"):
        values[name] = from_us(values[name])
    return Session.model_validate(values)
