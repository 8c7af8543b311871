"""Tickets: what is left of a question that nobody answered in time, for an operator to answer later."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from pydantic import BaseModel, ConfigDict

from handraise.core.actors import Actor
from handraise.core.digests import canonical
from handraise.core.errors import AlreadyAnswered, InvalidInput
from handraise.core.states import TicketStatus, next_ticket_status


class Ticket(BaseModel):
    """One question to come back to. Its `number` is what the customer was told."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    session_id: str
    request_id: str
    question: str
    status: TicketStatus = "open"
    created_at: datetime
    answer: str = ""
    answered_by: Actor | None = None
    answered_at: datetime | None = None

    def reply(self, text: str, *, by: Actor, at: datetime) -> Self:
        """Return the ticket with its answer, or refuse: a ticket is answered once."""
        if self.status != "open":
            raise AlreadyAnswered(
                f"Ticket {self.number} was answered by {self.answered_by}.",
                fix="Nothing was changed; to say more, take the session over.",
                details={"number": self.number, "by": str(self.answered_by), "at": f"{self.answered_at:%FT%TZ}"},
            )
        canonical(text)
        if not text.strip():
            raise InvalidInput("The answer is empty.", fix="Write something first.")
        status = next_ticket_status(self.status, "answer")
        return self.model_copy(update={"status": status, "answer": text, "answered_by": by, "answered_at": at})
