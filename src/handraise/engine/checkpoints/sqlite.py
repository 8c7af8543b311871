"""LangGraph's SQLite saver on the store's own connections: one writer, and the fence in the same transaction.

The stock savers still make every statement and every blob, so each can read what the other wrote.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from handraise.engine.checkpoints.fence import driven_run, hold_the_fence
from handraise.store.drivers.sqlite_connection import SqliteConnection
from handraise.store.store import Store, Transaction

T = TypeVar("T")


async def set_up(path: Path) -> None:
    """Create LangGraph's tables, or bring older ones up to date."""
    async with AsyncSqliteSaver.from_conn_string(str(path)) as stock:
        await stock.setup()


class StoreSqliteSaver(AsyncSqliteSaver):
    """Writes through the store's writer thread, reads through its readers."""

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
        noting = _NotingSqliteSaver(self.serde)
        saved = noting.put(config, checkpoint, metadata, new_versions)
        await self._write(noting)
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        noting = _NotingSqliteSaver(self.serde)
        noting.put_writes(config, writes, task_id, task_path)
        await self._write(noting)

    async def adelete_thread(self, thread_id: str) -> None:
        noting = _NotingSqliteSaver(self.serde)
        noting.delete_thread(thread_id)
        await self._write(noting)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self._read(lambda reading: reading.get_tuple(config))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = await self._read(lambda reading: [*reading.list(config, filter=filter, before=before, limit=limit)])
        for checkpoint in found:
            yield checkpoint

    async def aget_delta_channel_history(self, *, config: RunnableConfig, channels: Sequence[str]) -> Mapping[str, Any]:
        return await self._read(lambda reading: reading.get_delta_channel_history(config=config, channels=channels))

    async def _write(self, noting: _NotingSqliteSaver) -> None:
        run = driven_run()

        async def work(tx: Transaction) -> None:
            await hold_the_fence(tx, run)
            raw = _sqlite(tx).raw
            for sql, rows in noting.statements:
                raw.executemany(sql, rows)

        await self._store.write(work)

    async def _read(self, work: Callable[[_ReadingSqliteSaver], T]) -> T:
        async def reading(tx: Transaction) -> T:
            return work(_ReadingSqliteSaver(_sqlite(tx), self.serde))

        return await self._store.read(reading)


class _NotingSqliteSaver(SqliteSaver):
    """The stock saver with a cursor that only notes statements; blobs are made here, not on the writer thread."""

    def __init__(self, serde: SerializerProtocol) -> None:
        super().__init__(cast("Any", None), serde=serde)
        self.statements: list[tuple[str, list[Any]]] = []

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[Any]:
        yield self

    def execute(self, sql: str, params: Sequence[Any] = ()) -> None:
        self.statements.append((sql, [params]))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self.statements.append((sql, [*rows]))


class _ReadingSqliteSaver(SqliteSaver):
    """The stock saver inside a transaction that somebody else began and ends."""

    def __init__(self, connection: SqliteConnection, serde: SerializerProtocol) -> None:
        super().__init__(connection.raw, serde=serde)

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[Any]:
        with closing(self.conn.cursor()) as cursor:
            yield cursor


def _sqlite(tx: Transaction) -> SqliteConnection:
    return cast("SqliteConnection", tx.connection)
