"""Requests in the database. Closing one is a single compare-and-set: exactly one contender wins."""

from __future__ import annotations

from datetime import timedelta

from handraise.core.decisions import Edit
from handraise.core.errors import NotFound
from handraise.core.requests import Request, Urgency
from handraise.store.connection import to_json, to_us
from handraise.store.paging import NEVER
from handraise.store.tables.request_lists import RequestLists
from handraise.store.tables.request_rows import COLUMNS, DOCUMENTS, to_request, to_row, to_secrets, to_whole_request

_RANKS: dict[Urgency, int] = {"high": 0, "medium": 1, "low": 2}


class Requests(RequestLists):
    """Open, list and close requests."""

    async def open(self, request: Request) -> bool:
        """Store a request unless it is there already. Return whether it is new."""
        changed = await self._connection.run(
            f"INSERT INTO requests ({COLUMNS}, urgency_rank, due, remind_at, secrets) VALUES "
            f"({', '.join(f':{name}' for name in COLUMNS.split(', '))}, :urgency_rank, :due, :remind_at, :secrets) "
            "ON CONFLICT DO NOTHING",
            {
                **to_row(request),
                "urgency_rank": _RANKS[request.urgency],
                "due": NEVER if request.deadline is None else to_us(request.deadline),
                "remind_at": to_us(request.remind_at),
                "secrets": to_secrets(request),
            },
        )
        return changed == 1

    async def close(self, closed: Request) -> bool:
        """Store how an open request was closed. Return False when it was closed, or claimed, since it was read.

        One that was edited must be whole: its sensitive values are stored with it.
        """
        edited = {"secrets": to_secrets(closed)} if isinstance(closed.decision, Edit) else {}
        return await self._swap(closed, version=closed.version - 1, status="open", **edited)

    async def update(self, changed: Request) -> bool:
        """Store a change to a request unless it changed since it was read."""
        return await self._swap(changed, version=changed.version - 1)

    async def get(self, request_id: str) -> Request:
        """Return a request as people see it, or raise NotFound."""
        row = await self._connection.one(f"SELECT {COLUMNS} FROM requests WHERE id = :id", {"id": request_id})
        if row is None:
            raise NotFound("request", request_id)
        return to_request(row)

    async def whole(self, request_id: str) -> Request:
        """Return a request with its sensitive values, or raise NotFound: for deciding, never for showing."""
        row = await self._connection.one(f"SELECT {COLUMNS}, secrets FROM requests WHERE id = :id", {"id": request_id})
        if row is None:
            raise NotFound("request", request_id)
        return to_whole_request(row)

    async def of_run(self, run_id: str) -> list[Request]:
        """Return every request of a run with its sensitive values, in the order they were asked: for its agent."""
        return await self._of_run(run_id)

    async def unused_of_run(self, run_id: str) -> list[Request]:
        """Return those of a run's requests that no effect has used."""
        return await self._of_run(
            run_id, " AND NOT EXISTS (SELECT 1 FROM effects WHERE run_id = :run_id AND request_id = requests.id)"
        )

    async def _of_run(self, run_id: str, which: str = "") -> list[Request]:
        rows = await self._connection.all(
            f"SELECT {COLUMNS}, secrets FROM requests WHERE run_id = :run_id{which} "
            "ORDER BY created_at, interrupt_id, position",
            {"run_id": run_id},
        )
        return [to_whole_request(row) for row in rows]

    async def count_open(self, run_id: str) -> int:
        """Return how many requests a run still waits for."""
        row = await self._connection.one(
            "SELECT COUNT(*) FROM requests WHERE run_id = :run_id AND status = 'open'", {"run_id": run_id}
        )
        return int(row[0]) if row else 0

    async def due(self, *, limit: int) -> list[Request]:
        """Return open requests whose deadline has passed on the database's clock, the longest overdue first."""
        rows = await self._connection.all(
            f"SELECT {COLUMNS} FROM requests WHERE status = 'open' AND deadline IS NOT NULL AND deadline <= now_us() "
            "ORDER BY deadline LIMIT :limit",
            {"limit": limit},
        )
        return [to_request(row) for row in rows]

    async def to_remind(self, *, limit: int) -> list[Request]:
        """Return open requests that it is time to remind of."""
        rows = await self._connection.all(
            f"SELECT {COLUMNS} FROM requests WHERE status = 'open' AND remind_at IS NOT NULL "
            "AND remind_at <= now_us() ORDER BY remind_at LIMIT :limit",
            {"limit": limit},
        )
        return [to_request(row) for row in rows]

    async def mark_reminded(self, request_id: str) -> bool:
        """Note that a request was reminded of. Return False when somebody else did, or it is closed."""
        changed = await self._connection.run(
            "UPDATE requests SET remind_at = NULL WHERE id = :id AND status = 'open' AND remind_at IS NOT NULL",
            {"id": request_id},
        )
        return changed == 1

    async def until_next_deadline(self) -> timedelta | None:
        """Return how long it is until the next deadline or reminder, or None when there is none."""
        row = await self._connection.one(
            "SELECT MIN(moment) - now_us() FROM ("
            "SELECT MIN(deadline) AS moment FROM requests WHERE status = 'open' AND deadline IS NOT NULL UNION ALL "
            "SELECT MIN(remind_at) FROM requests WHERE status = 'open' AND remind_at IS NOT NULL) AS moments"
        )
        return None if row is None or row[0] is None else timedelta(microseconds=max(0, int(row[0])))

    async def count_of_session(self, session_id: str) -> tuple[int, int]:
        """Return how many requests a session has open, and how many it has asked in all."""
        row = await self._connection.one(
            "SELECT COUNT(CASE WHEN status = 'open' THEN 1 END), COUNT(*) FROM requests WHERE session_id = :session_id",
            {"session_id": session_id},
        )
        return (int(row[0]), int(row[1])) if row else (0, 0)

    async def of_session(self, session_id: str) -> list[Request]:
        """Return every request of a session, in the order they were asked."""
        rows = await self._connection.all(
            f"SELECT {COLUMNS} FROM requests WHERE session_id = :session_id "
            "ORDER BY created_at, interrupt_id, position",
            {"session_id": session_id},
        )
        return [to_request(row) for row in rows]

    async def _swap(self, request: Request, *, version: int, status: str | None = None, **columns: str | None) -> bool:
        documents = request.masked().model_dump(mode="json", include=set(DOCUMENTS))
        values = {
            **{name: getattr(request, name) for name in ("status", "version", "claimed_by")},
            **{name: to_us(getattr(request, name)) for name in ("claim_until", "decided_at")},
            **{name: None if value is None else to_json(value) for name, value in documents.items()},
            **columns,
        }
        changes = ", ".join(f"{name} = :{name}" for name in values)
        expected = " AND status = :expected_status" if status else ""
        changed = await self._connection.run(
            f"UPDATE requests SET {changes} WHERE id = :id AND version = :expected_version{expected}",
            {**values, "id": request.id, "expected_version": version, "expected_status": status},
        )
        return changed == 1
