"""Routes for tickets: questions that nobody answered in time, for an operator to answer later."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from handraise.core.states import TicketStatus
from handraise.core.tickets import Ticket
from handraise.service.auth.authentication import IdentityHere
from handraise.service.dependencies import EngineHere
from handraise.service.http.problems import problem_responses

router = APIRouter(prefix="/api/v1/tickets", tags=["Tickets"])

Number = Annotated[int, Path(ge=1, le=2**62, examples=[17])]


class TicketPage(BaseModel):
    """Tickets, the oldest first; `next_cursor` asks for the page after them."""

    items: list[Ticket]
    next_cursor: str | None


class TicketAnswer(BaseModel):
    """What the customer reads, in the session that the question came from."""

    text: str = Field(max_length=32_000, examples=["Your parcel arrives tomorrow."])


@router.get("")
async def list_tickets(
    engine: EngineHere,
    status: TicketStatus | Literal["all"] = "open",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=1000, description="`next_cursor` of the page before.")] = None,
) -> TicketPage:
    """List tickets; who has waited longest comes first."""
    only = None if status == "all" else status
    page = await engine.store.read(lambda tx: tx.tickets.page(status=only, limit=limit, cursor=cursor))
    return TicketPage(items=page.items, next_cursor=page.next_cursor)


@router.get("/{number}")
async def read_ticket(number: Number, engine: EngineHere) -> Ticket:
    """Show a ticket."""
    return await engine.store.read(lambda tx: tx.tickets.get(number))


@router.post("/{number}/answer", responses=problem_responses(409))
async def answer_ticket(number: Number, answer: TicketAnswer, engine: EngineHere, identity: IdentityHere) -> Ticket:
    """Answer a ticket. A ticket is answered once; a second answer is told who gave the first (409)."""
    return await engine.tickets.answer(number, answer.text, by=identity.actor())
