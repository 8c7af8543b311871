"""The feed: one reader of the event log for a whole process, which passes events on to everyone who follows them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Self

import structlog

from handraise.core.errors import HandraiseError
from handraise.core.log.facts import ABOUT_A_REQUEST, ABOUT_A_TICKET, Event
from handraise.core.log.installation import ENDS_ACCESS
from handraise.engine.runs.deltas import Delta, Deltas
from handraise.runtime.tasks import cancel_and_wait
from handraise.runtime.tracebacks import format_traceback
from handraise.store.store import Store, Transaction

log = structlog.get_logger(__name__)

ROOM = 1000
"""How many items a listener may lag behind before it is cut off; it then comes back and reads what it missed."""

PAGE = 500
"""How many events are read at once."""


Check = Callable[[], Awaitable[None]]
"""Raises Cut when a listener may no longer follow."""


class Cut(Exception):
    """This listener was too slow, or the service stops: the stream is cut, not ended."""


class FeedListener:
    """The place of one reader in the feed."""

    def __init__(self, wanted: Callable[[Event], bool], still: Check | None) -> None:
        self._wanted = wanted
        self._still = still
        self._items: asyncio.Queue[Event | Delta | None] = asyncio.Queue(ROOM)
        self._cut = False

    def offer(self, event: Event) -> None:
        """Hand over an event that the listener wants, or that makes it check whether it may still follow."""
        if self._wanted(event) or (self._still is not None and isinstance(event.fact, ENDS_ACCESS)):
            self.put(event)

    def put(self, item: Event | Delta) -> None:
        """Hand an item over, or cut the listener off when it has no room."""
        if self._cut:
            return
        try:
            self._items.put_nowait(item)
        except asyncio.QueueFull:
            self.cut()

    def cut(self) -> None:
        """Make the listener's next read fail, and let go of what it did not read."""
        self._cut = True
        while not self._items.empty():
            self._items.get_nowait()
        self._items.put_nowait(None)

    async def get(self) -> Event | Delta:
        """Return the next item. Nothing comes after the event by which the listener lost its access."""
        while True:
            if self._cut:
                raise Cut
            item = await self._items.get()
            if item is None or self._cut:
                raise Cut
            if not isinstance(item, Event) or not isinstance(item.fact, ENDS_ACCESS):
                return item
            await self.check()

    async def check(self) -> None:
        """Raise Cut when the listener may no longer follow."""
        if self._still is not None:
            await self._still()


class Feed:
    """Follow all events, or those of one session, from any point in the past and without a gap."""

    def __init__(self, store: Store, deltas: Deltas) -> None:
        self._store = store
        self._deltas = deltas
        self._listeners: set[FeedListener] = set()
        self._head = 0
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._head = await self._store.read(lambda tx: tx.events.head())
        self._task = asyncio.create_task(self._pass_on_until_closed(), name="handraise-feed")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut_all()
        if self._task is not None:
            await cancel_and_wait(self._task)

    def cut_all(self) -> None:
        """Cut every stream off, so that the service can stop; their readers reconnect elsewhere or later."""
        for listener in self._listeners:
            listener.cut()

    async def has_come_to(self, session_id: str, number: int) -> bool:
        """Return whether a session has an event of that number: a log that was restored from a copy may not."""
        return number <= await self._store.read_one(lambda tx: tx.sessions.last_event_number(session_id))

    async def session(
        self, session_id: str, *, after: int, still: Check | None = None
    ) -> AsyncGenerator[Event | Delta, None]:
        """Yield a session's events after its number `after`, then what comes, with deltas in between."""
        async with self._listening(lambda event: event.session_id == session_id, still) as listener:
            stop = self._deltas.follow(session_id, listener.put)
            try:
                while events := await self._page(session_id, after):
                    for event in events:
                        yield event
                        after = event.session_seq
                begun = ""
                while True:
                    item = await listener.get()
                    if isinstance(item, Delta) and item.message_id != begun:
                        # What happened before a message began is stored by now, but may not have come round yet.
                        begun = item.message_id
                        for event in await self._page(session_id, after):
                            yield event
                            after = event.session_seq
                    if isinstance(item, Event):
                        if item.session_seq <= after:
                            continue
                        after = item.session_seq
                    yield item
            finally:
                stop()

    async def inbox(self, *, after: int, still: Check | None = None) -> AsyncGenerator[Event, None]:
        """Yield every event about a request or a ticket after number `after`, then what comes."""
        async with self._listening(_for_operators, still) as listener:
            head = self._head
            while after < head and (events := await self._since(after)):
                for event in events:
                    after = event.seq
                    if _for_operators(event):
                        yield event
            while True:
                item = await listener.get()
                if isinstance(item, Event) and item.seq > after:
                    after = item.seq
                    yield item

    @contextlib.asynccontextmanager
    async def _listening(self, wanted: Callable[[Event], bool], still: Check | None) -> AsyncIterator[FeedListener]:
        listener = FeedListener(wanted, still)
        self._listeners.add(listener)
        try:
            # No event tells of an access that was lost before this place was taken.
            await listener.check()
            yield listener
        finally:
            self._listeners.discard(listener)

    async def _page(self, session_id: str, after: int) -> list[Event]:
        async def read(tx: Transaction) -> list[Event]:
            return await tx.events.of_session(session_id, after=after)

        return await self._store.read_one(read)

    async def _since(self, seq: int) -> list[Event]:
        async def read(tx: Transaction) -> list[Event]:
            return await tx.events.since(seq, limit=PAGE)

        return await self._store.read_one(read)

    async def _pass_on(self) -> list[Event]:
        events = await self._since(self._head)
        for event in events:
            self._head = event.seq
            for listener in tuple(self._listeners):
                listener.offer(event)
        return events

    async def _pass_on_until_closed(self) -> None:
        with self._store.watch("events") as watch:
            while True:
                try:
                    while len(await self._pass_on()) == PAGE:
                        pass
                except HandraiseError as error:
                    log.warning("feed.waits", error=str(error))
                except Exception as error:  # readers who would wait in vain must know, and come back
                    log.exception("feed.waits", exc_info=False, exception=format_traceback(error))
                    self.cut_all()
                await watch.wait(at_most=5)


def _for_operators(event: Event) -> bool:
    return isinstance(event.fact, (*ABOUT_A_REQUEST, *ABOUT_A_TICKET))
