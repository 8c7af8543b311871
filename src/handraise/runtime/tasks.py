"""Cancelling tasks, and waiting until they have really ended."""

from __future__ import annotations

import asyncio
from typing import Any

AGAIN = 1.0
"""Seconds after which a task that still runs is cancelled once more."""


async def cancel_and_wait(*tasks: asyncio.Future[Any], within: float | None = None) -> list[asyncio.Future[Any]]:
    """Cancel tasks, and again, until every one has ended; return those that did not `within` so many seconds.

    Once may not be enough: up to Python 3.11 `asyncio.wait_for`, which psycopg waits with, swallows a cancellation
    that comes together with what it waits for, and the loop that waited would go on forever.
    """
    running = {task for task in tasks if not task.done()}
    patience = None if within is None else asyncio.get_running_loop().time() + within
    while running and (patience is None or asyncio.get_running_loop().time() < patience):
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=AGAIN)
    for task in tasks:
        if task.done() and not task.cancelled():
            task.exception()  # read, or asyncio would log that nobody did
    return [*running]
