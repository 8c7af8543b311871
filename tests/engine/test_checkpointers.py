"""Both checkpointers against LangGraph's own conformance suite, and against the stock savers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.serde.types import TASKS
from langgraph.graph import MessagesState, StateGraph
from langgraph.types import Send

from handraise.core.errors import LeaseLost
from handraise.core.runs import Run
from handraise.engine.checkpoints.fence import driving
from handraise.engine.checkpoints.opening import open_checkpoints
from handraise.engine.checkpoints.postgres import AT_ONCE
from handraise.engine.checkpoints.sqlite import StoreSqliteSaver
from handraise.store.opening import is_postgres, open_store, sqlite_path
from handraise.store.store import Store
from tests.engine.crash.switches import switched_off
from tests.store.samples import add_sessions, claim, enqueue, must_claim

pytestmark = pytest.mark.real


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_langgraphs_conformance_suite_passes(kind: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue(f"{kind}_url")

    @checkpointer_test(name=f"Handraise on {kind}")
    async def ours() -> AsyncIterator[BaseCheckpointSaver[Any]]:
        async with open_store(url) as store:
            yield await open_checkpoints(url, store)

    report = await validate(ours)

    report.print_report()
    assert report.passed_all()


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


async def test_without_the_fence_the_same_write_goes_through(store: Store, database_url: str) -> None:
    with switched_off("fence"), pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        await test_a_process_that_lost_its_lease_cannot_write_a_checkpoint(store, database_url)


@pytest.mark.parametrize("count", [2, AT_ONCE + 1])
async def test_any_number_of_writes_is_saved_together(store: Store, database_url: str, count: int) -> None:
    ours = await open_checkpoints(database_url, store)
    saved = await ours.aput(_at("many"), empty_checkpoint(), {"source": "input", "step": 0}, {})

    await ours.aput_writes(saved, [(f"channel {number}", number) for number in range(count)], task_id="task")

    assert await _written(ours, saved) == [(f"channel {number}", number) for number in range(count)]


async def test_of_writes_that_share_a_row_the_last_one_stays_as_in_the_stock_savers(
    store: Store, database_url: str
) -> None:
    ours = await open_checkpoints(database_url, store)
    writes: list[tuple[str, Any]] = [("__error__", "first"), ("__error__", "second")]
    async with _stock(database_url) as stock:
        found = []
        for saver in (ours, stock):
            saved = await saver.aput(_at(type(saver).__name__), empty_checkpoint(), {"source": "input", "step": 0}, {})
            await saver.aput_writes(saved, writes, task_id="task")
            found.append(await _written(saver, saved))

    assert found == [[("__error__", "second")]] * 2


async def test_a_checkpoint_of_an_older_langgraph_is_read_as_the_stock_saver_reads_it(postgres_url: str) -> None:
    first, second = ({**empty_checkpoint(), "v": 3} for _ in range(2))
    async with open_store(postgres_url) as store, _stock(postgres_url) as stock:
        ours = await open_checkpoints(postgres_url, store)
        before = await stock.aput(_at("old"), first, {"source": "input", "step": 0}, {})
        await stock.aput_writes(before, [(TASKS, Send("pay", {"amount": 42.5}))], task_id="task")
        saved = await stock.aput(before, second, {"source": "loop", "step": 1}, {})
        expected = await stock.aget_tuple(saved)
        found = await ours.aget_tuple(saved)

    assert found is not None
    assert found.checkpoint["channel_values"] == expected.checkpoint["channel_values"]
    assert found.checkpoint["channel_values"][TASKS] == [Send("pay", {"amount": 42.5})]


async def test_what_a_run_has_read_is_read_once_until_it_writes_and_stays_as_it_was(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []
    look = Store.read_one

    async def counted(store: Store, work: Any) -> Any:
        looks.append(work)
        return await look(store, work)

    async with open_store(postgres_url) as store:
        ours = await open_checkpoints(postgres_url, store)
        run, saved = await _begun(ours, store)
        monkeypatch.setattr(Store, "read_one", counted)
        with driving(run):
            first = await ours.aget_tuple(_at("s1"))
            assert first is not None
            first.checkpoint["channel_versions"]["mine"] = 7
            again = [await ours.aget_tuple(config) for config in (_at("s1"), saved)]
            assert [found is not None and found.checkpoint["channel_versions"] for found in again] == [{}, {}]
            assert len(looks) == 1

            await ours.aput_writes(saved, [("channel", 1)], task_id="task")
            assert await _written(ours, saved) == [("channel", 1)]
            assert len(looks) == 2
            newer = await ours.aput(saved, empty_checkpoint(), {"source": "loop", "step": 1}, {})
            newest = await ours.aget_tuple(_at("s1"))
            assert newest is not None
            assert newest.config["configurable"]["checkpoint_id"] == newer["configurable"]["checkpoint_id"]
        for _ in range(2):
            await ours.aget_tuple(saved)
    assert len(looks) == 5, "what is read for no run is always read anew"


async def test_what_was_read_while_something_was_written_is_not_kept(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Store.read_one

    async with open_store(postgres_url) as store:
        ours = await open_checkpoints(postgres_url, store)
        run, saved = await _begun(ours, store)

        async def overtaken(store: Store, work: Any) -> Any:
            found = await look(store, work)
            await ours.aput_writes(saved, [("channel", 1)], task_id="task")
            return found

        with driving(run):
            with monkeypatch.context() as patch:
                patch.setattr(Store, "read_one", overtaken)
                assert await _written(ours, saved) == []
            assert await _written(ours, saved) == [("channel", 1)]


async def _begun(saver: BaseCheckpointSaver[Any], store: Store) -> tuple[Run, Any]:
    """Return a run that this process holds, and where its first checkpoint is."""
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    return await must_claim(store), await saver.aput(_at("s1"), empty_checkpoint(), {"source": "input", "step": 0}, {})


def _at(thread: str) -> Any:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}


async def _written(saver: BaseCheckpointSaver[Any], config: Any) -> list[tuple[str, Any]]:
    found = await saver.aget_tuple(config)
    assert found is not None
    return sorted(((channel, value) for _, channel, value in found.pending_writes or ()), key=lambda write: write[1])


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
