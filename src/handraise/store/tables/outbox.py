"""The outbox: what is to be told outside the console."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from handraise.store.connection import Connection, to_json


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One notice for one channel. Its number stays the same however often it is tried."""

    number: int
    channel: str
    notice: dict[str, Any]
    attempts: int


class Outbox:
    """Rows are added in the transaction that moves the cursor of the log, and removed once they were delivered."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def add(self, *, channel: str, seq: int, notice: dict[str, Any]) -> None:
        """Add a notice about event `seq`, once for each channel."""
        await self._connection.run(
            "INSERT INTO outbox (channel, seq, notice, attempts, not_before) "
            "VALUES (:channel, :seq, :notice, 0, now_us()) ON CONFLICT DO NOTHING",
            {"channel": channel, "seq": seq, "notice": to_json(notice)},
        )

    async def take(self, channel: str, *, lease: timedelta) -> Delivery | None:
        """Take a channel's delivery that has been due longest; if it is not ended within `lease` it is due again."""
        row = await self._connection.one(
            "UPDATE outbox SET attempts = attempts + 1, not_before = now_us() + :lease WHERE number = ("
            "SELECT candidate.number FROM outbox AS candidate "
            "WHERE candidate.channel = :channel AND candidate.not_before <= now_us() "
            "ORDER BY candidate.not_before LIMIT 1 /*skip locked*/) RETURNING number, channel, notice, attempts",
            {"channel": channel, "lease": lease // timedelta(microseconds=1)},
        )
        if row is None:
            return None
        return Delivery(number=int(row[0]), channel=str(row[1]), notice=json.loads(row[2]), attempts=int(row[3]))

    async def end(self, delivery: Delivery) -> None:
        """Remove what was delivered, or given up."""
        await self._connection.run("DELETE FROM outbox WHERE number = :number", {"number": delivery.number})

    async def postpone(self, delivery: Delivery, *, by: timedelta) -> None:
        """Try again later."""
        await self._connection.run(
            "UPDATE outbox SET not_before = now_us() + :by WHERE number = :number",
            {"number": delivery.number, "by": by // timedelta(microseconds=1)},
        )

    async def drop_unknown(self, channels: Collection[str], *, older_than: timedelta) -> list[str]:
        """Remove what waits for channels that nobody has served for so long, and return their names."""
        names = {f"channel_{number}": name for number, name in enumerate(channels)}
        listed = ", ".join(f":{key}" for key in names)
        rows = await self._connection.all(
            f"DELETE FROM outbox WHERE channel NOT IN ({listed}) AND not_before < now_us() - :age RETURNING channel",
            {**names, "age": older_than // timedelta(microseconds=1)},
        )
        return sorted({str(row[0]) for row in rows})

    async def until_due(self, channel: str) -> timedelta | None:
        """Return how long it is until a channel's next delivery is due, or None when there is none."""
        row = await self._connection.one(
            "SELECT MIN(not_before) - now_us() FROM outbox WHERE channel = :channel", {"channel": channel}
        )
        return None if row is None or row[0] is None else timedelta(microseconds=max(0, int(row[0])))
