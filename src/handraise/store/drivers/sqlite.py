"""SQLite: one writer thread that commits many transactions at once, and readers apart.

Work is written as coroutines so that both drivers share it, but nothing here ever waits: a thread drives each
coroutine to its end in one go.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from handraise.core.errors import Conflict, HandraiseError, InvalidInput, Misconfigured, Unavailable
from handraise.store.connection import Connection
from handraise.store.drivers.driver import Topics, Work, migrate, wrote_in_a_read
from handraise.store.drivers.sqlite_connection import SqliteConnection, drive
from handraise.store.drivers.sqlite_lock import serving_alone

T = TypeVar("T")
Job = tuple[Work[Any], asyncio.Future[Any]]
Outcome = tuple[Any, BaseException | None]
BATCH = 256
READERS = 4
PATIENCE = 30
"""How long to wait for a lock that another process has, in seconds."""


class SqliteDriver:
    """One file, one process. Other processes may read it; only one may serve it."""

    def __init__(self, path: Path, *, clock: Callable[[], int] = lambda: time.time_ns() // 1000) -> None:
        self.path = path
        self._clock = clock
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._listeners: list[Callable[[Topics], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = await _in_a_thread(self._connect_and_migrate)
        except (sqlite3.Error, OSError) as error:
            self._disconnect()
            raise _unusable(self.path, error) from None
        except BaseException:
            self._disconnect()
            raise
        self._loop = asyncio.get_running_loop()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="handraise-reader")
        # A daemon: a program that forgets to close its store must still be able to end.
        self._writer = threading.Thread(
            target=self._write_until_closed, args=(connection,), name="handraise-writer", daemon=True
        )
        self._writer.start()

    async def close(self) -> None:
        # Refuse new work first: whatever is behind the end mark in the queue would wait forever.
        writer, self._writer = self._writer, None
        readers, self._readers = self._readers, None
        if writer is not None:
            self._jobs.put(None)
            await _in_a_thread(writer.join)
        if readers is not None:
            await _in_a_thread(readers.shutdown)
        self._disconnect()

    async def write(self, work: Work[T], /) -> T:
        if self._writer is None or self._loop is None:
            raise _closed(self.path)
        done: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((work, done))
        return await done

    async def read(self, work: Work[T], /) -> T:
        if self._readers is None:
            raise _closed(self.path)
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def read_one(self, work: Work[T], /) -> T:
        return await self.read(work)

    async def write_one(self, work: Work[T], /) -> T:
        return await self.write(work)

    async def leave_no_trace(self) -> None:
        def truncate() -> None:
            with contextlib.closing(sqlite3.connect(self.path, timeout=PATIENCE)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        await asyncio.to_thread(truncate)

    @contextlib.contextmanager
    def serving(self) -> Iterator[bool]:
        with serving_alone(self.path):
            yield True

    async def announce(self, connection: Connection, topics: Topics, /) -> None:
        if isinstance(connection, SqliteConnection):
            connection.announced |= topics

    def listen(self, listener: Callable[[Topics], None], /) -> None:
        self._listeners.append(listener)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
        self._opened.append(connection)
        for name in ("now_us", "clock_us"):
            connection.create_function(name, 0, self._clock)
        _to_wal(connection)
        # What is deleted is overwritten: a file must not keep what its owner was asked to forget.
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def _disconnect(self) -> None:
        for connection in self._opened:
            connection.close()
        self._opened.clear()

    def _connect_and_migrate(self) -> SqliteConnection:
        connection = SqliteConnection(self._connect())
        connection.raw.execute("BEGIN IMMEDIATE")
        try:
            drive(migrate(connection, serial="INTEGER PRIMARY KEY AUTOINCREMENT", where=str(self.path)))
        except BaseException:
            connection.raw.execute("ROLLBACK")
            raise
        connection.raw.execute("COMMIT")
        return connection

    def _write_until_closed(self, connection: SqliteConnection) -> None:
        while (first := self._jobs.get()) is not None:
            batch = [first]
            while len(batch) < BATCH and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    self._jobs.put(None)
                    break
                batch.append(job)
            self._commit_together(connection, batch)

    def _commit_together(self, connection: SqliteConnection, batch: list[Job]) -> None:
        """Run each work in a savepoint of one transaction, so that one disk flush serves them all."""
        connection.announced = frozenset()
        outcomes: list[Outcome] = []
        try:
            connection.raw.execute("BEGIN IMMEDIATE")
            outcomes.extend(_attempt(connection, work) for work, _ in batch)
            connection.raw.execute("COMMIT")
        except BaseException as failure:  # noqa: BLE001  # the writer must outlive whatever happened to one batch
            with contextlib.suppress(sqlite3.Error):
                if connection.raw.in_transaction:
                    connection.raw.execute("ROLLBACK")
            outcomes = [(None, _unwritable(self.path, failure)) for _ in batch]
            connection.announced = frozenset()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to be told
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._report, batch, outcomes, connection.announced)

    def _report(self, batch: list[Job], outcomes: list[Outcome], topics: Topics) -> None:
        """Answer the callers, on their loop. What a cancelled one wrote is announced all the same."""
        if topics:
            for listener in self._listeners:
                listener(topics)
        for (_, done), (result, error) in zip(batch, outcomes, strict=True):
            if done.cancelled():
                continue
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(result)

    def _read(self, work: Work[T]) -> T:
        connection: SqliteConnection | None = getattr(self._local, "connection", None)
        try:
            if connection is None:
                connection = SqliteConnection(self._connect())
                # A write in a read would vanish without a word.
                connection.raw.execute("PRAGMA query_only=ON")
                self._local.connection = connection
            connection.raw.execute("BEGIN")
            try:
                return drive(work(connection))
            finally:
                connection.raw.execute("ROLLBACK")
        except (UnicodeEncodeError, OverflowError) as error:
            raise _in_our_words(error) from None
        except sqlite3.Error as error:
            match _kind(error):
                case sqlite3.SQLITE_READONLY:
                    raise wrote_in_a_read() from error
                case sqlite3.SQLITE_ERROR:
                    raise
                case _:
                    raise _unusable(self.path, error) from error


async def _in_a_thread(work: Callable[[], T]) -> T:
    """Run `work` in a thread of its own: those of the event loop may all be busy with agents' tools, forever."""
    with ThreadPoolExecutor(1, thread_name_prefix="handraise-store") as thread:
        return await asyncio.get_running_loop().run_in_executor(thread, work)


def _attempt(connection: SqliteConnection, work: Work[T]) -> tuple[T | None, BaseException | None]:
    announced = connection.announced
    connection.raw.execute("SAVEPOINT work")
    try:
        result = drive(work(connection))
    except BaseException as error:  # whatever it is belongs to the caller who sent the work
        if not connection.raw.in_transaction:
            raise sqlite3.OperationalError(f"the transaction was lost: {error}") from error
        connection.raw.execute("ROLLBACK TO work")
        connection.raw.execute("RELEASE work")
        connection.announced = announced
        return None, _in_our_words(error)
    connection.raw.execute("RELEASE work")
    return result, None


def _to_wal(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log. SQLite does not wait for the lock that this needs, however patient it is else."""
    gives_up = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if _kind(error) != sqlite3.SQLITE_BUSY or time.monotonic() > gives_up:
                raise
            time.sleep(0.02)
        else:
            return


def _kind(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; a mistake in the statement or its parameters is SQLITE_ERROR."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _in_our_words(error: BaseException) -> BaseException:
    """Return what the caller sees: what the database could not do in our words, all else as it is."""
    match error:
        case sqlite3.IntegrityError():
            return Conflict(f"The database refused the change: {error}.", fix="Nothing was saved.")
        case sqlite3.Error() if _kind(error) != sqlite3.SQLITE_ERROR:
            return Unavailable(f"The database could not do it: {error}.", fix="Nothing was saved; try again.")
        case UnicodeEncodeError() | OverflowError():
            return InvalidInput(f"The database cannot keep a value: {error}.", fix="Nothing was saved; mend the value.")
        case _:
            return error


def _closed(path: Path) -> HandraiseError:
    return Unavailable(f"The database {path} is closed.", fix="Open the store first, or again.")


def _unusable(path: Path, error: Exception) -> HandraiseError:
    return Misconfigured(
        f"The database file {path} cannot be used: {error}.",
        fix="Name another file, mend its permissions, or move it away to start afresh.",
    )


def _unwritable(path: Path, error: BaseException) -> HandraiseError:
    return Unavailable(
        f"The database {path} could not be written: {error}.", fix="Nothing was saved; free space or locks, then retry."
    )
