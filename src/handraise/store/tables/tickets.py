"""Tickets in the database. A ticket's number is given by the database, so that no two are alike."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from handraise.core.errors import NotFound
from handraise.core.requests import Request
from handraise.core.states import TICKET_MOVES, TicketStatus, result_of, statuses_that
from handraise.core.tickets import Ticket
from handraise.store.connection import Connection, Row, from_us, one_of, to_json, to_us
from handraise.store.paging import Page, Whole, check_limit, read_cursor, write_cursor

_COLUMNS = "number, session_id, request_id, question, status, created_at, answer, answered_by, answered_at"
_UNANSWERED: tuple[TicketStatus, ...] = statuses_that(TICKET_MOVES, "answer")
_ANSWERABLE = one_of("status", _UNANSWERED)
_by_number: TypeAdapter[tuple[int]] = TypeAdapter(tuple[Whole])


class Tickets:
    """Open, list and answer tickets. A request leads to one ticket at most."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def open(self, request: Request) -> Ticket:
        """Keep a request's question for later. The session must be locked."""
        row = await self._connection.one(
            "INSERT INTO tickets (session_id, request_id, question, status, created_at, answer) "
            f"VALUES (:session_id, :request_id, :question, 'open', now_us(), '') RETURNING {_COLUMNS}",
            {"session_id": request.session_id, "request_id": request.id, "question": request.question},
        )
        return _ticket(row, 0)

    async def get(self, number: int) -> Ticket:
        """Return a ticket, or raise NotFound."""
        row = await self._connection.one(f"SELECT {_COLUMNS} FROM tickets WHERE number = :number", {"number": number})
        return _ticket(row, number)

    async def answer(self, answered: Ticket) -> bool:
        """Store a ticket's answer. Return False when it was answered since it was read."""
        changed = await self._connection.run(
            f"UPDATE tickets SET status = '{result_of(TICKET_MOVES, 'answer')}', answer = :answer, answered_by = :by, "
            f"answered_at = :at WHERE number = :number AND {_ANSWERABLE}",
            {
                "number": answered.number,
                "answer": answered.answer,
                "by": to_json(answered.answered_by.model_dump() if answered.answered_by else None),
                "at": to_us(answered.answered_at),
            },
        )
        return changed == 1

    async def page(self, *, status: TicketStatus | None, limit: int, cursor: str | None = None) -> Page[Ticket]:
        """List tickets, the oldest first: who has waited longest is answered first."""
        check_limit(limit)
        conditions = ["number > :after"]
        params: dict[str, Any] = {"limit": limit + 1, "after": read_cursor(cursor, _by_number)[0] if cursor else 0}
        if status is not None:
            conditions.append(f"status = '{status}'")
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM tickets WHERE {' AND '.join(conditions)} ORDER BY number LIMIT :limit", params
        )
        items = [_ticket(row, 0) for row in rows[:limit]]
        return Page(items=items, next_cursor=write_cursor(items[-1].number) if len(rows) > limit else None)


def _ticket(row: Row | None, number: int) -> Ticket:
    if row is None:
        raise NotFound("ticket", str(number))
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    values["answered_by"] = json.loads(values["answered_by"]) if values["answered_by"] else None
    for name in ("created_at", "answered_at"):
        values[name] = from_us(values[name])
    return Ticket.model_validate(values)
