"""Heartbeats: a sign of life in the silence, so that a reader can tell a quiet stream from a dead one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

from handraise.runtime.tasks import cancel_and_wait

T = TypeVar("T")


async def with_heartbeats(items: AsyncGenerator[T, None], *, every: float) -> AsyncGenerator[T | None, None]:
    """Yield what an endless stream yields, and None each time that nothing came for `every` seconds."""
    # A task of its own: a timeout around the next item would cancel the stream itself.
    coming = asyncio.ensure_future(anext(items))
    try:
        while True:
            await asyncio.wait({coming}, timeout=every)
            if not coming.done():
                yield None
                continue
            yield coming.result()
            coming = asyncio.ensure_future(anext(items))
    finally:
        await cancel_and_wait(coming)
        await items.aclose()
