"""Limits on what one client may take: requests a minute, and live connections at once. Counted in each process."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from handraise.core.errors import TooManyRequests

CLIENTS = 50_000
"""How many clients are remembered before those with nothing to hold against them are forgotten."""


class Rates:
    """A bucket for each client: it holds a minute's requests and fills up steadily."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, tuple[float, float, int]] = {}

    def take(self, client: str, *, per_minute: int) -> None:
        """Count a request, or refuse it and say when the next one is welcome."""
        now = self._clock()
        level, since, _ = self._buckets.get(client, (float(per_minute), now, per_minute))
        level = min(per_minute, level + (now - since) * per_minute / 60)
        if level < 1:
            wait = math.ceil((1 - level) * 60 / per_minute)
            raise TooManyRequests(
                f"More than {per_minute} requests a minute came from {client}.",
                fix=f"Wait {wait} s, then go on more slowly.",
                retry_after=wait,
            )
        self._buckets[client] = (level - 1, now, per_minute)
        if len(self._buckets) > CLIENTS:
            self._forget_the_idle(now)

    def _forget_the_idle(self, now: float) -> None:
        self._buckets = {
            client: (level, since, per_minute)
            for client, (level, since, per_minute) in self._buckets.items()
            if level + (now - since) * per_minute / 60 < per_minute
        }


class Connections:
    """How many streams and sockets each client holds open."""

    def __init__(self, *, at_most: int) -> None:
        self._at_most = at_most
        self._open: Counter[str] = Counter()

    @contextmanager
    def held(self, client: str) -> Iterator[None]:
        """Hold one connection for a client, or refuse when it has too many."""
        if self._open[client] >= self._at_most:
            raise TooManyRequests(
                f"{self._at_most} live connections of {client} are open, which is the most.",
                fix="Close one first.",
                retry_after=5,
            )
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]
