"""The help-desk routes: what waits for a person, one session's question with its history, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field, JsonValue

from handraise.core.actors import Actor
from handraise.core.errors import NotFound
from handraise.core.log.facts import Event, MessageReceived, MessageSent
from handraise.core.requests import QuestionType, Request, Urgency
from handraise.core.sessions import Session
from handraise.core.states import SessionStatus
from handraise.service.auth.authentication import IdentityHere
from handraise.service.auth.identity import Identity
from handraise.service.dependencies import EngineHere
from handraise.service.help_desk_api.wire import HumanRequest, WireStatus, decision_from_wire, to_wire
from handraise.service.http.problems import problem_responses
from handraise.service.idempotency_key import IdempotentCallHere
from handraise.service.routes.sessions import SessionHere
from handraise.store.store import Transaction
from handraise.store.tables.request_lists import Filter

router = APIRouter(tags=["Help-desk routes"])

COUNTED = 1000
"""How far this list counts and pages. Whoever has more open requests than that uses /api/v1/requests, by cursor."""
HISTORY = 500
WENT_ON = "Agent 已继续执行"
WAITS = "已记录，Agent 仍在等待其余请求"


class PendingRequest(BaseModel):
    """One row of the list; `options` only where there are any."""

    request_id: str = Field(examples=["req_001"])
    session_id: str
    question: str
    question_type: QuestionType
    context: dict[str, JsonValue]
    urgency: Urgency
    created_at: datetime
    waiting_seconds: int
    options: list[dict[str, str]] | None = None


class PendingRequests(BaseModel):
    """A page. `total` stops counting at 1000."""

    items: list[PendingRequest]
    total: int
    page: int


class AskedRequest(BaseModel):
    """What is asked; `options` only where there are any."""

    request_id: str
    question: str
    question_type: QuestionType
    context: dict[str, JsonValue]
    urgency: Urgency
    options: list[dict[str, str]] | None = None


class Spoken(BaseModel):
    """A message of the conversation. Whoever answers the customer is the `assistant`."""

    role: Literal["user", "assistant"]
    content: str
    timestamp: datetime


class PendingDetail(BaseModel):
    """The most pressing open request of a session, and what was said."""

    request: AskedRequest
    conversation_history: list[Spoken]


class HumanResponse(BaseModel):
    """An operator's answer: a text, one of the options, or both."""

    request_id: str = Field(max_length=200, examples=["req_001"])
    human_agent_id: str | None = Field(
        None, max_length=200, description="Who answers, when a program sends it for them.", examples=["agent_001"]
    )
    response: str | None = Field(None, max_length=32_000, examples=["订单已于 2025-12-20 发货，物流单号 SF123456"])
    selected_option: str | None = Field(None, max_length=200, examples=["B"])


class Answered(BaseModel):
    """The answer is stored."""

    success: Literal[True] = True
    request_id: str
    session_id: str
    status: WireStatus
    message: str = Field(examples=[WENT_ON])


class SessionView(BaseModel):
    """A session with what it asks of people now, and what it has asked before."""

    session_id: str
    agent: str
    status: SessionStatus
    created_at: datetime
    updated_at: datetime
    pending_human_request: HumanRequest | None
    human_request_history: list[HumanRequest]


@router.get("/human-agent/pending-requests", response_model_exclude_none=True)
async def list_pending(
    engine: EngineHere,
    urgency: Urgency | None = None,
    type: QuestionType | None = None,
    page: Annotated[int, Query(ge=1, le=COUNTED)] = 1,
    page_size: Annotated[int, Query(ge=1, le=100)] = 20,
) -> PendingRequests:
    """List what waits for an operator: the most urgent first, then the soonest deadline, then the oldest."""
    where = Filter(audience="operator", urgency=urgency, question_type=type)
    skip = (page - 1) * page_size

    async def work(tx: Transaction) -> PendingRequests:
        now = await tx.now()
        total = await tx.requests.count_listed(where, at_most=COUNTED)
        shown = (await tx.requests.list_open(where, limit=page_size, skip=skip)).items if skip < total else []
        return PendingRequests(items=[_row(request, now) for request in shown], total=total, page=page)

    return await engine.store.read(work)


@router.get("/sessions/{session_id}/pending-request", response_model_exclude_none=True)
async def read_pending(session: SessionHere, engine: EngineHere) -> PendingDetail:
    """Show what a session waits for, with what was said; 404 when it waits for nobody."""

    async def work(tx: Transaction) -> PendingDetail:
        where = Filter(audience="operator", session_id=session.id)
        found = (await tx.requests.list_open(where, limit=1)).items
        if not found:
            raise NotFound("pending request of session", session.id)
        asked = AskedRequest.model_validate(to_wire(found[0]).model_dump(include=set(AskedRequest.model_fields)))
        said = await tx.events.last_messages(session.id, limit=HISTORY)
        return PendingDetail(request=asked, conversation_history=_history(said))

    return await engine.store.read(work)


@router.post("/sessions/{session_id}/human-response", responses=problem_responses(409))
async def respond(
    session: SessionHere, answer: HumanResponse, engine: EngineHere, identity: IdentityHere, call: IdempotentCallHere
) -> Answered:
    """Answer; the agent goes on. A late answer is told who was first (409)."""
    request = await engine.store.read(lambda tx: tx.requests.get(answer.request_id))
    if request.session_id != session.id or request.audience != "operator":
        raise NotFound("request", answer.request_id)
    decision = decision_from_wire(request, response=answer.response, selected_option=answer.selected_option)
    decided = await engine.inbox.decide(request.id, decision, by=_operator(identity, answer), call=call)
    left = await engine.store.read(lambda tx: tx.requests.count_open(request.run_id))
    return Answered(
        request_id=decided.id,
        session_id=session.id,
        status=to_wire(decided).status,
        message=WAITS if left else WENT_ON,
    )


@router.get("/sessions/{session_id}")
async def read_with_requests(
    session_id: Annotated[str, Path(examples=["550e8400-e29b-41d4-a716-446655440000"])], engine: EngineHere
) -> SessionView:
    """Show a session with what it waits for and what it asked before."""

    async def work(tx: Transaction) -> SessionView:
        session = await tx.sessions.get(session_id)
        asked = [request for request in await tx.requests.of_session(session_id) if request.audience == "operator"]
        return _view(session, asked)

    return await engine.store.read(work)


def _operator(identity: Identity, answer: HumanResponse) -> Actor:
    """Return who answers. A program may speak for a person; a person speaks for nobody else."""
    if identity.role == "service" and answer.human_agent_id:
        return Actor(kind="operator", id=answer.human_agent_id, channel="api")
    return identity.actor()


def _row(request: Request, now: datetime) -> PendingRequest:
    waiting = max(0, int((now - request.created_at).total_seconds()))
    shown = to_wire(request).model_dump(include=set(PendingRequest.model_fields))
    return PendingRequest(**shown, session_id=request.session_id, waiting_seconds=waiting)


def _history(events: Sequence[Event]) -> list[Spoken]:
    history = []
    for event in events:
        match event.fact:
            case MessageReceived(text=text):
                history.append(Spoken(role="user", content=text, timestamp=event.at))
            case MessageSent(text=text):
                history.append(Spoken(role="assistant", content=text, timestamp=event.at))
            case _:
                pass  # `said` returns messages only.
    return history


def _view(session: Session, asked: Sequence[Request]) -> SessionView:
    pending = next((request for request in asked if request.status == "open"), None)
    return SessionView(
        session_id=session.id,
        agent=session.agent,
        status=session.status,
        created_at=session.created_at,
        updated_at=session.updated_at,
        pending_human_request=to_wire(pending) if pending else None,
        human_request_history=[to_wire(request) for request in asked if request.status != "open"],
    )
