"""Forgetting: what a customer said goes, on request or after a time; that it happened, and the chain, stay."""

from __future__ import annotations

from typing import Literal

from handraise.core.actors import Actor
from handraise.core.log.facts import SessionChanged
from handraise.core.log.installation import SessionForgotten
from handraise.store.store import Store, Transaction
from handraise.store.tables.forgetting import Forgotten


async def forget(store: Store, session_id: str, *, by: Actor, reason: Literal["request", "retention"]) -> Forgotten:
    """Close a session and remove what was said in it. A session that is still going on is refused."""

    async def work(tx: Transaction) -> Forgotten:
        session = await tx.sessions.lock(session_id)
        up_to = await tx.sessions.last_event_number(session_id)
        if session.status != "completed":
            session = await tx.sessions.move(session, "complete")
            tx.events.append(session_id, SessionChanged(status=session.status), by=by)
        tx.events.append(session_id, SessionForgotten(reason=reason, up_to=up_to), by=by)
        return await tx.forgetting.forget(session_id, up_to=up_to)

    gone = await store.write(work)
    await store.leave_no_trace()
    return gone
