"""LangGraph's PostgreSQL saver on the store's own connections: no lock of its own, and the fence in each write.

The stock savers still make every statement and every blob, so each can read what the other wrote. What they would send
one by one goes to the server as a single statement: a run saves some ten times, at six round trips each otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
)
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol

from handraise.core.runs import Run
from handraise.engine.checkpoints.fence import driven_run, hold_the_fence, memory_of_driven
from handraise.store.drivers.postgres_connection import PostgresConnection
from handraise.store.store import Store, Transaction

T = TypeVar("T")

Statement = tuple[str, Sequence[Any]]

ATTEMPTS = 5

AT_ONCE = 50
"""How many rows one statement may write: planning takes longer with each, and 65,535 parameters are the end."""


async def set_up(url: str) -> None:
    """Create LangGraph's tables, or bring older ones up to date.

    The stock setup is not made for two processes at once: one fails, and finds it done when it looks again. A lock
    of ours could not keep them apart, since building an index concurrently waits for every open transaction.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            async with AsyncPostgresSaver.from_conn_string(url) as stock:
                await stock.setup()
        except Exception:
            if attempt == ATTEMPTS:
                raise
            await asyncio.sleep(0.2 * attempt)
        else:
            return


class StorePostgresSaver(AsyncPostgresSaver):
    """Each call is one transaction of the store."""

    def __init__(self, store: Store, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(cast("Any", None), serde=serde)
        self._store = store

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        noting = _NotingPostgresSaver(self.serde)
        saved = noting.put(config, checkpoint, metadata, new_versions)
        await self._write(noting)
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        noting = _NotingPostgresSaver(self.serde)
        noting.put_writes(config, writes, task_id, task_path)
        noting.one_by_one |= _write_a_row_twice(writes)
        await self._write(noting)

    async def adelete_thread(self, thread_id: str) -> None:
        noting = _NotingPostgresSaver(self.serde)
        noting.delete_thread(thread_id)
        await self._write(noting)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        run = driven_run()
        await self._store.read_one(lambda tx: hold_the_fence(tx, run))
        # The stock saver begins a transaction for each thread itself, at a level of its own: it must not be inside one.
        await self._store.write_one(lambda tx: self._on(tx, lambda stock: stock.aprune(thread_ids, strategy=strategy)))
        memory_of_driven().forget()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        memory = memory_of_driven()
        asked, changes = _place(config), memory.changes
        reading = _ReadingPostgresSaver(self.serde, answers=memory.rows.get(asked, ()))

        async def work(tx: Transaction) -> CheckpointTuple | None:
            while True:
                try:
                    return reading.get_tuple(config)
                except _Asks as asks:
                    reading.answers.append(await _postgres(tx).dicts(asks.sql, asks.params))

        if reading.answers:
            return reading.get_tuple(config)
        # Of one checkpoint, which never changes once it is the newest: no view of several statements is needed.
        found = await self._store.read_one(work)
        if found is not None and memory.changes == changes:
            memory.rows[asked] = memory.rows[_place(found.config)] = reading.answers
        return found

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        async def listed(stock: AsyncPostgresSaver) -> list[CheckpointTuple]:
            return [found async for found in stock.alist(config, filter=filter, before=before, limit=limit)]

        for checkpoint in await self._read(listed):
            yield checkpoint

    async def aget_delta_channel_history(self, *, config: RunnableConfig, channels: Sequence[str]) -> Mapping[str, Any]:
        return await self._read(lambda stock: stock.aget_delta_channel_history(config=config, channels=channels))

    async def _write(self, noting: _NotingPostgresSaver) -> None:
        run, memory = driven_run(), memory_of_driven()

        async def at_once(tx: Transaction) -> None:
            await _postgres(tx).execute(*in_one_statement(noting.statements, fence=fence_for(run)))

        async def one_by_one(tx: Transaction) -> None:
            await hold_the_fence(tx, run)
            for sql, params in noting.statements:
                await _postgres(tx).execute(sql, params)

        memory.forget()
        try:
            if noting.one_by_one or len(noting.statements) > AT_ONCE:
                await self._store.write(one_by_one)
            else:
                await self._store.write_one(at_once)
        finally:
            memory.forget()

    async def _read(self, work: Callable[[AsyncPostgresSaver], Awaitable[T]]) -> T:
        return await self._store.read(lambda tx: self._on(tx, work))

    async def _on(self, tx: Transaction, work: Callable[[AsyncPostgresSaver], Awaitable[T]]) -> T:
        connection = _postgres(tx)
        await connection.begin()
        raw: Any = connection.raw
        return await work(AsyncPostgresSaver(raw, serde=self.serde))


class _NotingPostgresSaver(PostgresSaver):
    """The stock saver with a cursor that only notes statements."""

    def __init__(self, serde: SerializerProtocol) -> None:
        super().__init__(cast("Any", None), serde=serde)
        self.statements: list[Statement] = []
        self.one_by_one = False

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[Any]:
        yield self

    def execute(self, sql: str, params: Sequence[Any] = ()) -> None:
        self.statements.append((sql, params))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self.statements += [(sql, row) for row in rows]


class _ReadingPostgresSaver(PostgresSaver):
    """The stock saver with a cursor that knows some answers, and asks for the next one by an error.

    The stock saver for async code would read each checkpoint in a thread, which takes longer than reading it.
    """

    def __init__(self, serde: SerializerProtocol, *, answers: Iterable[list[dict[str, Any]]]) -> None:
        super().__init__(cast("Any", None), serde=serde)
        self.answers = [*answers]
        self._asked = 0

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[Any]:
        self._asked = 0
        yield self

    def execute(self, sql: str, params: Sequence[Any] = (), **_: Any) -> None:
        if self._asked == len(self.answers):
            raise _Asks(sql, params)
        self._asked += 1

    def fetchone(self) -> dict[str, Any] | None:
        # LangGraph writes into what it is given, and the row may be read once more.
        return deepcopy(next(iter(self.answers[self._asked - 1]), None))


class _Asks(Exception):  # nothing is wrong: it asks
    def __init__(self, sql: str, params: Sequence[Any]) -> None:
        self.sql = sql
        self.params = params


def _place(config: RunnableConfig) -> tuple[str, str, str | None]:
    """Return which checkpoint a config is about: its thread, its namespace, and its id unless it is the newest."""
    named = config["configurable"]
    return str(named["thread_id"]), named.get("checkpoint_ns", ""), get_checkpoint_id(config)


def _write_a_row_twice(writes: Sequence[tuple[str, Any]]) -> bool:
    """Return whether some of a task's writes share a row, as those to LangGraph's own channels do: the last stays."""
    own = [channel for channel, _ in writes if channel in WRITES_IDX_MAP]
    return len(set(own)) < len(own)


def fence_for(run: Run | None) -> Statement:
    """Return the statement that fails unless `run` is still this process's, and keeps it so until the commit."""
    return ("SELECT 1", ()) if run is None else ("SELECT hold_run(%s, %s)", (run.id, run.epoch))


def in_one_statement(statements: Sequence[Statement], *, fence: Statement) -> Statement:
    """Return a statement that does what several do, or nothing at all when its fence fails."""
    parts = [f"part_{number} AS ({sql.strip().rstrip(';')})" for number, (sql, _) in enumerate(statements)]
    sql, params = fence
    return f"WITH {', '.join(parts)} {sql}" if parts else sql, [
        *(value for _, row in statements for value in row),
        *params,
    ]


def _postgres(tx: Transaction) -> PostgresConnection:
    return cast("PostgresConnection", tx.connection)
