"""The store: transactions that speak the domain, and a wake-up for whoever waits on what they wrote."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from datetime import datetime
from types import TracebackType
from typing import Self, TypeVar

from handraise.store.connection import Connection, from_us
from handraise.store.drivers.driver import Driver, Topics
from handraise.store.tables.asked_questions import AskedQuestions
from handraise.store.tables.counts import Insights
from handraise.store.tables.cursors import Cursors
from handraise.store.tables.effects import Effects
from handraise.store.tables.events import Events
from handraise.store.tables.forgetting import Forgetting
from handraise.store.tables.idempotency import IdempotencyKeys
from handraise.store.tables.knowledge import KnowledgeEntries
from handraise.store.tables.outbox import Outbox
from handraise.store.tables.people import People
from handraise.store.tables.request_facts import FactLists
from handraise.store.tables.requests import Requests
from handraise.store.tables.runs import Runs
from handraise.store.tables.seals import Seals
from handraise.store.tables.sessions import Sessions
from handraise.store.tables.tickets import Tickets
from handraise.store.tables.trail import Trail
from handraise.store.tables.vectors import Vectors

T = TypeVar("T")


class Transaction:
    """Everything inside commits together or not at all."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.sessions = Sessions(connection)
        self.runs = Runs(connection)
        self.requests = Requests(connection)
        self.events = Events(connection, self.sessions)
        self.effects = Effects(connection)
        self.knowledge = KnowledgeEntries(connection)
        self.asked = AskedQuestions(connection)
        self.cursors = Cursors(connection)
        self.vectors = Vectors(connection)
        self.people = People(connection)
        self.tickets = Tickets(connection)
        self.idempotency_keys = IdempotencyKeys(connection)
        self.outbox = Outbox(connection)
        self.trail = Trail(connection)
        self.seals = Seals(connection)
        self.insights = Insights(connection)
        self.request_facts = FactLists(connection)
        self.forgetting = Forgetting(connection)
        self._topics: set[str] = set()

    async def now(self) -> datetime:
        """Return the time on the database's clock."""
        row = await self.connection.one("SELECT now_us()")
        now = from_us(row[0]) if row else None
        if now is None:
            raise AssertionError("now_us() always answers")
        return now

    async def schema(self) -> int:
        """Return the number of the newest migration that the database has."""
        row = await self.connection.one("SELECT MAX(number) FROM handraise_migrations")
        return int(row[0]) if row else 0

    def wake(self, topic: str) -> None:
        """Wake whoever waits for `topic` (`runs`, `events`, `outbox`) once this transaction has committed."""
        self._topics.add(topic)

    async def seal(self) -> Topics:
        """Write what was noted along the way; the last act before the commit."""
        if await self.events.flush():
            self.wake("events")
        return frozenset(self._topics)


class Store:
    """One store over either driver.

    A transaction is a function, not a block: the SQLite driver runs many of them in one commit on its writer
    thread, and the PostgreSQL driver runs one again when the database asks for it. So it must not wait for
    anything but the transaction, and its only effects must be in the database.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._watchers: dict[str, set[asyncio.Event]] = {}
        driver.listen(self._wake)

    async def __aenter__(self) -> Self:
        await self._driver.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._driver.close()

    async def write(self, work: Callable[[Transaction], Awaitable[T]], /) -> T:
        """Run `work` in a transaction. When this returns, what it wrote survives a crash."""

        async def sealing(connection: Connection) -> T:
            tx = Transaction(connection)
            result = await work(tx)
            await self._driver.announce(connection, await tx.seal())
            return result

        return await self._driver.write(sealing)

    async def read(self, work: Callable[[Transaction], Awaitable[T]], /) -> T:
        """Run `work` on one consistent view of the data, beside the writers."""

        async def reading(connection: Connection) -> T:
            return await work(Transaction(connection))

        return await self._driver.read(reading)

    async def read_one(self, work: Callable[[Transaction], Awaitable[T]], /) -> T:
        """Run `work` that is one statement only, and reads: a view of its own would cost more than the statement."""

        async def reading(connection: Connection) -> T:
            return await work(Transaction(connection))

        return await self._driver.read_one(reading)

    async def write_one(self, work: Callable[[Transaction], Awaitable[T]], /) -> T:
        """Run `work` that is one statement only, and writes: a transaction around it would cost more than the write.

        Nothing can be told with it, neither events nor wake-ups. When the connection dies under it, nobody knows
        whether it was done, and it is done once more: so it must be one that can be.
        """

        async def writing(connection: Connection) -> T:
            tx = Transaction(connection)
            result = await work(tx)
            if await tx.seal():
                raise RuntimeError("A single statement tells nobody anything; give work that does to `write`.")
            return result

        return await self._driver.write_one(writing)

    async def leave_no_trace(self) -> None:
        """Let what was overwritten or deleted be gone from the files too, as far as the database can do it at once."""
        await self._driver.leave_no_trace()

    def serving(self) -> AbstractContextManager[bool]:
        """Run what is queued while the context lasts. It says whether no other process can be doing the same.

        A SQLite file has one serving process at a time; another one is refused.
        """
        return self._driver.serving()

    def watch(self, *topics: str) -> Watch:
        """Return a watch that fires whenever one of `topics` may have something new."""
        return Watch(self._watchers, topics)

    def _wake(self, topics: Topics) -> None:
        for topic in topics:
            for event in self._watchers.get(topic, ()):
                event.set()


class Watch:
    """Fires at least once after every wake-up; several wake-ups may be one."""

    def __init__(self, watchers: dict[str, set[asyncio.Event]], topics: tuple[str, ...]) -> None:
        self._watchers = watchers
        self._topics = topics
        self._event = asyncio.Event()

    def __enter__(self) -> Self:
        for topic in self._topics:
            self._watchers.setdefault(topic, set()).add(self._event)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for topic in set(self._topics):
            self._watchers[topic].discard(self._event)
            if not self._watchers[topic]:
                del self._watchers[topic]

    async def wait(self, *, at_most: float | None = None) -> bool:
        """Wait for a wake-up, but not longer than `at_most` seconds. Return whether there was one."""
        # Not `wait_for`: up to Python 3.11 it may swallow a cancellation that comes together with a wake-up.
        try:
            async with asyncio.timeout(at_most):
                await self._event.wait()
        except TimeoutError:
            return False
        self._event.clear()
        return True

    def fire(self) -> None:
        """Wake this watch alone."""
        self._event.set()
