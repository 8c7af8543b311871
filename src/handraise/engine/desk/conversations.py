"""Conversations: what customers say, and what operators do to a whole session."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from handraise.core.actors import SERVICE, Actor
from handraise.core.digests import canonical
from handraise.core.errors import Conflict, InvalidInput, NotFound
from handraise.core.log.facts import (
    Event,
    MessageReceived,
    MessageSent,
    RequestWithdrawn,
    RunStopped,
    SessionChanged,
    SessionCreated,
    SessionReturned,
    SessionTaken,
)
from handraise.core.sessions import Session
from handraise.store.store import Store, Transaction

MAX_MESSAGE = 32_000
"""The longest message that anybody may send, in characters."""


class Conversations:
    """Sessions from the outside: opened, written to, taken over, handed back, stopped and closed."""

    def __init__(self, store: Store, *, agents: Sequence[str]) -> None:
        self._store = store
        self._agents = agents

    async def create(self, *, agent: str = "", customer: str = "", language: str = "") -> Session:
        """Open a new conversation with an agent; with the first one when none is named."""
        name = agent or self._agents[0]
        if name not in self._agents:
            raise NotFound("agent", name)

        async def work(tx: Transaction) -> Session:
            now = await tx.now()
            session = Session(
                id=str(uuid.uuid4()), agent=name, customer=customer, language=language, created_at=now, updated_at=now
            )
            await tx.sessions.add(session)
            tx.events.append(session.id, SessionCreated(session=session), by=SERVICE)
            return session

        return await self._store.write(work)

    async def send(self, session_id: str, text: str, *, by: Actor, message_id: str = "") -> MessageReceived:
        """Take in a customer's message: it is stored, and will be answered in order, when this returns.

        A `message_id` of the sender's own makes it safe to send again: the second time is not a second message.
        """
        check_message(text)
        message_id = message_id or str(uuid.uuid4())
        key = f"received:{message_id}"

        async def work(tx: Transaction) -> MessageReceived:
            session = await tx.sessions.lock(session_id)
            before = await tx.events.find(session_id, key)
            if before is not None:
                return _same(before, text)
            _must_not_be_completed(session)
            if session.status in {"error", "timeout"}:
                session = await tx.sessions.move(session, "continue")
                tx.events.append(session_id, SessionChanged(status=session.status), by=SERVICE)
            run_id = await _hear(tx, session, {"role": "customer", "message_id": message_id, "text": text})
            message = MessageReceived(message_id=message_id, run_id=run_id, text=text)
            await tx.events.append_once(session_id, message, by=by, key=key)
            return message

        return await self._store.write(work)

    async def take_over(self, session_id: str, *, by: Actor, from_others: bool = False) -> Session:
        """Let an operator talk to the customer; the agent starts nothing new until it is handed back.

        `from_others` takes it from another operator too: whoever has it may be gone.
        """

        async def work(tx: Transaction) -> Session:
            session = await tx.sessions.lock(session_id)
            _must_not_be_completed(session)
            if session.taken_by == by.id:
                return session
            if not from_others:
                _must_not_be_taken(session)
            session = await tx.sessions.hand_to(session, by.id)
            tx.events.append(session_id, SessionTaken(operator=by.id), by=by)
            return session

        return await self._store.write(work)

    async def say(self, session_id: str, text: str, *, by: Actor) -> MessageSent:
        """Write to the customer as the operator who has taken the session over."""
        check_message(text)
        message = MessageSent(message_id=str(uuid.uuid4()), text=text)

        async def work(tx: Transaction) -> None:
            session = await tx.sessions.lock(session_id)
            _must_not_be_completed(session)
            _must_be_taken_by(session, by)
            await _hear(tx, session, {"role": "operator", "message_id": message.message_id, "text": text})
            # The agent will find this message in its history, and must not take it for one of its own.
            await tx.events.append_once(session_id, message, by=by, key=f"sent:{message.message_id}")

        await self._store.write(work)
        return message

    async def hand_back(self, session_id: str, *, by: Actor, for_others: bool = False) -> Session:
        """Give a session back to its agent, which has everything that was said in between in its history.

        `for_others` hands back what another operator has: they may be gone.
        """

        async def work(tx: Transaction) -> Session:
            session = await tx.sessions.lock(session_id)
            _must_be_taken(session)
            if not for_others:
                _must_be_taken_by(session, by)
            return await _hand_back(tx, session, by=by)

        return await self._store.write(work)

    async def stop(self, session_id: str, *, by: Actor) -> bool:
        """End what the agent is doing now, and withdraw what it asked. Return False when it was idle."""

        async def work(tx: Transaction) -> bool:
            session = await tx.sessions.lock(session_id)
            return await _stop(tx, session, by=by)

        return await self._store.write(work)

    async def close(self, session_id: str, *, by: Actor) -> Session:
        """End a conversation for good."""

        async def work(tx: Transaction) -> Session:
            session = await tx.sessions.lock(session_id)
            if session.status == "completed":
                return session
            await _stop(tx, session, by=by)
            session = await tx.sessions.get(session_id)
            session = await tx.sessions.move(session, "complete")
            tx.events.append(session_id, SessionChanged(status=session.status), by=by)
            return session

        return await self._store.write(work)


async def hand_back_all(tx: Transaction, operator: str, *, by: Actor) -> int:
    """Give back whatever an operator or a program has taken over who will not be there any more. Return how many."""
    held = await tx.sessions.held_by(operator)
    for session_id in held:
        await _hand_back(tx, await tx.sessions.lock(session_id), by=by)
    return len(held)


async def _hand_back(tx: Transaction, session: Session, *, by: Actor) -> Session:
    session = await tx.sessions.hand_to(session, None)
    tx.events.append(session.id, SessionReturned(operator=by.id), by=by)
    if session.status != "completed":
        await _answer_what_is_open(tx, session)
    return session


async def _hear(tx: Transaction, session: Session, said: dict[str, str]) -> str:
    """Let the agent hear what was said, now or when it has the session back. Return the run that answers, if any."""
    await tx.sessions.keep_unheard(session.id, [*await tx.sessions.undelivered(session.id), said])
    return "" if session.taken_by else await _answer_what_is_open(tx, session)


async def _answer_what_is_open(tx: Transaction, session: Session) -> str:
    """Queue a run for what the agent has not heard, if the customer had the last word."""
    unheard = await tx.sessions.undelivered(session.id)
    if not unheard or unheard[-1]["role"] != "customer":
        tx.wake("runs")
        return ""
    run_id = f"run_{uuid.uuid4().hex}"
    await tx.runs.enqueue(run_id=run_id, session_id=session.id, input={"said": unheard})
    await tx.sessions.keep_unheard(session.id, [])
    tx.wake("runs")
    return run_id


async def _stop(tx: Transaction, session: Session, *, by: Actor) -> bool:
    runs = await tx.runs.unfinished(session.id)
    for run in runs:
        await tx.runs.stop(run)
        for request in await tx.requests.of_run(run.id):
            if request.status == "open":
                withdrawn = request.withdraw(by=by, at=await tx.now())
                await tx.requests.close(withdrawn)
                tx.events.append(session.id, RequestWithdrawn(request=withdrawn), by=by)
        tx.events.append(session.id, RunStopped(run_id=run.id), by=by)
    if session.status == "waiting_for_human":
        session = await tx.sessions.move(session, "answer")
        tx.events.append(session.id, SessionChanged(status=session.status), by=SERVICE)
    return bool(runs)


def _same(before: Event, text: str) -> MessageReceived:
    message = before.fact
    if not isinstance(message, MessageReceived) or message.text != text:
        raise InvalidInput(
            "That message id was used for another message.", fix="Give each message an id of its own, or none."
        )
    return message


def check_message(text: str) -> None:
    """Refuse a message that can never be taken: an empty, an endless or a broken one."""
    canonical(text)
    if not text.strip():
        raise InvalidInput("The message is empty.", fix="Write something first.")
    if len(text) > MAX_MESSAGE:
        raise InvalidInput(
            f"The message has {len(text)} characters; {MAX_MESSAGE} is the most.", fix="Send it in parts."
        )


def _must_not_be_completed(session: Session) -> None:
    if session.status == "completed":
        raise Conflict(f"Session {session.id} is completed.", fix="Start a new session.")


def _must_not_be_taken(session: Session) -> None:
    if session.taken_by is not None:
        raise Conflict(
            f"Session {session.id} is with {session.taken_by}.",
            fix="Ask them, or a lead, to hand it back.",
            details={"taken_by": session.taken_by},
        )


def _must_be_taken(session: Session) -> None:
    if session.taken_by is None:
        raise Conflict(f"Session {session.id} is with its agent.", fix="Take it over first.")


def _must_be_taken_by(session: Session, by: Actor) -> None:
    _must_be_taken(session)
    if session.taken_by != by.id:
        _must_not_be_taken(session)
