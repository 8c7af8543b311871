"""Graphs of every make: built by hand, with several pauses, with histories that shrink, with calls numbered anew."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import interrupt

from handraise import HumanInTheLoopMiddleware, effect
from handraise.core.decisions import Approve, Respond
from handraise.core.errors import Unavailable
from handraise.core.log.facts import HandoffMade
from handraise.engine.engine import Engine
from handraise.engine.runs import worker
from handraise.store.opening import open_store
from handraise.store.store import Store
from handraise.testing import ScriptedModel
from tests.engine.world import ANN, CUSTOMER, Bank, ask, asked, paying_agent, paying_model, running, said, until


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "payments")


async def test_a_node_that_asks_twice_gets_each_answer_where_it_belongs(database_url: str) -> None:
    async def ask_twice(_: MessagesState) -> dict[str, Any]:
        answers = [interrupt(f"{number}?") for number in ("first", "second")]
        return {"messages": [AIMessage(" and ".join(str(answer) for answer in answers))]}

    builder: Any = StateGraph(MessagesState)
    graph = builder.add_node("ask", ask_twice).set_entry_point("ask").compile()
    async with running(database_url, graph) as engine:
        session_id = await ask(engine)
        for text in ("one", "two"):
            [request] = await asked(engine, session_id)
            await engine.inbox.decide(request.id, Respond(text=text), by=ANN)
            if text == "one":
                await until(engine, session_id, "request.opened", count=2)
        events = await until(engine, session_id, "run.finished")

    assert "one" in said(events)[-1].partition(" and ")[0]
    assert "two" in said(events)[-1].partition(" and ")[2]


async def test_several_nodes_that_ask_at_once_are_answered_in_any_order(database_url: str) -> None:
    def asking(name: str) -> Any:
        async def node(_: MessagesState) -> dict[str, Any]:
            return {"messages": [AIMessage(f"{name}: {interrupt(f'{name}?')}")]}

        return node

    builder: Any = StateGraph(MessagesState)
    for name in ("left", "middle", "right"):
        builder.add_node(name, asking(name)).add_edge("__start__", name)
    async with running(database_url, builder.compile()) as engine:
        session_id = await ask(engine)
        for request in reversed(await asked(engine, session_id, count=3)):
            name = next(name for name in ("left", "middle", "right") if name in str(request))
            await engine.inbox.decide(request.id, Respond(text=f"to the {name}"), by=ANN)
        events = await until(engine, session_id, "run.finished")

    assert len(said(events)) == 3
    for text in said(events):
        assert f"to the {text.partition(':')[0]}" in text


async def test_an_approval_is_done_although_the_agent_has_summed_up_the_message_that_led_to_it(
    database_url: str, bank: Bank
) -> None:
    @before_model
    def forget(state: Any, _: Any) -> dict[str, Any] | None:
        return (
            {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), HumanMessage("pay: in short", id="short")]}
            if not any(message.type == "tool" for message in state["messages"])
            else None
        )

    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return bank.pay(amount)

    gate: Any = HumanInTheLoopMiddleware({"pay": True})
    agent = create_agent(paying_model(42.5), [pay], middleware=[forget, gate])
    async with running(database_url, agent) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        events = await until(engine, session_id, "run.finished")

    assert bank.payments == [42.5]
    assert [event.fact.name for event in events].count("request.opened") == 1


async def test_every_result_is_on_record_although_the_model_numbers_its_calls_anew(
    database_url: str, bank: Bank
) -> None:
    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        if isinstance(messages[-1], ToolMessage):
            return AIMessage(messages[-1].text)
        return AIMessage("", tool_calls=[{"name": "pay", "args": {"amount": 1.0}, "id": "call_0"}])

    async def pay(amount: float) -> str:
        """Pay an amount."""
        return bank.pay(amount)

    async with running(database_url, create_agent(ScriptedModel(script=script), [effect(pay)])) as engine:
        session_id = await ask(engine)
        await until(engine, session_id, "run.finished")
        await ask(engine, "again", session_id)
        events = await until(engine, session_id, "run.finished", count=2)

    assert bank.payments == [1.0, 1.0]
    assert [event.fact.name for event in events].count("tool.finished") == 2


async def test_a_message_that_waited_behind_a_failed_run_is_answered_and_may_ask(
    database_url: str, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "ATTEMPTS", 1)
    pays = paying_model(42.5).script

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        if messages[-1].text == "fail":
            raise ConnectionError("the model hung up")
        return pays(messages)

    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return bank.pay(amount)

    agent = create_agent(ScriptedModel(script=script), [pay], middleware=[HumanInTheLoopMiddleware({"pay": True})])
    async with open_store(database_url) as store:
        # Both are there before anything runs, in this order.
        stopped: Any = Engine(store=store, database_url=database_url, agents={"teller": agent})
        session = await stopped.conversations.create()
        for text in ("fail", "pay please"):
            await stopped.conversations.send(session.id, text, by=CUSTOMER)
    async with running(database_url, agent) as engine:
        [request] = await asked(engine, session.id)
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        await until(engine, session.id, "run.finished")
        session = await engine.store.read(lambda tx: tx.sessions.get(session.id))

    assert bank.payments == [42.5]
    assert session.status == "active"


async def test_an_agent_that_was_stopped_in_a_tool_is_told_that_nobody_knows(database_url: str, bank: Bank) -> None:
    started = asyncio.Event()
    seen: list[str] = []

    async def pay(amount: float) -> str:
        """Pay an amount."""
        bank.pay(amount)
        started.set()
        await asyncio.sleep(30)
        return "paid"

    pays = paying_model(42.5).script

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        seen.extend(message.text for message in messages if isinstance(message, ToolMessage))
        return pays(messages)

    async with running(database_url, create_agent(ScriptedModel(script=script), [effect(pay)])) as engine:
        session_id = await ask(engine)
        await started.wait()
        await engine.conversations.stop(session_id, by=CUSTOMER)
        await ask(engine, "did it work?", session_id)
        await until(engine, session_id, "run.finished")

    assert bank.payments == [42.5]
    assert "nobody knows" in seen[-1]


async def test_what_was_not_saved_is_not_on_record(
    database_url: str, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is asked again answers under another id: a fact recorded too early would be there twice."""
    monkeypatch.setattr(worker, "_backoff", lambda _: worker.WHEN_BACK / 50)
    name = "sqlite.StoreSqliteSaver" if "sqlite" in database_url else "postgres.StorePostgresSaver"
    monkeypatch.setattr(f"handraise.engine.checkpoints.{name}._write", _failing_once_late(name))

    async with running(database_url, paying_agent(bank)) as engine:
        events = await until(engine, await ask(engine, "hello"), "run.finished")

    assert said(events) == ["You said: hello"]


def _failing_once_late(name: str) -> Any:
    """Return a checkpointer's write that lets all else go first, and then fails: once, for the model's answer."""
    from importlib import import_module

    module, _, cls = name.partition(".")
    write = getattr(import_module(f"handraise.engine.checkpoints.{module}"), cls)._write
    count = 0

    async def late(*args: Any) -> Any:
        nonlocal count
        count += 1
        if count in (4, 5):
            await asyncio.sleep(0.2)
            raise ConnectionError("cut off")
        return await write(*args)

    return late


class Desk(MessagesState):
    """A conversation that one of several agents has."""

    active_agent: str


def desk_of_two() -> Any:
    """Return a graph in which reception hands every later message on to refunds."""

    def reception(state: Desk) -> dict[str, Any]:
        if not state.get("active_agent"):
            return {"active_agent": "reception", "messages": [AIMessage("hi")]}
        return {"messages": [AIMessage("", tool_calls=[{"name": "hand_on", "args": {}, "id": "c1"}])]}

    def hand_on(state: Desk) -> dict[str, Any]:
        done = ToolMessage("Transferred", tool_call_id="c1", name="hand_on")
        return {"active_agent": "refunds", "messages": [done]}

    def refunds(state: Desk) -> dict[str, Any]:
        return {"messages": [AIMessage("refunds here")]}

    def whither(state: Desk) -> str:
        last = state["messages"][-1]
        return "hand_on" if isinstance(last, AIMessage) and last.tool_calls else END

    graph: Any = StateGraph(Desk)
    for node in (reception, hand_on, refunds):
        graph.add_node(node)
    graph.add_edge(START, "reception")
    graph.add_conditional_edges("reception", whither, ["hand_on", END])
    graph.add_edge("hand_on", "refunds")
    graph.add_edge("refunds", END)
    return graph.compile()


@pytest.mark.parametrize("fault", [False, True], ids=["no fault", "the database is away for that one commit"])
async def test_a_handoff_is_on_record_once_although_its_commit_failed(
    database_url: str, monkeypatch: pytest.MonkeyPatch, fault: bool
) -> None:
    write = Store.write
    failed: list[Any] = []

    async def write_or_fail(store: Store, work: Any) -> Any:
        recording = fault and not failed and "Recording._record" in work.__qualname__
        if recording and "handoff:" in str(inspect.getclosurevars(work)):
            failed.append(work)
            raise Unavailable("The database is away.", fix="Wait.")
        return await write(store, work)

    monkeypatch.setattr(Store, "write", write_or_fail)
    async with running(database_url, desk_of_two()) as engine:
        session_id = await ask(engine, "hello")
        await until(engine, session_id, "run.finished")
        await ask(engine, "refund", session_id)
        events = await until(engine, session_id, "run.finished", count=2)

    assert len(failed) == fault
    names = [event.fact.name for event in events]
    assert names[names.index("tool.called") :] == [
        "tool.called",
        "tool.finished",
        "handoff.made",
        "message.sent",
        "run.finished",
    ]
    [handoff] = [event.fact for event in events if isinstance(event.fact, HandoffMade)]
    assert (handoff.source, handoff.target) == ("reception", "refunds")
