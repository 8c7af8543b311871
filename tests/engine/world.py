"""A small world for the engine's tests: a bank whose payments are counted, and agents that make them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from handraise import HumanInTheLoopMiddleware
from handraise.core.actors import Actor
from handraise.core.log.facts import Event
from handraise.core.requests import Request
from handraise.engine.engine import Engine, Pace
from handraise.store.opening import open_store
from handraise.store.tables.request_lists import Filter
from handraise.testing import ScriptedModel
from tests.patience import patiently

ANN = Actor(kind="operator", id="ann", channel="console")
CUSTOMER = Actor(kind="customer", channel="chat")


class Bank:
    """Payments, one line each in a file, so that they outlive a killed process."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pay(self, amount: float) -> str:
        with self.path.open("a") as file:
            file.write(f"{amount}\n")
        return f"paid {amount}"

    @property
    def payments(self) -> list[float]:
        return [float(line) for line in self.path.read_text().split()] if self.path.exists() else []


def paying_model(*amounts: float, by: str = "pay") -> ScriptedModel:
    """Return a model that proposes one payment for each amount, `by` a tool, and then says what came of them."""

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        last = messages[-1]
        if isinstance(last, HumanMessage):
            if "pay" not in last.text:
                return AIMessage(f"You said: {last.text}")
            turn = sum(isinstance(message, HumanMessage) for message in messages)
            calls = [
                {"name": by, "args": {"amount": amount}, "id": f"call_{turn}_{number}"}
                for number, amount in enumerate(amounts)
            ]
            return AIMessage("One moment.", tool_calls=calls)
        results = []
        for message in reversed(messages):
            if not isinstance(message, ToolMessage):
                break
            results.append(message.text)
        return AIMessage(" / ".join(reversed(results)))

    return ScriptedModel(script=script)


def paying_agent(bank: Bank, *amounts: float, **gate: Any) -> Any:
    """Return an agent whose payments wait for a person."""

    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return bank.pay(amount)

    middleware = [HumanInTheLoopMiddleware({"pay": True}, **gate)]
    return create_agent(paying_model(*(amounts or (42.5,))), [pay], middleware=middleware)


@asynccontextmanager
async def running(url: str, agent: Any, *, pace: Pace | None = None, **settings: Any) -> AsyncIterator[Engine]:
    """Run an engine with one agent."""
    async with (
        open_store(url) as store,
        Engine(store=store, database_url=url, agents={"teller": agent}, pace=pace, **settings) as engine,
    ):
        yield engine


async def ask(engine: Engine, text: str = "pay please", session_id: str | None = None) -> str:
    """Send a message, in a new session unless one is named, and return the session's id."""
    session_id = session_id or (await engine.conversations.create()).id
    await engine.conversations.send(session_id, text, by=CUSTOMER)
    return session_id


async def until(engine: Engine, session_id: str, name: str, *, count: int = 1) -> list[Event]:
    """Wait until a session has `count` facts of that name, and return all of its events."""
    with engine.store.watch("events") as watch:
        for _ in patiently():
            events = await engine.store.read(lambda tx: tx.events.of_session(session_id, limit=10_000))
            if sum(event.fact.name == name for event in events) >= count:
                return events
            await watch.wait(at_most=0.05)
    raise AssertionError(f"no {name} came: {[event.fact.name for event in events]}")


async def open_requests(engine: Engine, session_id: str) -> list[Request]:
    """Return what a session waits for."""
    page = await engine.store.read(lambda tx: tx.requests.list_open(Filter(session_id=session_id), limit=50))
    return sorted(page.items, key=lambda request: request.position)


async def asked(engine: Engine, session_id: str, *, count: int = 1) -> list[Request]:
    """Wait until a session has `count` open requests, and return them."""
    for _ in patiently():
        if len(found := await open_requests(engine, session_id)) >= count:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError(f"no {count} requests came: {found}")


def said(events: list[Event]) -> list[str]:
    """Return what the agent, or an operator in its place, said, in order; not the lines that only bridge a wait."""
    sent = [event for event in events if event.actor.kind != "service"]
    return [event.fact.text for event in sent if event.fact.name == "message.sent"]
