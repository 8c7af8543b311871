"""What a client of the chat routes gets to see: a turn as it happens, what it missed, or what a session waits for."""

from __future__ import annotations

from collections.abc import AsyncIterator

from handraise.core.requests import Request
from handraise.core.sessions import Session
from handraise.engine.desk.customer_texts import customer_text, language_of
from handraise.engine.engine import Engine
from handraise.service.chat_api.frames import ChatFrame, ThoughtFrame, done, tool_request
from handraise.service.chat_api.turn import StreamPlace, TurnStream, waiting
from handraise.service.live.feed import Feed
from handraise.store.store import Transaction
from handraise.store.tables.request_lists import Filter

Frames = AsyncIterator[tuple[StreamPlace, ChatFrame]]


async def turn_of(engine: Engine, feed: Feed, session_id: str, run_id: str, place: StreamPlace) -> Frames:
    """Follow a run, or say at once why it does not start: an earlier one waits, or an operator has the session."""
    session = await read_session(engine, session_id)
    language = language_of(session, await engine.store.read(lambda tx: tx.events.last_received(session_id)))
    if not run_id:
        yield place, ThoughtFrame(content=customer_text("taken", language))
        yield place, done(session_id, session.status)
        return
    runs = await engine.store.read(lambda tx: tx.runs.unfinished(session_id))
    turn = TurnStream(session_id, run_id, language, place)
    waits_for_another = bool(runs) and runs[0].status == "paused" and runs[0].id != run_id
    async for frame in standing(engine, turn) if waits_for_another else turn.follow(feed):
        yield frame


async def after_decision(engine: Engine, feed: Feed, decided: Request, place: StreamPlace, *, goes_on: bool) -> Frames:
    """Follow the run that a decision let go on, or say what it still waits for."""
    session = await read_session(engine, decided.session_id)
    said = await engine.store.read(lambda tx: tx.events.last_received(decided.session_id))
    turn = TurnStream(decided.session_id, decided.run_id, language_of(session, said), place)
    async for frame in turn.follow(feed) if goes_on else standing(engine, turn):
        yield frame


async def rest_of(engine: Engine, feed: Feed, session_id: str, place: StreamPlace) -> Frames:
    """Yield what was missed, and then the rest of the turn, if it is not over."""

    async def read(tx: Transaction) -> tuple[Session, str, int, str]:
        runs = await tx.runs.unfinished(session_id)
        going = runs[-1].id if runs and runs[0].status != "paused" else ""
        past = await tx.sessions.last_event_number(session_id)
        return await tx.sessions.get(session_id), await tx.events.last_received(session_id), past, going

    session, said, past, run_id = await engine.store.read(read)
    turn = TurnStream(session_id, run_id, language_of(session, said), place, past)
    async for frame in turn.follow(feed) if run_id else turn.replay(feed):
        yield frame
    if not run_id:
        async for frame in standing(engine, turn):
            yield frame


async def standing(engine: Engine, turn: TurnStream) -> Frames:
    """Yield what a session waits for, and that it does."""
    opened = await open_requests(engine, turn.session_id)
    if theirs := [request for request in opened if request.audience == "customer"]:
        yield turn.place, tool_request(turn.session_id, theirs)
    for request in opened:
        if request.audience == "operator":
            yield turn.place, waiting(request, turn.language)
    yield turn.place, done(turn.session_id, (await read_session(engine, turn.session_id)).status)


async def open_requests(engine: Engine, session_id: str) -> list[Request]:
    where = Filter(session_id=session_id)
    page = await engine.store.read(lambda tx: tx.requests.list_open(where, limit=200))
    return sorted(page.items, key=lambda request: (request.created_at, request.interrupt_id, request.position))


async def read_session(engine: Engine, session_id: str) -> Session:
    return await engine.store.read(lambda tx: tx.sessions.get(session_id))
