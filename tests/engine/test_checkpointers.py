"""Both checkpointers against LangGraph's own conformance suite, and against the stock savers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.graph import MessagesState, StateGraph

from handraise.core.errors import LeaseLost
from handraise.engine.checkpoints import open_checkpoints
from handraise.engine.fence import driving
from handraise.engine.sqlite_checkpoints import StoreSqliteSaver
from handraise.store.opening import is_postgres, open_store, sqlite_path
from handraise.store.store import Store
from tests.store.samples import add_sessions, claim, enqueue


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_langgraphs_conformance_suite_passes(kind: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue(f"{kind}_url")

    @checkpointer_test(name=f"Handraise on {kind}")
    async def ours() -> AsyncIterator[BaseCheckpointSaver[Any]]:
        async with open_store(url) as store:
            yield await open_checkpoints(url, store)

    report = await validate(ours)

    report.print_report()
    assert report.passed_all_base()


async def test_stock_savers_read_what_ours_wrote_and_ours_what_they_wrote(store: Store, database_url: str) -> None:
    ours = await open_checkpoints(database_url, store)
    config: Any = {"configurable": {"thread_id": "shared"}}

    async with _stock(database_url) as stock:
        await _graph(stock).ainvoke({"messages": [HumanMessage("one", id="1")]}, config)
        await _graph(ours).ainvoke({"messages": [HumanMessage("two", id="2")]}, config)
        await _graph(stock).ainvoke({"messages": [HumanMessage("three", id="3")]}, config)

        seen_by_ours = (await _graph(ours).aget_state(config)).values["messages"]
        seen_by_stock = (await _graph(stock).aget_state(config)).values["messages"]

    assert [message.text for message in seen_by_ours] == ["one", "two", "three"]
    assert seen_by_stock == seen_by_ours


async def test_a_process_that_lost_its_lease_cannot_write_a_checkpoint(store: Store, database_url: str) -> None:
    ours = await open_checkpoints(database_url, store)
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    frozen = await claim(store, owner="frozen", lease=timedelta())
    config: Any = {"configurable": {"thread_id": "s1"}}
    assert frozen is not None
    with driving(frozen):
        await _graph(ours).ainvoke({"messages": [HumanMessage("before", id="1")]}, config)
    taken = await claim(store, owner="successor")

    with driving(frozen), pytest.raises(LeaseLost):
        await _graph(ours).ainvoke({"messages": [HumanMessage("after", id="2")]}, config)

    assert taken is not None
    assert taken.epoch == frozen.epoch + 1
    values = (await _graph(ours).aget_state(config)).values
    assert [message.text for message in values["messages"]] == ["before"]


async def test_without_the_fence_the_same_write_goes_through(
    store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_fence(*_: object) -> None: ...

    for module in ("sqlite_checkpoints", "postgres_checkpoints"):
        monkeypatch.setattr(f"handraise.engine.{module}.hold_the_fence", no_fence)

    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        await test_a_process_that_lost_its_lease_cannot_write_a_checkpoint(store, database_url)


def _graph(saver: BaseCheckpointSaver[Any]) -> Any:
    async def nothing(_: MessagesState) -> dict[str, Any]:
        return {}

    builder: Any = StateGraph(MessagesState)
    return builder.add_node("nothing", nothing).set_entry_point("nothing").compile(checkpointer=saver)


def _stock(url: str) -> Any:
    if is_postgres(url):
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

        return AsyncPostgresSaver.from_conn_string(url)
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    return AsyncSqliteSaver.from_conn_string(str(sqlite_path(url)))


async def test_a_thread_may_use_the_saver_too(sqlite_url: str) -> None:
    async with open_store(sqlite_url) as store:
        saver = await open_checkpoints(sqlite_url, store)
        assert isinstance(saver, StoreSqliteSaver)
        config: Any = {"configurable": {"thread_id": "from a thread"}}
        builder: Any = StateGraph(MessagesState)
        graph = builder.add_node("nothing", lambda _: {}).set_entry_point("nothing").compile(checkpointer=saver)

        await asyncio.to_thread(graph.invoke, {"messages": [HumanMessage("hi")]}, config)

        assert len((await _graph(saver).aget_state(config)).values["messages"]) == 1
