"""The operators' live feed: a snapshot of the inbox, then every event since it, as SSE or over a WebSocket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, WebSocket
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from handraise.core.requests import Request
from handraise.engine.engine import Engine
from handraise.service.dependencies import EngineHere, FeedHere
from handraise.service.live.heartbeats import with_heartbeats
from handraise.service.live.revocation import AccessCheckHere
from handraise.service.live.sockets import broadcast
from handraise.service.routes.sessions import EventFrame
from handraise.store.store import Transaction
from handraise.store.tables.request_lists import Filter

router = APIRouter(prefix="/api/v1/live", tags=["Inbox"])

SNAPSHOT = 500
"""How many of the most pressing requests a snapshot carries; the list has the rest."""

COUNTED = 100_000
"""Where counting what is open stops."""

REPLAYED = 2_000
"""How many events a returning reader may have missed; beyond that a new snapshot is shorter."""

HEARTBEAT = 15.0


class SnapshotFrame(BaseModel):
    """The inbox as it was after event `seq`; the events after it follow. `at` is the service's clock."""

    type: Literal["snapshot"] = "snapshot"
    seq: int
    at: datetime
    requests: list[Request] = Field(description=f"The most pressing ones, at most {SNAPSHOT}.")
    next_cursor: str | None = Field(description="Where `GET /requests` goes on with the others, if any.")
    open: int = Field(description=f"How many are open in all; counting stops at {COUNTED:,}.")


class HeartbeatFrame(BaseModel):
    """Nothing happened for a while, and the connection is alive."""

    type: Literal["heartbeat"] = "heartbeat"
    at: datetime


@router.get("", response_class=EventSourceResponse)
async def follow_inbox(engine: EngineHere, feed: FeedHere, still: AccessCheckHere) -> AsyncIterator[ServerSentEvent]:
    """Follow the inbox: a snapshot first, then every event about a request or a ticket."""
    first = await _snapshot(engine)
    yield ServerSentEvent(data=first, id=str(first.seq))
    async for event in feed.inbox(after=first.seq, still=still):
        yield ServerSentEvent(data=EventFrame(event=event), id=str(event.seq))


@router.websocket("/ws")
async def follow_inbox_over_a_socket(
    socket: WebSocket,
    engine: EngineHere,
    feed: FeedHere,
    still: AccessCheckHere,
    after: Annotated[int | None, Query(ge=0)] = None,
) -> None:
    """Follow the inbox over a WebSocket: the same frames, and heartbeats that a page can see.

    `after` goes on after that event, without a snapshot, unless it is of another database or too far back.
    """

    async def frames() -> AsyncIterator[str]:
        seq = after
        if seq is None or not await _can_go_on(engine, seq):
            first = await _snapshot(engine)
            yield first.model_dump_json()
            seq = first.seq
        async for event in with_heartbeats(feed.inbox(after=seq, still=still), every=HEARTBEAT):
            frame = HeartbeatFrame(at=datetime.now(UTC)) if event is None else EventFrame(event=event)
            yield frame.model_dump_json()

    await broadcast(socket, frames())


async def _can_go_on(engine: Engine, seq: int) -> bool:
    head = await engine.store.read(lambda tx: tx.events.head())
    return head - REPLAYED <= seq <= head


async def _snapshot(engine: Engine) -> SnapshotFrame:
    async def read(tx: Transaction) -> SnapshotFrame:
        page = await tx.requests.list_open(Filter(), limit=SNAPSHOT)
        return SnapshotFrame(
            seq=await tx.events.head(),
            at=await tx.now(),
            requests=page.items,
            next_cursor=page.next_cursor,
            open=await tx.requests.count_listed(Filter(), at_most=COUNTED) if page.next_cursor else len(page.items),
        )

    return await engine.store.read(read)
