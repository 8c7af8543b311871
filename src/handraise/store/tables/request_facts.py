"""Lists of the requests that a figure counts, through an index, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from handraise.core.decisions import DECISION_KINDS
from handraise.core.requests import QuestionType, Request
from handraise.core.states import RequestStatus
from handraise.store.connection import Connection, listed
from handraise.store.measures import TARGET, Lapse, Outcome, Speed
from handraise.store.paging import Name, Page, Whole, check_limit, read_cursor, write_cursor
from handraise.store.tables.request_lists import Filter
from handraise.store.tables.request_rows import COLUMNS, to_request

_by_time: TypeAdapter[tuple[int, str]] = TypeAdapter(tuple[Whole, Name])
_REQUEST = ", ".join(f"requests.{name}" for name in COLUMNS.split(", "))
_EDITED = (
    "facts.outcome = 'edit' AND EXISTS (SELECT 1 FROM edited_fields AS edited WHERE edited.tool = facts.tool "
    "AND edited.field = :edited AND edited.created_at = facts.created_at AND edited.request_id = facts.request_id)"
)
_CONDITIONS = {
    "created_from": "facts.created_at >= :created_from",
    "created_to": "facts.created_at < :created_to",
    "decided_from": "facts.closed_at >= :decided_from",
    "decided_to": "facts.closed_at < :decided_to",
    "session_from": "facts.session_created_at >= :session_from",
    "session_to": "facts.session_created_at < :session_to",
    "type": "facts.type = :type",
    "tool": "facts.tool = :tool",
    "agent": "facts.agent = :agent",
    "outcome": "facts.outcome = :outcome",
    "lapse": "facts.outcome = 'expired' AND facts.lapse = :lapse",
    "decided_by": "facts.decided_by = :decided_by",
    "claimer": "facts.claimed_by = :claimer",
    "edited": _EDITED,
}
_FLAGS = {
    "decided": f"facts.outcome IN ({listed(DECISION_KINDS)})",
    "claimed": "facts.claimed_by IS NOT NULL",
    "first": "facts.first = 1",
    "quick": "facts.quick = 1",
    "repeated": "facts.repeated = 1",
    "doubted": "facts.doubted = 1",
    "settled": "facts.settled = 1",
}
_UNANSWERED = "(facts.speed = 'none' OR (facts.outcome = 'open' AND facts.created_at <= :now - :target))"


@dataclass(frozen=True, kw_only=True)
class FactFilter:
    """Which requests to list, by what is counted of them; None, and False, mean all. Times are microseconds."""

    created_from: int | None = None
    created_to: int | None = None
    decided_from: int | None = None
    decided_to: int | None = None
    session_from: int | None = None
    session_to: int | None = None
    type: QuestionType | None = None
    tool: str | None = None
    agent: str | None = None
    outcome: Outcome | None = None
    lapse: Lapse | None = None
    speed: Speed | None = None
    decided_by: str | None = None
    claimer: str | None = None
    edited: str | None = None
    decided: bool = False
    claimed: bool = False
    first: bool = False
    quick: bool = False
    repeated: bool = False
    doubted: bool = False
    settled: bool = False

    def conditions(self, *, now: int | None) -> tuple[list[str], dict[str, Any]]:
        """Return the filter as SQL, with its parameters. `now` tells which open requests have waited too long."""
        given = {name: value for name in _CONDITIONS if (value := getattr(self, name)) is not None}
        conditions = [_CONDITIONS[name] for name in given]
        conditions += [condition for name, condition in _FLAGS.items() if getattr(self, name)]
        if self.speed == "none":
            conditions.append(_UNANSWERED)
            given |= {"target": TARGET} if now is None else {"target": TARGET, "now": now}
            if now is None:
                conditions[-1] = _UNANSWERED.replace(":now", "now_us()")
        elif self.speed is not None:
            conditions.append("facts.speed = :speed")
            given["speed"] = self.speed
        return conditions, given

    @property
    def time(self) -> str:
        """The time that the list is sorted by: that of the range that it is about."""
        if self.first:
            return "facts.session_created_at"
        by_end = self.decided_from is not None or self.decided_to is not None
        return "facts.closed_at" if by_end else "facts.created_at"


class FactLists:
    """Lists that agree with the counts, because both come from the same fold."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def page(
        self,
        counted: FactFilter,
        where: Filter | None = None,
        /,
        *,
        now: int | None = None,
        status: RequestStatus | None = None,
        limit: int,
        cursor: str | None = None,
    ) -> Page[Request]:
        """List the requests that a figure counts, as it is at a time; now, if none is given."""
        check_limit(limit)
        conditions, params = counted.conditions(now=now)
        more_conditions, more_params = (where or Filter()).conditions()
        conditions += more_conditions
        params |= more_params
        if status is not None:
            conditions.append("requests.status = :status")
            params["status"] = status
        if cursor is not None:
            conditions.append(f"({counted.time}, facts.request_id) < (:after_time, :after_id)")
            params |= dict(zip(("after_time", "after_id"), read_cursor(cursor, _by_time), strict=True))
        found = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = await self._connection.all(
            f"SELECT {_REQUEST}, {counted.time} FROM request_facts AS facts "
            f"JOIN requests ON requests.id = facts.request_id{found} "
            f"ORDER BY {counted.time} DESC, facts.request_id DESC LIMIT :limit",
            {**params, "limit": limit + 1},
        )
        items = [to_request(row[:-1]) for row in rows[:limit]]
        last = rows[limit - 1] if len(rows) > limit else None
        return Page(items=items, next_cursor=write_cursor(int(last[-1]), items[-1].id) if last else None)
