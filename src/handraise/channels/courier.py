"""The courier: reads the event log into the outbox, from which a carrier for each channel delivers.

What was read and what is to be told are written in one transaction, so that a crash neither loses a notice nor tells it
twice to the outbox. A delivery that a crash cut off is made again, under the same number.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from types import TracebackType
from typing import Self

import structlog

from handraise.channels.carrier import Carrier
from handraise.channels.channel import Channel
from handraise.channels.notices import Occasion, notice_of
from handraise.core.log.facts import Event
from handraise.store.following import LogFollower
from handraise.store.store import Store, Transaction

log = structlog.get_logger(__name__)

TIDY_EVERY = timedelta(hours=1)
GIVEN_UP = timedelta(days=1)
"""How long a notice waits for a channel that this process does not know: another one may, of another release."""


class Courier(LogFollower):
    """While it is entered, notices go out. Any number of processes may run one."""

    name = "courier"
    cursor = "channels"

    def __init__(
        self,
        store: Store,
        channels: Sequence[Channel],
        *,
        tell: Collection[Occasion],
        address: str,
        first_retry: timedelta = timedelta(seconds=2),
    ) -> None:
        super().__init__(store)
        self._carriers = {channel.name: Carrier(store, channel, first_retry=first_retry) for channel in channels}
        self._tell = tell
        self._address = address
        self._stack = AsyncExitStack()
        self._tidy_at = 0.0

    async def __aenter__(self) -> Self:
        if not self._carriers:
            return self
        # What happens from now on is told, also what happens before the first look.
        await self.begin_now()
        for carrier in self._carriers.values():
            await self._stack.enter_async_context(carrier)
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        await self._stack.aclose()

    async def _handle(self, tx: Transaction, events: Sequence[Event]) -> None:
        for event in events:
            notice = notice_of(event, tell=self._tell, address=self._address)
            if notice is not None:
                tx.wake("outbox")
                for name in self._carriers:
                    await tx.outbox.add(channel=name, seq=event.seq, notice=notice.model_dump(mode="json"))

    async def _round(self) -> timedelta:
        wait = await super()._round()
        if time.monotonic() >= self._tidy_at:
            self._tidy_at = time.monotonic() + TIDY_EVERY.total_seconds()
            await self._give_up_unknown()
        return wait

    async def _give_up_unknown(self) -> None:
        for channel in await self._store.write(lambda tx: tx.outbox.drop_unknown(self._carriers, older_than=GIVEN_UP)):
            log.warning("notices.given_up", channel=channel, why="nobody has served this channel for a day")
