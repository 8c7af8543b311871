"""Following the event log: whoever reads it on, and does something about what it says, exactly once.

The cursor moves by compare-and-set in the transaction that does the work: a crash loses no event and deals with none
twice, with any number of processes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import ClassVar

from handraise.core.log.facts import Event
from handraise.store.background import Background
from handraise.store.store import Store, Transaction

BATCH = 200
LONGEST_WAIT = timedelta(seconds=5)


class LogFollower(Background):
    """While it is entered, it follows the log. Any number of processes may run one of the same name."""

    cursor: ClassVar[str]
    """The name under which the database keeps how far it has come."""

    lag: ClassVar[int] = 0
    """How many events may pass that do not concern it before the cursor is written all the same."""

    def __init__(self, store: Store, *, batch: int = BATCH) -> None:
        super().__init__(store)
        self._batch = batch
        self._cursor = 0
        self._position = 0

    async def begin_now(self) -> None:
        """Let a follower that never was here begin with what happens from now on, instead of the whole log."""
        await self._store.write(lambda tx: tx.cursors.begin(self.cursor))

    async def catch_up(self, *, progress: Callable[[int, int], None] | None = None) -> None:
        """Deal with every event up to now. `progress` is told the number of the last one, and of the newest."""
        while (done := await self.step()) is not None:
            if progress is not None:
                progress(done, await self._store.read_one(lambda tx: tx.events.head()))

    async def step(self) -> int | None:
        """Deal with the next batch of events. Return the number of its last one, or None at the end of the log."""
        cursor, events = await self._store.read(self._unread)
        if cursor != self._cursor:  # at the start, and when another process was first
            self._cursor = self._position = cursor
        if not events:
            return None
        last = events[-1].seq
        concerned = [event for event in events if self._concerns(event)]
        if concerned or last - cursor > self.lag:
            await self._deal_with(concerned, was=cursor, last=last)
        else:
            self._position = last
        return last

    async def _unread(self, tx: Transaction) -> tuple[int, list[Event]]:
        cursor = await tx.cursors.get(self.cursor)
        after = self._position if cursor == self._cursor else cursor
        return cursor, await tx.events.since(after, limit=self._batch)

    async def _deal_with(self, events: Sequence[Event], *, was: int, last: int) -> None:
        async def work(tx: Transaction) -> None:
            # When another process was first the cursor is elsewhere, and the next step starts there.
            if await tx.cursors.move(self.cursor, was=was, to=last) and events:
                await self._handle(tx, events)

        await self._store.write(work)

    async def _round(self) -> timedelta:
        await self.catch_up()
        return LONGEST_WAIT

    def _concerns(self, event: Event) -> bool:
        """Return whether an event is to be handled at all."""
        return True

    @abstractmethod
    async def _handle(self, tx: Transaction, events: Sequence[Event]) -> None:
        """Do what the events ask for, in their order, in the transaction that moves the cursor."""
