"""Routes that save operators from answering the same twice."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from handraise.core.decisions import Respond
from handraise.knowledge.answers import Served, Similar, decide_for_all, similar_to
from handraise.service.auth.authentication import IdentityHere
from handraise.service.dependencies import EngineHere
from handraise.service.http.problems import Problem

router = APIRouter(prefix="/api/v1/requests", tags=["Inbox"], responses={404: {"model": Problem}})


class AnswerForAll(BaseModel):
    """One answer for all open requests that ask the same, or for those that were on the screen."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"decision": {"type": "respond", "text": "Gift cards cannot be returned."}}]},
    )

    decision: Respond
    request_ids: list[str] | None = Field(None, max_length=200, description="Only these; all of them if left out.")


class AllServed(BaseModel):
    """What became of each request, the one that was answered first."""

    items: list[Served]


@router.get("/{request_id}/similar")
async def read_similar(request_id: str, engine: EngineHere) -> Similar:
    """Show past answers to the same question, open requests that ask it too, and entries about it."""
    return await similar_to(engine.store, request_id)


@router.post("/{request_id}/decision-for-all", responses={409: {"model": Problem}, 422: {"model": Problem}})
async def decide_same(request_id: str, answer: AnswerForAll, engine: EngineHere, identity: IdentityHere) -> AllServed:
    """Answer a question and all open ones that ask the same. Each is decided and recorded by itself."""
    served = await decide_for_all(
        engine.store,
        engine.inbox.decide,
        request_id,
        answer.decision,
        by=identity.actor(),
        request_ids=answer.request_ids,
    )
    return AllServed(items=served)
