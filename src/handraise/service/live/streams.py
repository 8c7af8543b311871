"""Cutting streams: a reader that must come back gets an aborted socket, not a clean end that it might believe.

A reader that takes nothing for a while is cut off too: waiting for it would keep what it has not read forever. So is
one whose stream has lasted long, so that somebody whose sign-in or token ran out does not stay in for good.
"""

from __future__ import annotations

import asyncio
import logging
import time

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handraise.service.live.feed import Cut

_INCOMPLETE = "ASGI callable returned without completing response."


class CutStreams:
    """Middleware that lets a cut stream break off in the middle; the server then drops the connection."""

    def __init__(self, app: ASGIApp, *, stall_seconds: float, stream_seconds: float) -> None:
        self._app = app
        self._stall_seconds = stall_seconds
        self._stream_seconds = stream_seconds
        logging.getLogger("uvicorn.error").addFilter(_not_about_cutting)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_stream = scope["type"] == "websocket"
        ends = time.monotonic() + self._stream_seconds
        end: Message | None = None

        async def sending(message: Message) -> None:
            nonlocal is_stream, end
            if message["type"] == "http.response.start":
                is_stream = Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream")
            if is_stream and time.monotonic() > ends:
                raise Cut
            if is_stream and message["type"] == "http.response.body" and not message.get("more_body"):
                # Also what was cut seems to end, until the cut comes up from beneath; only then is it known which.
                end = message
                return
            try:
                async with asyncio.timeout(self._stall_seconds if is_stream else None):
                    await send(message)
            except TimeoutError:
                raise Cut from None

        try:
            await self._app(scope, receive, sending)
            if end is not None:
                await send(end)
        except* Cut:
            pass


def _not_about_cutting(record: logging.LogRecord) -> bool:
    return _INCOMPLETE not in record.getMessage()
