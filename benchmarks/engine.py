"""What the engine costs: one gated cycle (message, pause, approval, answer) beside bare LangGraph.

Run: python benchmarks/engine.py
SQLite is measured in a temporary folder, PostgreSQL on a server of its own. Nothing is asserted: the figures are for
people to compare. What waiting sessions cost is measured in paused.py.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from handraise.core.actors import Actor
from handraise.core.decisions import Approve
from handraise.engine.engine import Engine
from handraise.store.opening import is_postgres, open_store, sqlite_path
from handraise.store.store import Store
from handraise.store.tables.request_lists import Filter

# isort: split
# The engine comes first: it sets how LangGraph reads checkpoints, which LangGraph itself reads when it is loaded.
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.types import Command

from handraise import HumanInTheLoopMiddleware
from handraise.testing import ScriptedModel

OPERATOR = Actor(kind="operator", id="bench")
CUSTOMER = Actor(kind="customer")
CYCLES = 6
AT_ONCE = 16


def paying_agent(**settings: Any) -> Any:
    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        return f"paid {amount}"

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        if isinstance(messages[-1], HumanMessage):
            return AIMessage("One moment.", tool_calls=[{"name": "pay", "args": {"amount": 42.5}, "id": "call_0"}])
        return AIMessage(messages[-1].text)

    gate: Any = HumanInTheLoopMiddleware({"pay": True})
    return create_agent(ScriptedModel(script=script), [pay], middleware=[gate], **settings)


async def idle(store: Store) -> None:
    """Wait until nothing is queued or running."""
    busy = "SELECT COUNT(*) FROM runs WHERE status IN ('queued', 'running')"
    with store.watch("runs") as watch:
        while (row := await store.read(lambda tx: tx.connection.one(busy))) and row[0]:
            await watch.wait(at_most=0.1)


async def cycles(name: str, url: str) -> None:
    async with open_store(url) as store, engine_on(store, url) as engine:
        ours = await cpu_of(lambda: through_the_engine(engine))
    async with stock(url) as saver:
        await saver.setup()
        agent = paying_agent(checkpointer=saver)
        bare = await cpu_of(lambda: through_langgraph(agent))
    print(f"{name:<11} one gated cycle: {ours:.1f} ms CPU; bare LangGraph {bare:.1f} ms; ratio {ours / bare:.2f}")


def engine_on(store: Store, url: str) -> Engine:
    return Engine(store=store, database_url=url, agents={"teller": paying_agent()})


async def through_the_engine(engine: Engine) -> None:
    """Take some sessions through a gated cycle, without watching each of them: that would be measured too."""
    for _ in range(AT_ONCE):
        session = await engine.conversations.create()
        await engine.conversations.send(session.id, "pay please", by=CUSTOMER)
    await idle(engine.store)
    page = await engine.store.read(lambda tx: tx.requests.list_open(Filter(), limit=AT_ONCE))
    for request in page.items:
        await engine.inbox.decide(request.id, Approve(), by=OPERATOR)
    await idle(engine.store)


async def through_langgraph(agent: Any) -> None:
    await asyncio.gather(*(one_through_langgraph(agent) for _ in range(AT_ONCE)))


async def one_through_langgraph(agent: Any) -> None:
    config = {"configurable": {"thread_id": str(time.perf_counter_ns())}}
    first = {"messages": [HumanMessage("pay please")]}
    async for _ in agent.astream(first, config, stream_mode=["updates", "messages"], durability="sync"):
        pass
    interrupt = (await agent.aget_state(config)).interrupts[0]
    answer: Any = Command(resume={interrupt.id: {"decisions": [{"type": "approve"}]}})
    async for _ in agent.astream(answer, config, stream_mode=["updates", "messages"], durability="sync"):
        pass


async def cpu_of(cycle: Any) -> float:
    """Return the processor time of one cycle in milliseconds, all threads together."""
    await cycle()
    began = time.process_time()
    for _ in range(CYCLES):
        await cycle()
    return (time.process_time() - began) / CYCLES / AT_ONCE * 1000


def stock(url: str) -> Any:
    if is_postgres(url):
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

        return AsyncPostgresSaver.from_conn_string(url)
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    return AsyncSqliteSaver.from_conn_string(str(sqlite_path(url)))


def main() -> None:
    from store import own_postgres  # the other benchmark, in this folder

    with tempfile.TemporaryDirectory() as folder, own_postgres() as postgres:
        for name, url in {"SQLite": f"sqlite:///{folder}/bench.db", "PostgreSQL": postgres}.items():
            asyncio.run(cycles(name, url))


if __name__ == "__main__":
    main()
