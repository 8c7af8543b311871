"""The help desk's WebSocket: `human_request` when an agent asks, and what becomes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket
from pydantic import BaseModel, JsonValue

from handraise.core.log.facts import ABOUT_A_REQUEST, Event
from handraise.core.requests import QuestionType, Urgency
from handraise.service.dependencies import EngineHere, FeedHere
from handraise.service.help_desk_api.wire import WireStatus, to_wire
from handraise.service.live.revocation import AccessCheckHere
from handraise.service.live.sockets import broadcast

router = APIRouter(tags=["Help-desk routes"])

EVENTS: Mapping[str, str | None] = {
    "request.opened": "human_request",
    "request.claimed": "human_request_claimed",
    "request.released": "human_request_released",
    "request.reminded": "human_request_reminder",
    "request.decided": "human_request_answered",
    "request.expired": "human_request_timeout",
    "request.withdrawn": "human_request_withdrawn",
    # Whether a call ran is settled in the console: the help desk has no words for it.
    "request.doubted": None,
    "request.settled": None,
}
"""The first says that an agent asks; the others are what follows it. Every fact about a request is here."""


class HumanRequestEvent(BaseModel):
    """One frame. `seq` is the cursor: connect with `?after=<seq>` to go on after it."""

    event: str
    seq: int
    request_id: str
    session_id: str
    question: str
    question_type: QuestionType
    context: dict[str, JsonValue]
    options: list[dict[str, str]] | None
    urgency: Urgency
    status: WireStatus
    human_agent_id: str | None
    """Who claimed or answered it."""


@router.websocket("/human-agent/ws")
async def follow_requests(
    socket: WebSocket,
    engine: EngineHere,
    feed: FeedHere,
    still: AccessCheckHere,
    after: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> None:
    """Broadcast what agents ask of operators, from now on, or from after event `after`."""
    # Read before the socket is accepted: whatever happens once the client knows that it is connected comes after it.
    head = await engine.store.read(lambda tx: tx.events.head())
    # A cursor ahead of the log is of another database: waiting for this one to catch up would be silence.
    start = head if after is None else min(after, head)

    async def frames() -> AsyncIterator[str]:
        async for event in feed.inbox(after=start, still=still):
            if (frame := _frame(event)) is not None:
                yield frame.model_dump_json()

    await broadcast(socket, frames())


def _frame(event: Event) -> HumanRequestEvent | None:
    fact = event.fact
    if not isinstance(fact, ABOUT_A_REQUEST) or fact.request.audience != "operator":
        return None
    told, request = EVENTS[fact.name], fact.request
    if told is None:
        return None
    shown: dict[str, Any] = to_wire(request).model_dump(include=set(HumanRequestEvent.model_fields))
    shown["human_agent_id"] = request.claimed_by or shown["human_agent_id"]
    return HumanRequestEvent(**shown, event=told, seq=event.seq, session_id=request.session_id)
