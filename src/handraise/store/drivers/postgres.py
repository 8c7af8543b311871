"""PostgreSQL: a psycopg pool for work, and one connection that listens to the other processes."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import uuid
from collections.abc import Callable
from typing import Any, LiteralString, TypeVar

import psycopg
import structlog
from psycopg_pool import AsyncConnectionPool

from handraise.core.errors import Unavailable
from handraise.runtime.tasks import cancel_and_wait
from handraise.store.connection import Connection
from handraise.store.drivers.driver import Topics, Work, migrate
from handraise.store.drivers.postgres_connection import CHANNEL, PostgresConnection, Raw
from handraise.store.drivers.postgres_errors import (
    LEASE_LOST,
    TRY_AGAIN,
    in_our_words,
    reason,
    unreachable,
    unusable,
    without_password,
)

log = structlog.get_logger(__name__)

T = TypeVar("T")
MIGRATION_LOCK = 0x68616E64  # "hand"; any number that no other program on this database uses
ATTEMPTS = 5


class PostgresDriver:
    """Any number of processes on one database."""

    def __init__(self, url: str, *, connections: int = 10, connect_seconds: float = 10) -> None:
        self.url = url
        self.where = without_password(url)
        self._connections = connections
        self._connect_seconds = connect_seconds
        self._options: dict[str, Any] = {
            "tcp_user_timeout": 10_000,
            "connect_timeout": max(2, int(connect_seconds)),
            "application_name": "handraise",
            "client_encoding": "utf8",
            # The listening connection is idle: only these notice that the other end is gone.
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
        }
        self._pool: AsyncConnectionPool[Raw] | None = None
        self._listeners: list[Callable[[Topics], None]] = []
        self._listening: asyncio.Task[None] | None = None
        self._id = uuid.uuid4().hex[:12]
        self._notices = itertools.count()
        self._told: set[str] = set()

    async def open(self) -> None:
        try:
            async with await self._connect() as raw:
                await raw.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATION_LOCK])
                for function in _FUNCTIONS:
                    await raw.execute(function)
                serial = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
                await migrate(PostgresConnection.inside(raw), serial=serial, where=self.where)
        except psycopg.OperationalError as error:
            raise unreachable(self.where, error) from None
        except psycopg.Error as error:
            raise unusable(self.where, error) from None
        self._pool = AsyncConnectionPool(
            self.url,
            # Transactions are begun and ended here, with the words that each kind needs.
            kwargs={**self._options, "autocommit": True},
            min_size=1,
            max_size=self._connections,
            timeout=self._connect_seconds,
            configure=_configure,
            open=False,
        )
        await self._pool.open()
        self._listening = asyncio.create_task(self._listen_until_closed(), name="handraise-listen")

    async def close(self) -> None:
        pool, self._pool = self._pool, None
        if self._listening is not None:
            await cancel_and_wait(self._listening)
            self._listening = None
        if pool is not None:
            await pool.close()

    async def write(self, work: Work[T], /) -> T:
        return await self._patiently("BEGIN", work)

    async def write_one(self, work: Work[T], /) -> T:
        return await self._patiently(None, work)

    async def _patiently(self, begin: LiteralString | None, work: Work[T]) -> T:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._once(begin, work)
            except TRY_AGAIN as error:
                if attempt == ATTEMPTS:
                    raise Unavailable(
                        f"PostgreSQL at {self.where} gave up the change {ATTEMPTS} times: {reason(error)}.",
                        fix="Nothing was saved; try again when it is less busy.",
                    ) from error
                await asyncio.sleep(0.01 * attempt)
        raise AssertionError("the last attempt returns or raises")

    async def read(self, work: Work[T], /) -> T:
        # Without this each statement would see its own moment, and a write in a read would be kept.
        return await self._once("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work)

    async def read_one(self, work: Work[T], /) -> T:
        return await self._once(None, work, may_write=False)

    async def leave_no_trace(self) -> None:
        """Leave it to the server: its own vacuum removes old rows, and only its owner can do more."""

    def serving(self) -> contextlib.nullcontext[bool]:
        return contextlib.nullcontext(False)

    async def announce(self, connection: Connection, topics: Topics, /) -> None:
        if topics and isinstance(connection, PostgresConnection):
            connection.announced |= topics
            connection.notice = f"{self._id}.{next(self._notices)}"

    def listen(self, listener: Callable[[Topics], None], /) -> None:
        self._listeners.append(listener)

    async def _once(self, begin: LiteralString | None, work: Work[T], *, may_write: bool = True) -> T:
        """Do work on a connection of the pool, which rolls back what an error leaves behind.

        A connection that died while it lay idle is noticed at its first statement; nothing was done on it, so another
        one takes its place. Asking each whether it lives would cost every transaction a way to the server.
        """
        if self._pool is None:
            raise Unavailable(f"The database {self.where} is closed.", fix="Open the store first, or again.")
        for left in range(self._connections, -1, -1):
            connection: PostgresConnection | None = None
            with in_our_words(self.where):
                try:
                    async with self._pool.connection() as raw:
                        connection = PostgresConnection(raw, begin=begin, may_write=may_write)
                        result = await work(connection)
                        await connection.commit()
                except psycopg.OperationalError:
                    if left and connection is not None and connection.was_dead:
                        continue
                    raise
            # At once, without the way through the server; the notice that follows is for the other processes.
            if connection.announced and self._is_first(connection.notice):
                self._tell(connection.announced)
            return result
        raise AssertionError("the last connection returns or raises")

    async def _connect(self) -> Raw:
        return await psycopg.AsyncConnection.connect(self.url, **self._options)

    async def _listen_until_closed(self) -> None:
        """Listen, and after every new connection wake everybody: something may have been said in between."""
        while True:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001  # without a listener this process would be the last to know
                log.warning("listener.waits", error=reason(error))
            await asyncio.sleep(0.5)

    async def _listen(self) -> None:
        raw = await self._connect()
        try:
            await raw.set_autocommit(True)
            await raw.execute(f"LISTEN {CHANNEL}")
            self._told.clear()
            self._tell(frozenset({"events", "runs"}))
            async for notice in raw.notifies():
                self._hear(notice.payload)
        finally:
            await raw.close()

    def _hear(self, payload: str) -> None:
        notice, _, topics = payload.partition(" ")
        # Of our own, too: their caller may have been cancelled while it committed.
        if not notice.startswith(self._id) or self._is_first(notice):
            self._tell(frozenset(topics.split(",")))

    def _is_first(self, notice: str) -> bool:
        """Return whether one of our own notices is told for the first time: each comes round twice, in either order."""
        self._told ^= {notice}
        return notice in self._told

    def _tell(self, topics: Topics) -> None:
        for listener in self._listeners:
            listener(topics)


async def _configure(raw: Raw) -> None:
    await raw.execute(_PATIENCE)


_PATIENCE = "SET idle_in_transaction_session_timeout = '10s'; SET lock_timeout = '20s'"
"""A process that is frozen in a transaction must not hold up all others: they share the counter of events, for one."""

_FUNCTIONS = (
    """
    CREATE OR REPLACE FUNCTION now_us() RETURNS bigint LANGUAGE sql STABLE AS
    $$ SELECT (extract(epoch FROM statement_timestamp()) * 1000000)::bigint $$
    """,
    """
    CREATE OR REPLACE FUNCTION clock_us() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$
    """,
    # The fence for a statement that commits by itself: it must fail where the run is not held.
    f"""
    CREATE OR REPLACE FUNCTION hold_run(held text, as_of bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM 1 FROM runs WHERE id = held AND epoch = as_of AND status = 'running' FOR SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION '%', held USING ERRCODE = '{LEASE_LOST}', DETAIL = as_of;
        END IF;
    END $$
    """,
)
