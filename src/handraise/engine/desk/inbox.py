"""The inbox: claiming, releasing and closing requests. Whoever closes one, it is by one compare-and-set."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta

from handraise.core.actors import CLOCK, SERVICE, Actor
from handraise.core.decisions import AnyDecision, Edit, Respond
from handraise.core.errors import Conflict
from handraise.core.languages import Language
from handraise.core.log.facts import (
    RequestClaimed,
    RequestDecided,
    RequestExpired,
    RequestReleased,
    RequestReminded,
    SessionChanged,
)
from handraise.core.masking import restore
from handraise.core.requests import Request
from handraise.core.sessions import Session
from handraise.core.states import SessionMove
from handraise.engine.desk.customer_notices import fall_back
from handraise.engine.desk.decision_checks import check_answer, check_edit
from handraise.engine.desk.idempotency import once
from handraise.store.store import Store, Transaction
from handraise.store.tables.idempotency import IdempotentCall

CLAIM = timedelta(minutes=2)
"""How long a claim keeps others off, unless it is renewed."""


class Inbox:
    """What people, and the clock, do to requests."""

    def __init__(self, store: Store, *, help: Mapping[Language, str] | None = None) -> None:
        self._store = store
        self._help = help or {}

    async def decide(
        self, request_id: str, decision: AnyDecision, *, by: Actor, call: IdempotentCall | None = None
    ) -> Request:
        """Close a request with a person's decision. The decision, its event and the resumed run commit together."""
        asked, decision = await self._checked(request_id, decision)

        async def work(tx: Transaction) -> Request:
            session = await tx.sessions.lock(asked.session_id)
            return await once(tx, call, Request, lambda: _decide(tx, session, asked, decision, by=by))

        return await self._store.write(work)

    async def decide_together(self, decisions: Mapping[str, AnyDecision], *, by: Actor) -> bool:
        """Close several requests of one run: all of them, or none when one does not fit. Return whether it goes on."""
        checked = [await self._checked(request_id, decision) for request_id, decision in decisions.items()]

        async def work(tx: Transaction) -> bool:
            for asked, decision in checked:
                session = await tx.sessions.lock(asked.session_id)
                await _decide(tx, session, asked, decision, by=by)
            return await tx.requests.count_open(checked[0][0].run_id) == 0

        return await self._store.write(work)

    async def settle(
        self, request_id: str, answer: Respond, *, by: Actor, call: IdempotentCall | None = None
    ) -> Request:
        """Record whether an effect ran whose outcome a crash hid; named by its approval or by the question about it."""
        asked = await self._store.read_one(lambda tx: tx.requests.get(request_id))
        if asked.kind == "settlement":
            return await self.decide(asked.id, answer, by=by, call=call)
        for question in await self._store.read(lambda tx: tx.requests.of_run(asked.run_id)):
            if question.kind == "settlement" and question.tool_call_id == asked.tool_call_id and _is_open(question):
                return await self.decide(question.id, answer, by=by, call=call)
        raise Conflict(
            f"Request {request_id} has nothing to settle: it is {asked.status}.",
            fix="Only a call whose outcome a crash has hidden is settled.",
            details={"status": asked.status},
        )

    async def _checked(self, request_id: str, decision: AnyDecision) -> tuple[Request, AnyDecision]:
        asked = await self._store.read_one(lambda tx: tx.requests.whole(request_id))
        if isinstance(decision, Edit):
            # Whoever edits has seen masks; where one was left, the value behind it is meant.
            decision = Edit(args=restore(decision.args, asked.args, asked.sensitive))
            decision = await asyncio.to_thread(check_edit, asked, decision)
        elif isinstance(decision, Respond) and asked.args_schema is not None:
            decision = await asyncio.to_thread(check_answer, asked, decision)
        return asked, decision

    async def expire(self, request_id: str) -> Request | None:
        """Close a request because its time is up. Return None when somebody was quicker."""
        asked = await self._store.read_one(lambda tx: tx.requests.get(request_id))

        async def work(tx: Transaction) -> Request | None:
            session = await tx.sessions.lock(asked.session_id)
            request, now = await tx.requests.get(request_id), session.updated_at
            if request.status != "open" or request.deadline is None or request.deadline > now:
                return None
            expired = request.expire(at=now)
            if not await tx.requests.close(expired):
                return None
            await _go_on(tx, session, RequestExpired(request=expired), by=CLOCK, move="time_out")
            await fall_back(tx, session, expired, self._help)
            return expired

        return await self._store.write(work)

    async def remind(self, request_id: str) -> None:
        """Say once that a request's deadline is near."""

        async def work(tx: Transaction) -> None:
            request = await self._locked(tx, request_id)
            if await tx.requests.mark_reminded(request_id):
                tx.events.append(request.session_id, RequestReminded(request=request), by=CLOCK)

        await self._store.write(work)

    async def claim(self, request_id: str, *, by: Actor, lasting: timedelta = CLAIM) -> Request:
        """Keep a request for one operator for a while; claiming again renews it."""

        async def work(tx: Transaction) -> Request:
            request = await self._locked(tx, request_id)
            now = await tx.now()
            claimed = request.claim(by=by, at=now, until=now + lasting)
            await tx.requests.update(claimed)
            tx.events.append(request.session_id, RequestClaimed(request=claimed), by=by)
            return claimed

        return await self._store.write(work)

    async def release(self, request_id: str, *, by: Actor) -> Request:
        """Give up a claim; nothing happens when there is none."""

        async def work(tx: Transaction) -> Request:
            request = await self._locked(tx, request_id)
            released = request.release(by=by, at=await tx.now())
            if request.claimed_by is None:
                return request
            await tx.requests.update(released)
            tx.events.append(request.session_id, RequestReleased(request=released), by=by)
            return released

        return await self._store.write(work)

    @staticmethod
    async def _locked(tx: Transaction, request_id: str) -> Request:
        await tx.sessions.lock((await tx.requests.get(request_id)).session_id)
        return await tx.requests.get(request_id)


async def _decide(tx: Transaction, session: Session, asked: Request, decision: AnyDecision, *, by: Actor) -> Request:
    """Close a request that was read before its session was locked."""
    decided = asked.decide(decision, by=by, at=session.updated_at)
    if not await tx.requests.close(decided):
        # It was claimed, released or closed in between: the rules are for what it is now.
        current = await tx.requests.whole(asked.id)
        decided = current.decide(decision, by=by, at=session.updated_at)
        if not await tx.requests.close(decided):
            raise current.settled_error()
    await _go_on(tx, session, RequestDecided(request=decided), by=by, move="answer")
    return decided.masked()


def _is_open(request: Request) -> bool:
    return request.status == "open"


async def _go_on(
    tx: Transaction, session: Session, fact: RequestDecided | RequestExpired, *, by: Actor, move: SessionMove
) -> None:
    """Note that a request was closed, and let its run go on when it was the last one that the run waited for."""
    tx.events.append(session.id, fact, by=by)
    if await tx.runs.resume(fact.request.run_id):
        session = await tx.sessions.move(session, move)
        tx.events.append(session.id, SessionChanged(status=session.status), by=SERVICE)
        tx.wake("runs")
