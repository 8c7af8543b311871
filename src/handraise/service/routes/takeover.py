"""Routes on a whole conversation: an operator talks in the agent's place, a run is stopped, a session is closed."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

from handraise.core.log.facts import MessageSent
from handraise.core.sessions import Session
from handraise.service.auth.authentication import IdentityHere
from handraise.service.dependencies import EngineHere
from handraise.service.http.problems import problem_responses
from handraise.service.routes.sessions import SessionHere

router = APIRouter(prefix="/api/v1/sessions/{session_id}", tags=["Sessions"], responses=problem_responses(409))


class Said(BaseModel):
    """What an operator writes to the customer."""

    text: str = Field(examples=["This is Ada. I have found your order."])


class Sent(BaseModel):
    """The message is stored; the agent finds it in its history when it has the session back."""

    message_id: str


class Stopped(BaseModel):
    """Whether there was anything to stop."""

    stopped: bool


@router.post("/takeover")
async def take_over(session: SessionHere, engine: EngineHere, identity: IdentityHere) -> Session:
    """Talk to the customer yourself. The agent starts nothing new until you hand the session back.

    A lead or an admin can take a session from the operator who has it; everybody else gets a 409 that names them.
    """
    return await engine.conversations.take_over(session.id, by=identity.actor(), from_others=identity.leads)


@router.post("/say", status_code=201)
async def say(session: SessionHere, said: Said, engine: EngineHere, identity: IdentityHere) -> Sent:
    """Write to the customer, in a session that you have taken over."""
    message: MessageSent = await engine.conversations.say(session.id, said.text, by=identity.actor())
    return Sent(message_id=message.message_id)


@router.post("/handback")
async def hand_back(session: SessionHere, engine: EngineHere, identity: IdentityHere) -> Session:
    """Give the session back to its agent, which then answers what the customer said last.

    A lead or an admin can do so for whoever has taken it over.
    """
    return await engine.conversations.hand_back(session.id, by=identity.actor(), for_others=identity.leads)


@router.post("/stop")
async def stop(session: SessionHere, engine: EngineHere, identity: IdentityHere) -> Stopped:
    """End what the agent is doing, and withdraw what it asked."""
    return Stopped(stopped=await engine.conversations.stop(session.id, by=identity.actor()))


@router.post("/close")
async def close(session: SessionHere, engine: EngineHere, identity: IdentityHere) -> Session:
    """End the conversation for good; closing twice is closing once."""
    return await engine.conversations.close(session.id, by=identity.actor())
