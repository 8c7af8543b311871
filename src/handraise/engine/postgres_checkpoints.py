"""LangGraph's PostgreSQL saver on the store's own connections: no lock of its own, and the fence in the transaction."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol

from handraise.engine.fence import driven_run, hold_the_fence
from handraise.store.postgres_connection import PostgresConnection
from handraise.store.store import Store, Transaction

T = TypeVar("T")

ATTEMPTS = 5


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
    """Each call is one transaction of the store, carried out by a stock saver on that transaction's connection."""

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
        return await self._write(lambda stock: stock.aput(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await self._write(lambda stock: stock.aput_writes(config, writes, task_id, task_path))

    async def adelete_thread(self, thread_id: str) -> None:
        await self._write(lambda stock: stock.adelete_thread(thread_id))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await self._write(lambda stock: stock.aprune(thread_ids, strategy=strategy))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        # Of one checkpoint, which never changes once it is the newest: no view of several statements is needed.
        return await self._store.look(lambda tx: self._on(tx, lambda stock: stock.aget_tuple(config)))

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

    async def _write(self, work: Callable[[AsyncPostgresSaver], Awaitable[T]]) -> T:
        run = driven_run()

        async def fenced(tx: Transaction) -> T:
            await hold_the_fence(tx, run)
            return await self._on(tx, work)

        return await self._store.write(fenced)

    async def _read(self, work: Callable[[AsyncPostgresSaver], Awaitable[T]]) -> T:
        return await self._store.read(lambda tx: self._on(tx, work))

    async def _on(self, tx: Transaction, work: Callable[[AsyncPostgresSaver], Awaitable[T]]) -> T:
        connection = cast("PostgresConnection", tx.connection)
        await connection.begin()
        raw: Any = connection.raw
        return await work(AsyncPostgresSaver(raw, serde=self.serde))
