"""Deadlines: rows in the database that a sweeper looks at, not timers in memory. Any process may keep them."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta

from handraise.core.requests import Request
from handraise.engine.desk.inbox import Inbox
from handraise.store.background import Background
from handraise.store.store import Store, Transaction

BATCH = 100
FORGET_EVERY = timedelta(hours=1)
STALLED = timedelta(seconds=60)
"""A sweeper that has not looked for so long hangs."""


class Deadlines(Background):
    """Expires requests whose time is up, and reminds of those whose time is nearly up."""

    name = "deadlines"
    # A new event may be a new request with a nearer deadline; one look for a burst of them is enough.
    gathering = timedelta(seconds=0.2)

    def __init__(self, store: Store, inbox: Inbox, *, at_least_every: timedelta) -> None:
        super().__init__(store)
        self._inbox = inbox
        # Another process may have opened a request with a nearer deadline, and the word of it may have got lost.
        self._longest_wait = at_least_every
        self._forget_after = 0.0
        self._looked = time.monotonic()

    @property
    def alive(self) -> bool:
        """Return whether deadlines are being kept."""
        late = time.monotonic() - self._looked > STALLED.total_seconds()
        return super().alive and not late

    async def sweep(self) -> timedelta:
        """Deal with what is due, and return how long it is until the next look."""
        left = await self._store.read_one(lambda tx: tx.requests.until_next_deadline())
        if left is None or left > timedelta():
            return min(left or self._longest_wait, self._longest_wait)
        to_remind, due = await self._store.read(_what_is_due)
        for request in to_remind:
            await self._inbox.remind(request.id)
        for request in due:
            await self._inbox.expire(request.id)
        return timedelta()

    async def _forget_old_keys(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._forget_after:
            self._forget_after = now + FORGET_EVERY.total_seconds()
            await self._store.write(lambda tx: tx.idempotency_keys.forget_old())

    async def _round(self) -> timedelta:
        self._looked = time.monotonic()
        wait = await self.sweep()
        await self._forget_old_keys()
        return wait


async def _what_is_due(tx: Transaction) -> tuple[list[Request], list[Request]]:
    return await tx.requests.to_remind(limit=BATCH), await tx.requests.due(limit=BATCH)
