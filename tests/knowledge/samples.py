"""Entries, questions and moves that the tests of the knowledge base share."""

from __future__ import annotations

from typing import Any

from handraise.core.actors import Actor
from handraise.core.decisions import Respond
from handraise.core.knowledge import Entry
from handraise.core.log.facts import Event, RequestDecided, RequestOpened
from handraise.core.requests import Request
from handraise.knowledge.answers import Decides
from handraise.knowledge.curation import Curation, NewEntry
from handraise.store.store import Store, Transaction
from tests.store.samples import ANN, a_request, add_sessions

POINTS = "你们的会员积分规则是什么？"
POINTS_ANSWER = "1 元消费 = 1 积分，积分可抵扣现金，100 积分 = 1 元"


async def publish(store: Store, question: str, answer: str, *, by: Actor = ANN, **more: Any) -> Entry:
    """Publish an entry, also beside a similar one."""
    new = NewEntry(question=question, answer=answer, **more)
    return await Curation(store).draft(new, by=by, publish=True, even_if_similar=True)


def a_gap(id: str = "r1", question: str = POINTS, **changes: Any) -> Request:
    """Return an open question about something that the knowledge base lacks."""
    return a_request(
        id,
        **{
            "kind": "question",
            "dialect": "human_request",
            "allowed": ("respond",),
            "question": f"用户咨询：{question} 知识库无相关内容，请提供信息",
            "question_type": "knowledge_gap",
            "context": {"user_question": question},
            **changes,
        },
    )


async def ask(store: Store, *requests: Request) -> None:
    """Open questions as the engine does, each on a session of its own."""
    for request in requests:
        await add_sessions(store, request.session_id)

        async def open_it(tx: Transaction, request: Request = request) -> None:
            await tx.requests.open(request)
            tx.events.append(request.session_id, RequestOpened(request=request), by=ANN)

        await store.write(open_it)


async def answer(store: Store, request_id: str, text: str, *, by: Actor = ANN) -> Request:
    """Answer a question as the engine does."""
    return await decide(store)(request_id, Respond(text=text), by=by)


def decide(store: Store) -> Decides:
    """Return what closes a request, with its fact, in one transaction."""

    async def closing(request_id: str, decision: Respond, *, by: Actor) -> Request:
        async def work(tx: Transaction) -> Request:
            request = await tx.requests.get(request_id)
            decided = request.decide(decision, by=by, at=await tx.now())
            if not await tx.requests.close(decided):
                raise (await tx.requests.get(request_id)).settled_error()
            tx.events.append(request.session_id, RequestDecided(request=decided), by=by)
            return decided

        return await store.write(work)

    return closing


async def entries(store: Store) -> list[Entry]:
    """Return every entry, the newest first."""
    return (await store.read(lambda tx: tx.knowledge.list(limit=100))).items


async def events_of(store: Store, session_id: str) -> list[Event]:
    return await store.read(lambda tx: tx.events.of_session(session_id))
