"""Sessions, requests and moves that the store's tests share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from handraise.core.actors import CLOCK, Actor
from handraise.core.decisions import Approve
from handraise.core.digests import digest
from handraise.core.log.facts import MessageSent, RequestDecided, RequestExpired
from handraise.core.requests import Request
from handraise.core.runs import Run
from handraise.core.sessions import Session
from handraise.store.store import Store, Transaction

NOON = datetime(2026, 1, 2, 12, 0, 0, 123456, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ANN = Actor(kind="operator", id="ann", channel="console")
BEN = Actor(kind="operator", id="ben", channel="api")
AGENT = "support"


def a_session(id: str = "s1", **changes: Any) -> Session:
    return Session.model_validate(
        {"id": id, "agent": AGENT, "created_at": NOON, "updated_at": NOON, **changes},
    )


def a_request(id: str = "r1", **changes: Any) -> Request:
    """Return an open approval of a refund."""
    args = {"order": "A-7", "amount": 42.5}
    return Request.model_validate(
        {
            "id": id,
            "session_id": "s1",
            "run_id": "run-1",
            "kind": "approval",
            "dialect": "langchain",
            "interrupt_id": f"interrupt-{id}",
            "tool": "refund",
            "tool_call_id": f"call-{id}",
            "args": args,
            "digest": digest("refund", args),
            "allowed": ("approve", "edit", "reject"),
            "created_at": NOON,
            **changes,
        }
    )


async def add_sessions(store: Store, *ids: str) -> None:
    async def add(tx: Transaction) -> None:
        for session_id in ids:
            await tx.sessions.add(a_session(session_id))

    await store.write(add)


async def open_requests(store: Store, *requests: Request) -> None:
    async def open_all(tx: Transaction) -> None:
        for request in requests:
            await tx.requests.open(request)

    await store.write(open_all)


async def get_request(store: Store, id: str) -> Request:
    return await store.read(lambda tx: tx.requests.get(id))


async def enqueue(store: Store, session_id: str, run_id: str) -> None:
    async def add(tx: Transaction) -> None:
        await tx.sessions.lock(session_id)
        await tx.runs.enqueue(run_id=run_id, session_id=session_id, input={"text": run_id})

    await store.write(add)


async def claim(store: Store, *, owner: str = "runner", lease: timedelta = MINUTE) -> Run | None:
    return await store.write_one(lambda tx: tx.runs.claim(owner=owner, lease=lease, agent=AGENT))


async def must_claim(store: Store, *, owner: str = "runner", lease: timedelta = MINUTE) -> Run:
    run = await claim(store, owner=owner, lease=lease)
    assert run is not None
    return run


async def say(store: Store, session_id: str, *texts: str) -> None:
    """Append one event for each text, in one transaction."""

    async def append(tx: Transaction) -> None:
        for text in texts:
            tx.events.append(session_id, MessageSent(message_id=text, text=text), by=ANN)

    await store.write(append)


async def decide(store: Store, request: Request, *, by: Actor) -> bool:
    """Approve a request that was read before; return whether this contender won."""
    decided = request.decide(Approve(), by=by, at=NOON)

    async def close(tx: Transaction) -> bool:
        won = await tx.requests.close(decided)
        if won:
            tx.events.append(request.session_id, RequestDecided(request=decided), by=by)
        return won

    return await store.write(close)


async def expire(store: Store, request: Request) -> bool:
    """Let the clock close a request that was read before; return whether it won."""
    expired = request.expire(at=NOON)

    async def close(tx: Transaction) -> bool:
        won = await tx.requests.close(expired)
        if won:
            tx.events.append(request.session_id, RequestExpired(request=expired), by=CLOCK)
        return won

    return await store.write(close)
