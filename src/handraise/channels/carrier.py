"""The carrier: delivers what waits for one channel until it arrived. A channel that hangs holds up no other."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import structlog

from handraise.channels.channel import Channel, NotDelivered
from handraise.channels.notices import Notice
from handraise.store.background import Background
from handraise.store.store import Store
from handraise.store.tables.outbox import Delivery

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=60)
PATIENCE = LEASE / 2
"""How long one delivery may take: long before another process may try the same."""

ATTEMPTS = 12
LONGEST_WAIT = timedelta(seconds=5)
AT_ONCE = 8


class Carrier(Background):
    """While it is entered, the notices for its channel go out. Any number of processes may run one for each."""

    name = "carrier"
    topic = "outbox"

    def __init__(self, store: Store, channel: Channel, *, first_retry: timedelta) -> None:
        super().__init__(store)
        self._channel = channel
        self._first_retry = first_retry

    async def _round(self) -> timedelta:
        """Deliver several at a time, and let each come to its end before the first failure is told."""
        carrying = (self._deliver_all() for _ in range(AT_ONCE))
        for failure in await asyncio.gather(*carrying, return_exceptions=True):
            if failure is not None:
                raise failure
        return until_next_look(await self._store.read(lambda tx: tx.outbox.until_due(self._channel.name)))

    async def _deliver_all(self) -> None:
        while await self._deliver_next():
            pass

    async def _deliver_next(self) -> bool:
        """Deliver what is due longest. Return False when nothing is due."""
        delivery = await self._store.write(lambda tx: tx.outbox.take(self._channel.name, lease=LEASE))
        if delivery is None:
            return False
        try:
            await self._deliver(delivery)
        except NotDelivered as error:
            await self._give_back(delivery, error)
        else:
            await self._store.write(lambda tx: tx.outbox.end(delivery))
        return True

    async def _deliver(self, delivery: Delivery) -> None:
        try:
            async with asyncio.timeout(PATIENCE.total_seconds()):
                await self._channel.deliver(Notice.model_validate(delivery.notice), number=delivery.number)
        except TimeoutError:
            raise NotDelivered(f"no answer within {PATIENCE.total_seconds():.0f} seconds", final=False) from None
        except NotDelivered:
            raise
        except Exception as error:
            # A channel that is broken in its own way must not keep the next notice from being told.
            raise NotDelivered(f"{type(error).__name__}: {error}", final=False) from error

    async def _give_back(self, delivery: Delivery, error: NotDelivered) -> None:
        final = error.final or delivery.attempts >= ATTEMPTS
        log.warning(
            "notice.not_delivered", channel=delivery.channel, number=delivery.number, final=final, why=f"{error}"
        )
        if final:
            await self._store.write(lambda tx: tx.outbox.end(delivery))
        else:
            wait = min(self._first_retry * 2 ** (delivery.attempts - 1), timedelta(hours=1))
            await self._store.write(lambda tx: tx.outbox.postpone(delivery, by=wait))


def until_next_look(due: timedelta | None) -> timedelta:
    """Return how long to sleep when the next delivery is due in `due`; zero is now, not never."""
    return LONGEST_WAIT if due is None else min(due, LONGEST_WAIT)
