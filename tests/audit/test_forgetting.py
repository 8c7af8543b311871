"""A customer's words are gone from the whole database, and the chain still holds."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from handraise import HumanInTheLoopMiddleware
from handraise.agents.ask_human.tool import AskHumanAgentTool
from handraise.audit.checking import check_store
from handraise.audit.forgetting import forget
from handraise.audit.retention import forget_old
from handraise.audit.sealer import seal_all
from handraise.core.decisions import Edit, Reject, Respond
from handraise.core.errors import Conflict
from handraise.core.log.installation import ContentForgotten
from handraise.engine.engine import Engine
from handraise.knowledge.capture import Capture
from handraise.store.store import Store, Transaction
from handraise.store.tables.idempotency import IdempotentCall
from handraise.testing import ScriptedModel
from tests.engine.world import ANN, ask, open_requests, running, until

WORDS = (
    "zanzibarmessage", "quetzalquestion", "xylophoneargument", "wolframedit", "velociraptorreason", "umbrellaanswer",
    "tarantularesult", "sassafrasreply", "rhododendroncustomer",
)  # fmt: skip
MESSAGE, QUESTION, ARGUMENT, EDIT, REASON, ANSWER, RESULT, REPLY, CUSTOMER = WORDS
QUESTIONED = {
    "question": QUESTION,
    "question_type": "knowledge_gap",
    "context": {"user_question": f"what is {QUESTION}"},
}


@tool
def pay(to: str) -> str:
    """Pay somebody."""
    return f"paid {to} {RESULT}"


def script(messages: list[BaseMessage]) -> AIMessage:
    last = messages[-1]
    if isinstance(last, HumanMessage):
        args = {"to": ARGUMENT}
        if "ask" in last.text:
            calls = [{"name": "ask_human_agent", "args": QUESTIONED, "id": "q1"}]
        else:
            calls = [{"name": "pay", "args": args, "id": "p1"}, {"name": "pay", "args": args, "id": "p2"}]
        return AIMessage("", tool_calls=calls)
    return AIMessage(REPLY if isinstance(last, ToolMessage) else "")


def an_agent() -> Any:
    return create_agent(
        ScriptedModel(script=script),
        [pay, AskHumanAgentTool()],
        middleware=[HumanInTheLoopMiddleware({"pay": True})],
    )


async def converse(engine: Engine) -> str:
    """Say, ask, edit, reject and answer, so that there is a trace of everything everywhere."""
    session = await engine.conversations.create(customer=CUSTOMER)
    session_id = await ask(engine, f"pay {MESSAGE}", session.id)
    await until(engine, session_id, "request.opened", count=2)
    one, other = await open_requests(engine, session_id)
    call = IdempotentCall(owner="ann", key="k", digest="d")
    await engine.inbox.decide(one.id, Edit(args={"to": EDIT}), by=ANN, call=call)
    await engine.inbox.decide(other.id, Reject(reason=REASON), by=ANN)
    await until(engine, session_id, "run.finished")
    await ask(engine, f"ask {MESSAGE}", session_id)
    await until(engine, session_id, "request.opened", count=3)
    [question] = await open_requests(engine, session_id)
    async with Capture(engine.store) as capture:
        await engine.inbox.decide(question.id, Respond(text=f"It is {ANSWER}."), by=ANN)
        await until(engine, session_id, "run.finished", count=2)
        await capture.catch_up()
        await until(engine, session_id, "entry.drafted")
    return session_id


async def everything(store: Store, url: str) -> str:
    """Return all that the database holds: the bytes of the file and its log, or every row of every table."""
    if url.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
        return "".join([(await asyncio.to_thread(file.read_bytes)).decode(errors="replace") for file in files])

    async def work(tx: Transaction) -> str:
        tables = await tx.connection.all("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        rows = [str(await tx.connection.all(f"SELECT t::text FROM {table} AS t")) for (table,) in tables]
        blobs = await tx.connection.all("SELECT encode(blob, 'escape') FROM checkpoint_blobs WHERE blob IS NOT NULL")
        return "".join([*rows, str(blobs)])

    return await store.read(work)


async def test_nothing_that_was_said_remains_and_the_chain_holds(database_url: str) -> None:
    async with running(database_url, an_agent()) as engine:
        store = engine.store
        session_id = await converse(engine)
        other = await ask(engine, "hello pay")
        await until(engine, other, "request.opened", count=2)
        before = await everything(store, database_url)
        assert [word for word in WORDS if word not in before] == [], "the control: every word was there"
        head = await seal_all(store)
        gone = await forget(store, session_id, by=ANN, reason="request")
        assert (gone.requests, gone.drafts, gone.published) == (3, 1, [])
        await engine.conversations.stop(other, by=ANN)
        await forget(store, other, by=ANN, reason="request")
        after = await everything(store, database_url)
        assert [word for word in WORDS if word in after] == []
        verdict = await check_store(store)
        assert verdict.findings == []
        assert verdict.forgotten > gone.events
        assert head is not None
        assert (await store.read(lambda tx: tx.seals.last())) is not None
        await what_remains(engine, session_id)


async def what_remains(engine: Engine, session_id: str) -> None:
    """Who decided what kind, and when."""
    events = await engine.store.read(lambda tx: tx.events.of_session(session_id))
    decided = [
        (event.actor.id, event.fact.gist["tool"], event.fact.gist["decision"], event.fact.gist["edited"])
        for event in events
        if isinstance(event.fact, ContentForgotten) and event.fact.was == "request.decided"
    ]
    assert decided == [
        ("ann", "pay", "edit", ["to"]),
        ("ann", "pay", "reject", []),
        ("ann", "", "respond", []),
    ]
    assert events[-1].fact.model_dump()["reason"] == "request"
    requests = await engine.store.read(lambda tx: tx.requests.of_session(session_id))
    assert [(request.status, request.decided_by) for request in requests] == [("decided", ANN)] * 3


async def test_a_session_that_is_going_on_is_not_forgotten(database_url: str) -> None:
    async with running(database_url, an_agent()) as engine:
        session_id = await ask(engine, f"pay {MESSAGE}")
        await until(engine, session_id, "request.opened", count=2)
        with pytest.raises(Conflict, match="still going on"):
            await forget(engine.store, session_id, by=ANN, reason="request")
        events = await engine.store.read(lambda tx: tx.events.of_session(session_id))
        assert not any(isinstance(event.fact, ContentForgotten) for event in events)


async def test_content_that_is_removed_without_a_record_is_found(database_url: str) -> None:
    async with running(database_url, an_agent()) as engine:
        session_id = await ask(engine, f"pay {MESSAGE}")
        await until(engine, session_id, "request.opened", count=2)
        await engine.store.write(
            lambda tx: tx.connection.run("UPDATE events SET fact = '', salt = '' WHERE name = 'message.received'")
        )
        [finding] = (await check_store(engine.store)).findings
        assert "was removed, and nobody is on record for it" in str(finding)


async def test_old_sessions_are_forgotten_by_the_clock_once(database_url: str) -> None:
    async with running(database_url, an_agent()) as engine:
        old, young = [await ask(engine, f"say {MESSAGE}") for _ in range(2)]
        for session_id in (old, young):
            await until(engine, session_id, "request.opened", count=2)
            await engine.conversations.stop(session_id, by=ANN)
        await engine.store.write(
            lambda tx: tx.connection.run(
                "UPDATE sessions SET updated_at = updated_at - 864000000000 WHERE id = :id", {"id": old}
            )
        )
        assert await forget_old(engine.store, older_than=timedelta(days=9)) == 1
        assert await forget_old(engine.store, older_than=timedelta(days=9)) == 0
        names = [event.fact.name for event in await engine.store.read(lambda tx: tx.events.of_session(old))]
        assert names[-1] == "session.forgotten"
        events = await engine.store.read(lambda tx: tx.events.of_session(young))
        assert not any(isinstance(event.fact, ContentForgotten) for event in events)
        assert (await check_store(engine.store)).intact
