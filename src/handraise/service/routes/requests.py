"""Routes for operators: the inbox, claims and decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Path, Query
from pydantic import BaseModel, Field

from handraise.core.decisions import Decision, Respond
from handraise.core.effects.ledger import Settlement
from handraise.core.requests import Audience, QuestionType, Request, RequestKind, Urgency
from handraise.core.states import RequestStatus
from handraise.service.auth.authentication import IdentityHere
from handraise.service.dependencies import EngineHere
from handraise.service.http.problems import problem_responses
from handraise.service.idempotency_key import IdempotentCallHere
from handraise.service.routes.request_filters import FactsHere
from handraise.store.tables.request_lists import Filter

router = APIRouter(prefix="/api/v1/requests", tags=["Inbox"])

RequestId = Annotated[str, Path(examples=["req_5f2b8c0d9e1a4b6c7d8e9f00"])]

_DECISIONS = {
    "approve": {"summary": "Run it as shown", "value": {"type": "approve"}},
    "edit": {
        "summary": "Run it with other arguments",
        "value": {"type": "edit", "args": {"order_id": "1001", "amount": 10}},
    },
    "reject": {"summary": "Do not run it", "value": {"type": "reject", "reason": "The order is too old."}},
    "respond": {
        "summary": "Answer a question",
        "value": {"type": "respond", "text": "It was shipped on 20 December.", "selected_option": None},
    },
}


class RequestPage(BaseModel):
    """Requests; `next_cursor` asks for the page after them, and is null on the last one."""

    items: list[Request]
    next_cursor: str | None


class SettlementAnswer(BaseModel):
    """What became of a call whose outcome a crash has hidden."""

    settlement: Settlement = Field(examples=["ran"])
    result: str = Field(default="", max_length=32_000, description="What it returned, if it ran.", examples=["42.50"])


@router.get("")
async def list_requests(
    engine: EngineHere,
    facts: FactsHere,
    status: RequestStatus | Literal["all"] = "open",
    audience: Audience | None = None,
    kind: RequestKind | None = None,
    urgency: Urgency | None = None,
    question_type: QuestionType | None = None,
    session_id: Annotated[str | None, Query(max_length=200)] = None,
    tool: Annotated[str | None, Query(max_length=200)] = None,
    claimed_by: Annotated[str | None, Query(max_length=200)] = None,
    search: Annotated[
        str | None, Query(min_length=1, max_length=200, description="A text in what was asked or answered.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=1000, description="`next_cursor` of the page before.")] = None,
) -> RequestPage:
    """List requests.

    Open ones are sorted as they should be answered: the most urgent first, then the soonest deadline, then the oldest.
    All others are sorted by age, the newest first. With a filter of the insights, such as `created_from`, `quick` or
    `decided_by`, the list is exactly what the number in `/api/v1/insights` counts; it is sorted by age too.
    """
    where = Filter(
        audience=audience,
        kind=kind,
        urgency=urgency,
        question_type=question_type,
        session_id=session_id,
        tool=tool,
        claimed_by=claimed_by,
        search=search,
    )
    only = None if status == "all" else status
    if facts is not None:
        counted = replace(facts, type=question_type, tool=tool)
        page = await engine.store.read(
            lambda tx: tx.request_facts.page(counted, where, status=only, limit=limit, cursor=cursor)
        )
    elif status == "open":
        page = await engine.store.read(lambda tx: tx.requests.list_open(where, limit=limit, cursor=cursor))
    else:
        page = await engine.store.read(lambda tx: tx.requests.list_all(where, status=only, limit=limit, cursor=cursor))
    return RequestPage(items=page.items, next_cursor=page.next_cursor)


@router.get("/{request_id}")
async def read_request(request_id: RequestId, engine: EngineHere) -> Request:
    """Show a request: exactly what would run, or what is asked."""
    return await engine.store.read(lambda tx: tx.requests.get(request_id))


@router.post("/{request_id}/claim", responses=problem_responses(409))
async def claim_request(request_id: RequestId, engine: EngineHere, identity: IdentityHere) -> Request:
    """Keep a request for yourself for two minutes; claim again to keep it longer."""
    return await engine.inbox.claim(request_id, by=identity.actor())


@router.post("/{request_id}/release", responses=problem_responses(409))
async def release_request(request_id: RequestId, engine: EngineHere, identity: IdentityHere) -> Request:
    """Give up a claim."""
    return await engine.inbox.release(request_id, by=identity.actor())


@router.post("/{request_id}/decision", responses=problem_responses(409))
async def decide_request(
    request_id: RequestId,
    decision: Annotated[Decision, Body(openapi_examples=_DECISIONS)],
    engine: EngineHere,
    identity: IdentityHere,
    call: IdempotentCallHere,
) -> Request:
    """Decide. Exactly one decision wins; every later one is told who made it (409)."""
    return await engine.inbox.decide(request_id, decision, by=identity.actor(), call=call)


@router.post("/{request_id}/settle", responses=problem_responses(409))
async def settle_request(
    request_id: RequestId,
    answer: SettlementAnswer,
    engine: EngineHere,
    identity: IdentityHere,
    call: IdempotentCallHere,
) -> Request:
    """Settle whether a call ran whose outcome a crash has hidden, by the id of its approval or of the question.

    The answer is the settled question. `ran` goes on with `result`, `run_again` runs it now, `leave` lets it be.
    """
    said = Respond(text=answer.result, selected_option=answer.settlement)
    return await engine.inbox.settle(request_id, said, by=identity.actor(), call=call)
