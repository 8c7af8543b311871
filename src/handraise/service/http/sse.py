"""Server-sent events in answer to a POST, which FastAPI's own support ties to one kind of answer for each route."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from pydantic import BaseModel

from handraise.runtime.tasks import cancel_and_wait

HEARTBEAT = 15.0
"""Seconds without a message after which a comment is sent, so that nobody in between closes the connection."""


async def encode_frames(frames: AsyncIterator[tuple[object, BaseModel]]) -> AsyncIterator[bytes]:
    """Yield every message with its id, and a heartbeat when there is none for a while."""
    coming: asyncio.Task[tuple[object, BaseModel]] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(frames))
            finished, _ = await asyncio.wait({coming}, timeout=HEARTBEAT)
            if not finished:
                yield b": heartbeat\n\n"
                continue
            try:
                place, frame = coming.result()
            except StopAsyncIteration:
                return
            coming = None
            yield f"id: {place}\ndata: {frame.model_dump_json()}\n\n".encode()
    finally:
        if coming is not None:
            await cancel_and_wait(coming)
