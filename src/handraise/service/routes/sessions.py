"""Routes for conversations: a session, its messages and its live events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from handraise.core.actors import Actor
from handraise.core.errors import NotPermitted
from handraise.core.log.facts import Event
from handraise.core.sessions import Session
from handraise.core.states import SessionStatus
from handraise.engine.runs.deltas import Delta
from handraise.service.auth.authentication import AuthenticationHere, IdentityHere, admit_to_open
from handraise.service.auth.identity import Identity
from handraise.service.auth.session_tokens import give_token
from handraise.service.dependencies import EngineHere, FeedHere
from handraise.service.http.problems import problem_responses
from handraise.service.live.revocation import AccessCheckHere
from handraise.service.live.visibility import seen_by_customer
from handraise.store.tables.sessions import SessionFilter

router = APIRouter(prefix="/api/v1/sessions", tags=["Sessions"])

Language = Annotated[
    str, Field(max_length=20, pattern=r"^[A-Za-z-]*$", description="Such as zh or en; found out when left out.")
]

Customer = Annotated[
    str,
    Field(
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        description="Who the customer of a new conversation is, as your own system knows them: operators see it and "
        "list by it. Only for programs with an API key and for operators.",
    ),
]

MESSAGE_ID = r"^[\w-]{1,64}$"


class NewSession(BaseModel):
    """Whom to talk to, in which language, and who is talking; each may be left out."""

    agent: str = Field("", max_length=64, examples=["shop"])
    language: Language = Field("", examples=["en"])
    customer: Customer | None = Field(None, examples=["c-1024"])


class OpenedSession(Session):
    """A new conversation. Every later call on it needs the `token`, or the cookie that a browser gets with it."""

    token: str


class SessionPage(BaseModel):
    """Sessions, the newest first; `next_cursor` asks for the page after them."""

    items: list[Session]
    next_cursor: str | None


class NewMessage(BaseModel):
    """What the customer writes."""

    text: str = Field(examples=["I want a refund for order 1001"])
    message_id: str | None = Field(
        None,
        pattern=MESSAGE_ID,
        description="An id of your own: a message that is sent again under it is not a second message.",
        examples=["m-0001"],
    )


class Accepted(BaseModel):
    """The message is stored and will be answered in order; `run_id` is empty while an operator has the session."""

    message_id: str
    run_id: str


class EventFrame(BaseModel):
    """A stored event; its SSE `id` resumes the stream after it."""

    type: Literal["event"] = "event"
    event: Event


class DeltaFrame(BaseModel):
    """A piece of a message that is still being written; the stored message replaces the pieces."""

    type: Literal["delta"] = "delta"
    message_id: str
    text: str


async def existing(
    session_id: Annotated[str, Path(examples=["550e8400-e29b-41d4-a716-446655440000"])], engine: EngineHere
) -> Session:
    """Return the session that the path names, or answer 404."""
    return await engine.store.read(lambda tx: tx.sessions.get(session_id))


SessionHere = Annotated[Session, Depends(existing)]


def check_customer(customer: str | None, identity: Identity) -> None:
    """Refuse a customer's name from somebody who has proven nothing: operators trust it."""
    if customer and not identity.is_person and identity.role != "service":
        raise NotPermitted(
            f"Who the customer is ({customer!r}) is not for customers themselves to say.",
            fix="Leave `customer` out, or open the session with an API key of scope `chat`.",
        )


@router.post("", status_code=201)
async def create_session(
    new: NewSession,
    engine: EngineHere,
    authentication: AuthenticationHere,
    identity: IdentityHere,
    request: Request,
    response: Response,
) -> OpenedSession:
    """Open a conversation."""
    admit_to_open(request)
    check_customer(new.customer, identity)
    session = await engine.conversations.create(agent=new.agent, customer=new.customer or "", language=new.language)
    return OpenedSession(**session.model_dump(), token=await give_token(session, authentication, request, response))


@router.get("")
async def list_sessions(
    engine: EngineHere,
    status: SessionStatus | None = None,
    agent: Annotated[str | None, Query(max_length=64)] = None,
    customer: Annotated[str | None, Query(max_length=200)] = None,
    taken_by: Annotated[str | None, Query(max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=1000, description="`next_cursor` of the page before.")] = None,
) -> SessionPage:
    """List conversations, the newest first."""
    where = SessionFilter(status=status, agent=agent, customer=customer, taken_by=taken_by)
    page = await engine.store.read(lambda tx: tx.sessions.page(where, limit=limit, cursor=cursor))
    return SessionPage(items=page.items, next_cursor=page.next_cursor)


@router.get("/{session_id}")
async def read_session(session: SessionHere) -> Session:
    """Say where a conversation stands."""
    return session


@router.post("/{session_id}/messages", status_code=202, responses=problem_responses(409))
async def send_message(
    session: SessionHere, message: NewMessage, engine: EngineHere, identity: IdentityHere
) -> Accepted:
    """Write to the agent. Messages are answered in order, also those sent while a request is open."""
    by = Actor(kind="customer", channel="api" if identity.role == "service" else "chat")
    received = await engine.conversations.send(session.id, message.text, by=by, message_id=message.message_id or "")
    return Accepted(message_id=received.message_id, run_id=received.run_id)


@router.get("/{session_id}/events", response_class=EventSourceResponse)
async def follow_session(
    session: SessionHere,
    feed: FeedHere,
    identity: IdentityHere,
    still: AccessCheckHere,
    last_event_id: Annotated[int, Header(ge=0, le=2**62)] = 0,
) -> AsyncIterator[ServerSentEvent]:
    """Follow a conversation: what happened so far, then what happens.

    It goes on after `Last-Event-ID`, and begins again where there never was such an event.
    """
    if not await feed.has_come_to(session.id, last_event_id):
        last_event_id = 0
    sees_all = identity.role not in {"customer", "nobody"}
    async for item in feed.session(session.id, after=last_event_id, still=still):
        match item:
            case Delta():
                yield ServerSentEvent(data=DeltaFrame(message_id=item.message_id, text=item.text))
            case Event():
                shown = item if sees_all else seen_by_customer(item)
                if shown is not None:
                    yield ServerSentEvent(data=EventFrame(event=shown), id=str(item.session_seq))
