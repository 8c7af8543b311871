"""Routes for leads and admins: the audit trail, its seals, and a copy to take away."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime, BaseModel, Field, JsonValue

from handraise.audit.exporting import export
from handraise.core.actors import Actor
from handraise.service.auth.authentication import IdentityHere
from handraise.service.dependencies import EngineHere
from handraise.store.connection import from_us
from handraise.store.store import Transaction
from handraise.store.tables.trail import Stored, TrailFilter

router = APIRouter(prefix="/api/v1/audit", tags=["Audit"])


class AuditEvent(BaseModel):
    """One event of the trail. `fact` is null when what it said was forgotten; `gist` is what remains of it then."""

    seq: int = Field(examples=[1042])
    session_id: str = Field(examples=["550e8400-e29b-41d4-a716-446655440000"])
    session_seq: int = Field(examples=[7])
    at: datetime
    actor: Actor
    name: str = Field(examples=["request.decided"])
    gist: dict[str, JsonValue]
    fact: dict[str, JsonValue] | None
    hash: str


class AuditPage(BaseModel):
    """Events, the newest first; `next_cursor` asks for the page after them, and is null on the last one."""

    items: list[AuditEvent]
    next_cursor: str | None


class SealState(BaseModel):
    """How far the trail is sealed. `hash` is worth keeping elsewhere: `handraise audit verify --head` takes it."""

    number: int
    at: datetime | None
    sealed: int = Field(description="The newest event that a seal covers.")
    events: int = Field(description="The newest event.")
    hash: str


async def trail_filter(
    actor: Annotated[str | None, Query(max_length=200, description="Who, by id.", examples=["ada"])] = None,
    name: Annotated[str | None, Query(max_length=64, examples=["request.decided"])] = None,
    session_id: Annotated[str | None, Query(max_length=200)] = None,
    tool: Annotated[str | None, Query(max_length=200)] = None,
    since: Annotated[AwareDatetime | None, Query(description="From this time on, with its zone.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Before this time, with its zone.")] = None,
) -> TrailFilter:
    """Read which events are wanted."""
    return TrailFilter(actor=actor, name=name, session_id=session_id, tool=tool, since=since, until=until)


FilterHere = Annotated[TrailFilter, Depends(trail_filter)]


@router.get("")
async def read_trail(
    engine: EngineHere,
    where: FilterHere,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=1000, description="`next_cursor` of the page before.")] = None,
) -> AuditPage:
    """Read the audit trail: who did what, when, from where, to what, by which rule and why."""
    page = await engine.store.read(lambda tx: tx.trail.page(where, limit=limit, cursor=cursor))
    return AuditPage(items=[_shown(row) for row in page.items], next_cursor=page.next_cursor)


@router.get("/seal")
async def read_seal(engine: EngineHere) -> SealState:
    """Say how far the trail is sealed."""

    async def work(tx: Transaction) -> SealState:
        last = await tx.seals.last()
        return SealState(
            number=last.number if last else 0,
            at=from_us(last.at) if last else None,
            sealed=last.seq if last else 0,
            events=await tx.events.head(),
            hash=last.hash if last else "",
        )

    return await engine.store.read(work)


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/jsonl": {"schema": {"type": "string"}}}}},
)
async def export_trail(engine: EngineHere, where: FilterHere, identity: IdentityHere) -> StreamingResponse:
    """Take a copy of the trail as JSON Lines, with the head hash at the end; that it was taken is recorded."""
    lines = export(engine.store, where, by=identity.actor())
    return StreamingResponse(
        lines,
        media_type="application/jsonl",
        headers={"Content-Disposition": 'attachment; filename="handraise-audit.jsonl"'},
    )


def _shown(row: Stored) -> AuditEvent:
    return AuditEvent.model_validate(
        {
            **row._asdict(),
            "at": from_us(row.at),
            "actor": json.loads(row.actor),
            "gist": json.loads(row.gist),
            "fact": json.loads(row.fact) if row.fact else None,
        },
        extra="ignore",
    )
