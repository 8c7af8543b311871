"""Runs from the outside: messages in, pauses, decisions, answers out, on both databases."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangChainGate
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.prebuilt import create_react_agent

from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.core.errors import AlreadySettled, Conflict, InvalidInput
from handraise.core.log.facts import RunFailed
from handraise.engine.intake.quotas import Quotas
from handraise.engine.runs import worker
from handraise.testing import ScriptedModel
from tests.engine.world import (
    ANN,
    CUSTOMER,
    Bank,
    ask,
    asked,
    open_requests,
    paying_agent,
    paying_model,
    running,
    said,
    until,
)


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "payments")


MODES: list[dict[str, Any]] = [{}, {"interrupt_mode": "per_call"}, {"details": True}]


@pytest.mark.parametrize("gate", MODES, ids=["batched", "per call", "with details"])
async def test_two_calls_are_two_requests_and_the_run_waits_for_both(
    database_url: str, bank: Bank, gate: dict[str, Any]
) -> None:
    async with running(database_url, paying_agent(bank, 1.5, 2.5, **gate)) as engine:
        session_id = await ask(engine)
        first, second = sorted(await asked(engine, session_id, count=2), key=lambda request: str(request.args))

        await engine.inbox.decide(second.id, Reject(reason="too much"), by=ANN)
        assert [request.id for request in await open_requests(engine, session_id)] == [first.id]
        assert bank.payments == []
        await engine.inbox.decide(first.id, Edit(args={"amount": 1}), by=ANN)
        events = await until(engine, session_id, "run.finished")

    assert bank.payments == [1.0]
    assert "too much" in said(events)[-1]


async def test_a_request_carries_what_the_model_proposed_and_the_tools_schema(database_url: str, bank: Bank) -> None:
    async with running(database_url, paying_agent(bank)) as engine:
        [request] = await asked(engine, await ask(engine))

    assert (request.tool, request.args, request.agent) == ("pay", {"amount": 42.5}, "teller")
    assert request.args_schema is not None
    assert "amount" in str(request.args_schema["properties"])
    assert len(request.digest) == 64


async def test_messages_sent_while_waiting_are_answered_in_order_afterwards(database_url: str, bank: Bank) -> None:
    async with running(database_url, paying_agent(bank)) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        for text in ("hello?", "still there?"):
            await engine.conversations.send(session_id, text, by=CUSTOMER)

        await engine.inbox.decide(request.id, Approve(), by=ANN)
        events = await until(engine, session_id, "run.finished", count=3)

    assert said(events)[1:] == ["paid 42.5", "You said: hello?", "You said: still there?"]


async def test_many_sessions_run_at_once_and_none_mixes_with_another(database_url: str, bank: Bank) -> None:
    async with running(database_url, paying_agent(bank)) as engine:
        sessions = [await ask(engine) for _ in range(20)]
        for session_id in sessions:
            [request] = await asked(engine, session_id)
            await engine.inbox.decide(request.id, Approve(), by=ANN)
        for session_id in sessions:
            assert said(await until(engine, session_id, "run.finished"))[-1] == "paid 42.5"

    assert len(bank.payments) == 20


async def test_the_second_decision_loses_and_changes_nothing(database_url: str, bank: Bank) -> None:
    async with running(database_url, paying_agent(bank)) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await engine.inbox.decide(request.id, Reject(), by=ANN)

        with pytest.raises(AlreadySettled, match="operator ann"):
            await engine.inbox.decide(request.id, Approve(), by=ANN)
        await until(engine, session_id, "run.finished")

    assert bank.payments == []


async def test_a_tool_that_raises_is_tried_once_and_its_error_reaches_the_agent(database_url: str, bank: Bank) -> None:
    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        bank.pay(amount)
        raise RuntimeError("the bank hung up")

    from handraise import HumanInTheLoopMiddleware

    agent = create_agent(paying_model(3.0), [pay], middleware=[HumanInTheLoopMiddleware({"pay": True})])
    async with running(database_url, agent) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        events = await until(engine, session_id, "run.finished")

    assert bank.payments == [3.0]
    assert "the bank hung up" in said(events)[-1]


@pytest.mark.parametrize(
    ("decision", "paid", "answer"),
    [
        (Approve(), [42.5], "paid 42.5"),
        (Edit(args={"amount": 7.0}), [7.0], "paid 7.0"),
        (Reject(reason="no budget"), [], "no budget"),
        (Respond(text="already paid yesterday"), [], "already paid yesterday"),
    ],
    ids=["approve", "edit", "reject", "respond"],
)
@pytest.mark.parametrize("kind", ["react", "create_agent"])
async def test_a_static_breakpoint_becomes_a_request_for_the_pending_call(
    database_url: str, bank: Bank, kind: str, decision: Any, paid: list[float], answer: str
) -> None:
    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return bank.pay(amount)

    build: Any = create_react_agent if kind == "react" else create_agent
    async with running(database_url, build(paying_model(42.5), [pay], interrupt_before=["tools"])) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await engine.inbox.decide(request.id, decision, by=ANN)
        events = await until(engine, session_id, "run.finished")

    assert request.dialect == "breakpoint"
    assert bank.payments == paid
    assert answer in said(events)[-1]


async def test_a_static_breakpoint_takes_a_decision_for_each_call(database_url: str, bank: Bank) -> None:
    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return bank.pay(amount)

    agent = create_react_agent(paying_model(1.0, 2.0, 3.0), [pay], interrupt_before=["tools"])
    async with running(database_url, agent) as engine:
        session_id = await ask(engine)
        first, second, third = await asked(engine, session_id, count=3)
        await engine.inbox.decide(first.id, Approve(), by=ANN)
        await engine.inbox.decide(second.id, Reject(reason="no"), by=ANN)
        await engine.inbox.decide(third.id, Edit(args={"amount": 4.0}), by=ANN)
        await until(engine, session_id, "run.finished")

    assert sorted(bank.payments) == [1.0, 4.0]


async def test_an_agent_that_asks_forever_is_stopped(database_url: str, bank: Bank) -> None:
    async with running(database_url, paying_agent(bank, 1.0, 2.0), quotas=Quotas(requests_per_run=1)) as engine:
        session_id = await ask(engine)
        events = await until(engine, session_id, "run.failed", count=1)

    assert "asked too much" in next(event.fact.error for event in events if event.fact.name == "run.failed")


async def test_a_stopped_run_withdraws_its_requests_and_the_next_message_finds_a_whole_history(
    database_url: str, bank: Bank
) -> None:
    async with running(database_url, paying_agent(bank)) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)

        assert await engine.conversations.stop(session_id, by=CUSTOMER)
        with pytest.raises(AlreadySettled, match="withdrawn"):
            await engine.inbox.decide(request.id, Approve(), by=ANN)
        await ask(engine, "never mind", session_id)
        events = await until(engine, session_id, "run.finished")

    assert bank.payments == []
    assert said(events)[-1] == "You said: never mind"


async def test_a_session_that_is_taken_over_is_the_operators_until_it_is_handed_back(
    database_url: str, bank: Bank
) -> None:
    async with running(database_url, paying_agent(bank)) as engine:
        session_id = await ask(engine, "hello")
        await until(engine, session_id, "run.finished")

        await engine.conversations.take_over(session_id, by=ANN)
        await ask(engine, "are you a person?", session_id)
        await engine.conversations.say(session_id, "Yes, this is Ann.", by=ANN)
        await ask(engine, "great", session_id)
        with pytest.raises(Conflict, match="is with ann"):
            await engine.conversations.take_over(session_id, by=ANN.model_copy(update={"id": "ben"}))
        await engine.conversations.hand_back(session_id, by=ANN)
        events = await until(engine, session_id, "run.finished", count=2)

    assert said(events) == ["You said: hello", "Yes, this is Ann.", "You said: great"]
    senders = [str(event.actor) for event in events if event.fact.name == "message.sent"]
    assert senders == ["agent teller", "operator ann", "agent teller"]


@pytest.mark.parametrize("text", ["", "  \n", "x" * 40_000, "a\x00b", "\ud800"])
async def test_a_message_that_cannot_be_kept_is_refused(sqlite_url: str, bank: Bank, text: str) -> None:
    async with running(sqlite_url, paying_agent(bank)) as engine:
        session = await engine.conversations.create()
        with pytest.raises(InvalidInput):
            await engine.conversations.send(session.id, text, by=CUSTOMER)
        assert await engine.store.read(lambda tx: tx.runs.unfinished(session.id)) == []


async def test_an_error_that_no_database_can_keep_counts_as_any_other(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "ATTEMPTS", 1)

    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        raise OSError("No such file: 'caf\udce9.txt' \x00")

    async with running(database_url, create_agent(paying_model(42.5), [pay])) as engine:
        session_id = await ask(engine)
        events = await until(engine, session_id, "run.failed")

    [failed] = [event.fact for event in events if isinstance(event.fact, RunFailed)]
    assert failed.final
    assert "No such file: 'caf?.txt'" in failed.error


async def test_a_call_left_open_gets_its_result_although_an_earlier_one_had_the_same_id(database_url: str) -> None:
    """Some models number their calls anew in every turn, and LangChain's own gate leaves a stopped call without one."""
    histories: list[list[BaseMessage]] = []

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        histories.append([*messages])
        if isinstance(messages[-1], HumanMessage) and "pay" in messages[-1].text:
            return AIMessage("", tool_calls=[{"name": "pay", "args": {"amount": 1.0}, "id": "call_0"}])
        return AIMessage("ok")

    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return f"paid {amount}"

    gate = LangChainGate({"pay": True})
    async with running(database_url, create_agent(ScriptedModel(script=script), [pay], middleware=[gate])) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        await until(engine, session_id, "run.finished")
        await ask(engine, session_id=session_id)
        await asked(engine, session_id)
        await engine.conversations.stop(session_id, by=ANN)
        await ask(engine, "hello", session_id)
        await until(engine, session_id, "run.finished", count=2)

    told = histories[-1]
    assert [message.type for message in told] == ["human", "ai", "tool", "ai", "human", "ai", "tool", "human"]
    assert "was not executed" in told[-2].text
