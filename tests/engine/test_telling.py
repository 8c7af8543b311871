"""What customers are told while people are asked, who is asked, and settling what nobody knows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from handraise.agents.gate.middleware import HumanInTheLoopMiddleware
from handraise.core.decisions import Approve, Respond
from handraise.core.errors import Conflict
from handraise.core.log.facts import Event, MessageSent
from handraise.dialects.settlement import OPTIONS
from handraise.engine.desk.inbox import Inbox
from handraise.store.store import Store, Transaction
from handraise.testing import ScriptedModel
from tests.engine.world import ANN, Bank, ask, asked, paying_agent, running, until
from tests.store.samples import NOON, a_request, add_sessions


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "payments")


def silent_agent(seen: list[list[str]]) -> Any:
    """Return an agent that calls without a word, and notes what is in its history each time."""

    @tool
    def pay(amount: float) -> str:
        """Pay an amount."""
        return f"paid {amount}"

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        seen.append([message.text for message in messages])
        if isinstance(messages[-1], HumanMessage):
            return AIMessage("", tool_calls=[{"name": "pay", "args": {"amount": 1.5}, "id": f"c{len(messages)}"}])
        return AIMessage("done" if isinstance(messages[-1], ToolMessage) else "")

    return create_agent(ScriptedModel(script=script), [pay], middleware=[HumanInTheLoopMiddleware({"pay": True})])


def told(events: list[Event]) -> list[MessageSent]:
    return [event.fact for event in events if isinstance(event.fact, MessageSent) and event.actor.kind == "service"]


@pytest.mark.parametrize(("text", "line"), [("付款", "正在为您核实，请稍候……"), ("pay", "This is being checked")])
async def test_a_silent_agents_customer_is_told_at_once_in_their_language(
    database_url: str, text: str, line: str
) -> None:
    seen: list[list[str]] = []
    async with running(database_url, silent_agent(seen)) as engine:
        session_id = await ask(engine, text)
        [request] = await asked(engine, session_id)
        [waiting] = told(await until(engine, session_id, "session.changed"))
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        await until(engine, session_id, "run.finished")

    assert waiting.text.startswith(line)
    assert waiting.purpose == "waiting"
    assert request.tool_call_id == "c1", "also where the pause itself names no call"
    assert not any(line in said for history in seen for said in history), "it never enters the agent's history"


async def test_the_agents_own_words_are_enough(database_url: str, bank: Bank) -> None:
    async with running(database_url, paying_agent(bank)) as engine:
        session_id = await ask(engine)
        await asked(engine, session_id)
        assert told(await until(engine, session_id, "session.changed")) == []


async def test_the_customer_confirms_the_tools_that_are_set_so(database_url: str, bank: Bank) -> None:
    async with running(database_url, paying_agent(bank), customer_confirms=["p?y"]) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)

    assert request.audience == "customer"


async def doubted(store: Store) -> tuple[str, str]:
    """Leave an approval whose outcome nobody knows, and the question about it; return their ids."""
    approval = a_request("approval").decide(Approve(), by=ANN, at=NOON).doubt()
    question = a_request(
        "question", kind="settlement", dialect="settlement", tool_call_id=approval.tool_call_id,
        allowed=("respond",), options=OPTIONS, interrupt_id="i2",
    )  # fmt: skip

    async def open_both(tx: Transaction) -> None:
        await tx.requests.open(approval)
        await tx.requests.open(question)

    await add_sessions(store, "s1")
    await store.write(open_both)
    return approval.id, question.id


@pytest.mark.parametrize("named", [0, 1], ids=["by the approval", "by the question"])
async def test_a_doubt_is_settled_by_either_id_once(store: Store, named: int) -> None:
    pair = await doubted(store)
    inbox = Inbox(store)

    settled = await inbox.settle(pair[named], Respond(text="42.50", selected_option="ran"), by=ANN)

    assert (settled.id, settled.status) == (pair[1], "decided")
    [event] = [
        event for event in await store.read(lambda tx: tx.events.since(0)) if event.fact.name == "request.decided"
    ]
    assert (event.actor, event.fact.model_dump()["request"]["decision"]["selected_option"]) == (ANN, "ran")
    with pytest.raises(Conflict):
        await inbox.settle(pair[named], Respond(selected_option="leave"), by=ANN)


async def test_what_is_in_no_doubt_is_not_settled(store: Store) -> None:
    await add_sessions(store, "s1")
    await store.write(lambda tx: tx.requests.open(a_request("r1", deadline=NOON + timedelta(days=9999))))

    with pytest.raises(Conflict, match="nothing to settle"):
        await Inbox(store).settle("r1", Respond(selected_option="ran"), by=ANN)
