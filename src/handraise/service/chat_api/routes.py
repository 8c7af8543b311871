"""The chat routes: `POST /chat` streams an answer, `POST /continue_thread` goes on after the customer's confirmation.

A client that goes away loses only its stream: the run goes on, and `GET /api/v1/sessions/{id}/chat` picks the stream up
after the last message that arrived.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Header, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, Field, JsonValue, StrictBool

from handraise.core.actors import Actor
from handraise.core.errors import Conflict
from handraise.dialects.chat_agent import read_answer
from handraise.engine.desk.conversations import check_message
from handraise.engine.engine import Engine
from handraise.service.auth.authentication import AuthenticationHere, IdentityHere, admit_to_open, admit_to_session
from handraise.service.auth.session_tokens import give_token
from handraise.service.chat_api.following import Frames, after_decision, open_requests, read_session, rest_of, turn_of
from handraise.service.chat_api.frames import SessionFrame, answer_of
from handraise.service.chat_api.turn import StreamPlace
from handraise.service.dependencies import EngineHere, FeedHere
from handraise.service.http.problems import problem_responses
from handraise.service.http.sse import encode_frames
from handraise.service.routes.sessions import MESSAGE_ID, Customer, Language, SessionHere, check_customer

router = APIRouter(tags=["Chat routes"])

SSE_ITEM = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": "#/components/schemas/ChatMessageFrame"},
        },
    },
}
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The turn's messages, as server-sent events or, for `Accept: application/json`, in one object.",
        "content": {
            "text/event-stream": {"itemSchema": SSE_ITEM},
            "application/json": {"schema": {"$ref": "#/components/schemas/ChatAnswer"}},
        },
    },
    **problem_responses(409),
}


class ChatMessage(BaseModel):
    """What the customer writes; without a `thread_id` it opens a new conversation."""

    message: str = Field(examples=["Please cancel order 1002"])
    thread_id: str | None = Field(None, min_length=1, max_length=200)
    agent: str = Field("", max_length=64, examples=["shop"])
    language: Language = Field("", examples=["en"])
    customer: Customer | None = Field(None, examples=["c-1024"])
    message_id: str | None = Field(None, pattern=MESSAGE_ID, description="Sent again under it, it is not a second one.")


class ToolCall(BaseModel):
    """A call as it shall run: as `tool_request` showed it, or with other arguments."""

    id: str | None = Field(None, max_length=200)
    name: str = Field(max_length=200)
    args: dict[str, JsonValue] | None = Field(None, description="Without them the call runs as it was shown.")


class Continuation(BaseModel):
    """The customer's answer to a `tool_request`. `reason` tells the agent why not."""

    thread_id: str = Field(min_length=1, max_length=200)
    approved: StrictBool
    tool_calls: list[ToolCall] | None = Field(
        None, max_length=100, description="What shall run, or shall not; without the list, every call that waits."
    )
    reason: str = Field("", max_length=2000)


@router.post("/chat", response_class=StreamingResponse, response_model=None, responses=STREAM)
async def chat(
    message: ChatMessage,
    engine: EngineHere,
    feed: FeedHere,
    authentication: AuthenticationHere,
    identity: IdentityHere,
    request: Request,
) -> Response:
    """Write to the agent, and follow what it says and does until it is done or waits for somebody."""
    response, token = Response(), None
    check_customer(message.customer, identity)
    if message.thread_id is None:
        admit_to_open(request)
        check_message(message.message)
        session = await engine.conversations.create(
            agent=message.agent, customer=message.customer or "", language=message.language
        )
        token = await give_token(session, authentication, request, response)
    else:
        identity = await admit_to_session(request, message.thread_id)
        session = await read_session(engine, message.thread_id)
    before = await engine.store.read(lambda tx: tx.sessions.last_event_number(session.id))
    by = Actor(kind="customer", channel="api" if identity.role == "service" else "chat")
    received = await engine.conversations.send(session.id, message.message, by=by, message_id=message.message_id or "")
    first = SessionFrame(thread_id=session.id, token=token)
    place = await _place_of(engine, session.id, received.message_id, before)
    frames = turn_of(engine, feed, session.id, received.run_id, place)
    return await _answer(request, _with(first, place, frames), response)


@router.post("/continue_thread", response_class=StreamingResponse, response_model=None, responses=STREAM)
async def continue_thread(
    answer: Annotated[
        Continuation,
        Body(
            examples=[
                {
                    "thread_id": "550e8400-e29b-41d4-a716-446655440000",
                    "approved": True,
                    "tool_calls": [{"name": "cancel_order", "args": {"order_id": "1002"}}],
                }
            ]
        ),
    ],
    engine: EngineHere,
    feed: FeedHere,
    request: Request,
) -> Response:
    """Confirm or reject what the agent wants to do for you, and follow what comes of it."""
    identity = await admit_to_session(request, answer.thread_id)
    session = await read_session(engine, answer.thread_id)
    theirs = [waits for waits in await open_requests(engine, session.id) if waits.audience == "customer"]
    if not theirs:
        raise Conflict(
            f"Session {session.id} waits for no confirmation by the customer.",
            fix="Nothing was changed; send a message with POST /chat.",
            details={"status": session.status},
        )
    decisions = read_answer(answer.model_dump(exclude={"thread_id"}), requests=theirs)
    before = await engine.store.read(lambda tx: tx.sessions.last_event_number(session.id))
    by = Actor(kind="customer", channel="api") if identity.role == "service" else identity.actor()
    goes_on = await engine.inbox.decide_together(decisions, by=by)
    frames = after_decision(engine, feed, theirs[0], StreamPlace(before), goes_on=goes_on)
    return await _answer(request, _with(SessionFrame(thread_id=session.id), StreamPlace(before), frames), Response())


@router.get(
    "/api/v1/sessions/{session_id}/chat", response_class=StreamingResponse, response_model=None, responses=STREAM
)
async def pick_up(
    session: SessionHere,
    engine: EngineHere,
    feed: FeedHere,
    request: Request,
    last_event_id: Annotated[str, Header(pattern=r"^\d{1,18}(\.\d{1,9})?$")] = "0",
) -> Response:
    """Go on with a broken stream of /chat or /continue_thread, after `Last-Event-ID`.

    It begins again where there never was such an event.
    """
    seq, _, characters = last_event_id.partition(".")
    place = (
        StreamPlace(int(seq), int(characters or 0)) if await feed.has_come_to(session.id, int(seq)) else StreamPlace(0)
    )
    frames = rest_of(engine, feed, session.id, place)
    return await _answer(request, _with(SessionFrame(thread_id=session.id), place, frames), Response())


async def _with(first: SessionFrame, place: StreamPlace, frames: Frames) -> Frames:
    yield place, first
    async for frame in frames:
        yield frame


async def _answer(request: Request, frames: Frames, cookies: Response) -> Response:
    accepted = request.headers.get("accept", "")
    if "application/json" in accepted and "text/event-stream" not in accepted:
        whole = answer_of([frame async for _, frame in frames])
        answer: Response = JSONResponse(whole.model_dump(mode="json"))
    else:
        answer = StreamingResponse(encode_frames(frames), media_type="text/event-stream")
    for name, value in cookies.headers.items():
        if name == "set-cookie":
            answer.headers.append(name, value)
    return answer


async def _place_of(engine: Engine, session_id: str, message_id: str, before: int) -> StreamPlace:
    """Return the place of a message in its session; one that was sent again has its old place."""
    event = await engine.store.read(lambda tx: tx.events.find(session_id, f"received:{message_id}"))
    return StreamPlace(event.session_seq if event else before)
