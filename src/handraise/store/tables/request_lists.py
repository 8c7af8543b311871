"""Lists of requests: the open ones in the order in which to answer them, all of them by age, and how many there are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from handraise.core.requests import (
    REQUEST_KINDS,
    Audience,
    QuestionType,
    Request,
    RequestKind,
    Urgency,
    default_question_type,
)
from handraise.core.states import RequestStatus
from handraise.store.connection import Connection, listed
from handraise.store.paging import Name, Page, Whole, check_limit, read_cursor, write_cursor
from handraise.store.tables.request_rows import COLUMNS, to_request

_by_pressure: TypeAdapter[tuple[int, int, int, str]] = TypeAdapter(tuple[Whole, Whole, Whole, Name])
_by_age: TypeAdapter[tuple[int, str]] = TypeAdapter(tuple[Whole, Name])

_DEFAULTS = " ".join(f"WHEN {listed([kind])} THEN {listed([default_question_type(kind)])}" for kind in REQUEST_KINDS)
_QUESTION_TYPE = f"COALESCE(question_type, CASE kind {_DEFAULTS} END)"
_CONDITIONS = {
    "audience": "audience = :audience",
    "kind": "kind = :kind",
    "urgency": "urgency = :urgency",
    "question_type": f"{_QUESTION_TYPE} = :question_type",
    "session_id": "requests.session_id = :session_id",
    "tool": "requests.tool = :tool",
    "claimed_by": "requests.claimed_by = :claimed_by AND claim_until > now_us()",
    "search": (
        "(LOWER(asked) LIKE :search OR LOWER(COALESCE(decision, '')) LIKE :search OR LOWER(requests.tool) LIKE :search)"
    ),
}


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Which requests to list; None means all. `search` finds a text in what was asked or answered."""

    audience: Audience | None = None
    kind: RequestKind | None = None
    urgency: Urgency | None = None
    question_type: QuestionType | None = None
    session_id: str | None = None
    tool: str | None = None
    claimed_by: str | None = None
    search: str | None = None

    def conditions(self) -> tuple[list[str], dict[str, Any]]:
        """Return the filter as SQL, with its parameters."""
        given = {name: value for name in _CONDITIONS if (value := getattr(self, name)) is not None}
        if self.search is not None:
            given["search"] = _pattern(self.search)
        return [_CONDITIONS[name] for name in given], given


class RequestLists:
    """Every list is read through an index that has its order, and stops when the page is full."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def list_open(
        self, where: Filter, /, *, limit: int, cursor: str | None = None, skip: int = 0
    ) -> Page[Request]:
        """List open requests: the most urgent first, then the soonest deadline, then the oldest.

        `skip` is for callers that count pages by number; it walks over what it skips, so keep it small.
        """
        check_limit(limit)
        conditions, params = where.conditions()
        if cursor is not None:
            conditions.append(
                "(urgency_rank, due, created_at, id) > (:after_rank, :after_due, :after_created, :after_id)"
            )
            names = ("after_rank", "after_due", "after_created", "after_id")
            params |= dict(zip(names, read_cursor(cursor, _by_pressure), strict=True))
        rows = await self._connection.all(
            f"SELECT {COLUMNS}, urgency_rank, due FROM requests WHERE {_open(conditions)} "
            f"ORDER BY urgency_rank, due, created_at, id LIMIT :limit{' OFFSET :skip' if skip else ''}",
            {**params, "limit": limit + 1, "skip": skip},
        )
        items = [to_request(row[:-2]) for row in rows[:limit]]
        more = len(rows) > limit
        last = rows[limit - 1] if more else None
        return Page(
            items=items,
            next_cursor=write_cursor(last[-2], last[-1], _created(last), items[-1].id) if last else None,
        )

    async def list_all(
        self, where: Filter, /, *, status: RequestStatus | None, limit: int, cursor: str | None = None
    ) -> Page[Request]:
        """List requests of one status, or of all, the newest first."""
        check_limit(limit)
        conditions, params = where.conditions()
        if status is not None:
            conditions.append("status = :status")
            params["status"] = status
        if cursor is not None:
            conditions.append("(created_at, id) < (:after_created, :after_id)")
            params |= dict(zip(("after_created", "after_id"), read_cursor(cursor, _by_age), strict=True))
        found = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = await self._connection.all(
            f"SELECT {COLUMNS} FROM requests{found} ORDER BY created_at DESC, id DESC LIMIT :limit",
            {**params, "limit": limit + 1},
        )
        items = [to_request(row) for row in rows[:limit]]
        more = len(rows) > limit
        return Page(items=items, next_cursor=write_cursor(_created(rows[limit - 1]), items[-1].id) if more else None)

    async def count_listed(self, where: Filter, /, *, at_most: int) -> int:
        """Return how many open requests there are, but stop counting at `at_most`."""
        conditions, params = where.conditions()
        row = await self._connection.one(
            f"SELECT COUNT(*) FROM (SELECT 1 FROM requests WHERE {_open(conditions)} LIMIT :at_most) AS counted",
            {**params, "at_most": at_most},
        )
        return int(row[0]) if row else 0


def _open(conditions: list[str]) -> str:
    return " AND ".join(["status = 'open'", *conditions])


def _created(row: tuple[Any, ...]) -> int:
    return int(row[COLUMNS.split(", ").index("created_at")])


def _pattern(text: str) -> str:
    """Return a LIKE pattern that finds `text` as it stands in a JSON document."""
    written = json.dumps(text, ensure_ascii=False)[1:-1].lower()
    # LIKE's escape character is a backslash on PostgreSQL and none on SQLite: any character stands for the specials.
    return f"%{written.replace(chr(92), '_').replace('%', '_')}%"
