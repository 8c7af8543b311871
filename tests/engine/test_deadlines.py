"""Deadlines: the clock is one more contender, and what it decides is told to everyone who comes later."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from handraise import AskHumanAgentTool
from handraise.core.decisions import Approve, Reject, Respond
from handraise.core.errors import AlreadySettled
from handraise.core.requests import Request
from handraise.engine.engine import Engine
from handraise.engine.intake.quotas import Quotas
from handraise.store.opening import open_store
from handraise.store.store import Store
from handraise.testing import ScriptedModel
from tests.engine.world import ANN, Bank, ask, asked, paying_agent, running, said, until


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "payments")


def asking_agent(**terms: Any) -> Any:
    """Return an agent that asks a person one question, then says what came back, and later only that it is there."""

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        if isinstance(messages[-1], ToolMessage):
            return AIMessage(messages[-1].text)
        if any(isinstance(message, ToolMessage) for message in messages):
            return AIMessage("I am here.")
        question = {"question": "May I?", "question_type": "decision_required"}
        return AIMessage("", tool_calls=[{"name": "ask_human_agent", "args": question, "id": "call_0"}])

    return create_agent(ScriptedModel(script=script), [AskHumanAgentTool(**terms)])


async def let_pass(store: Store, request: Request, *, share: float = 1.0) -> None:
    """Let a share of a request's time be over, in the database."""
    assert request.deadline is not None
    over = (request.deadline - request.created_at) * share // timedelta(microseconds=1)
    await store.write(
        lambda tx: tx.connection.run(
            "UPDATE requests SET deadline = deadline - :over, remind_at = remind_at - :over, due = due - :over "
            "WHERE id = :id",
            {"over": over, "id": request.id},
        )
    )


async def pass_time(engine: Engine, request: Request, *, share: float = 1.0) -> None:
    """Let a share of a request's time be over, and the clock look at it."""
    await let_pass(engine.store, request, share=share)
    await engine.deadlines.sweep()


async def status_of(engine: Engine, session_id: str) -> str:
    return (await engine.store.read(lambda tx: tx.sessions.get(session_id))).status


async def test_a_question_that_expires_gives_the_tool_a_timeout_and_the_session_too(database_url: str) -> None:
    async with running(database_url, asking_agent(timeout_seconds=600)) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await pass_time(engine, request)
        events = await until(engine, session_id, "run.finished")

        assert await status_of(engine, session_id) == "timeout"
        with pytest.raises(AlreadySettled, match="already expired by clock at") as late:
            await engine.inbox.decide(request.id, Respond(text="yes"), by=ANN)
        assert late.value.details["status"] == "expired"
        await ask(engine, "still there?", session_id)
        assert await status_of(engine, session_id) == "active", "before the agent answers as well as after"
        await until(engine, session_id, "run.finished", count=2)
        assert await status_of(engine, session_id) == "active"

    assert '"status": "timeout"' in said(events)[0]


async def test_an_approval_that_expires_is_not_executed(database_url: str, bank: Bank) -> None:
    quotas = Quotas(approval_deadline=timedelta(minutes=5))
    async with running(database_url, paying_agent(bank), quotas=quotas) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await pass_time(engine, request)
        await until(engine, session_id, "run.finished")

        assert await status_of(engine, session_id) == "timeout"
    assert bank.payments == []


async def test_a_deadline_and_two_operators_at_the_same_moment_have_one_winner(database_url: str, bank: Bank) -> None:
    quotas = Quotas(approval_deadline=timedelta(minutes=5))
    async with running(database_url, paying_agent(bank), quotas=quotas) as engine:
        for _ in range(6):
            session_id = await ask(engine)
            [request] = await asked(engine, session_id)
            outcomes = await asyncio.gather(
                engine.inbox.decide(request.id, Approve(), by=ANN),
                pass_time(engine, request),
                engine.inbox.decide(request.id, Reject(), by=ANN.model_copy(update={"id": "ben"})),
                return_exceptions=True,
            )
            events = await until(engine, session_id, "run.finished")

            closed = [event for event in events if event.fact.name in {"request.decided", "request.expired"}]
            assert len(closed) == 1
            assert all(outcome is None or isinstance(outcome, Request | AlreadySettled) for outcome in outcomes)


async def test_a_reminder_comes_once_however_many_look_at_the_clock(database_url: str) -> None:
    async with running(database_url, asking_agent(timeout_seconds=600)) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await pass_time(engine, request, share=0.9)
        await asyncio.gather(*(engine.inbox.remind(request.id) for _ in range(5)), engine.deadlines.sweep())
        await engine.inbox.decide(request.id, Respond(text="yes"), by=ANN)
        events = await until(engine, session_id, "run.finished")

        assert await status_of(engine, session_id) == "active"
    names = [event.fact.name for event in events]
    assert names.count("request.reminded") == 1
    assert "request.expired" not in names


async def test_a_deadline_that_passes_while_nobody_is_there_is_kept_at_the_next_start(database_url: str) -> None:
    agent = asking_agent(timeout_seconds=600)
    async with running(database_url, agent) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
    async with open_store(database_url) as store:
        await let_pass(store, request)

    async with running(database_url, agent) as engine:
        events = await until(engine, session_id, "run.finished")

    assert "request.expired" in [event.fact.name for event in events]
