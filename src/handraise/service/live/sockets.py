"""WebSockets that only send: frames go out until the other end leaves, or the feed is cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.websockets import WebSocket, WebSocketDisconnect

from handraise.runtime.tasks import cancel_and_wait
from handraise.service.live.feed import Cut
from handraise.service.live.revocation import AccessRevoked

COME_BACK = 1012
"""The close code of a service that restarts: a client reconnects and reads on from its cursor."""

LET_OUT = 4401
"""The close code for somebody who signed out, was removed, or whose key was revoked: coming back is of no use."""


async def broadcast(socket: WebSocket, frames: AsyncIterator[str]) -> None:
    """Send every frame. What the client sends is read and dropped, so that its leaving is noticed."""
    await socket.accept()
    leaving = asyncio.create_task(_left(socket))
    sending = asyncio.create_task(_send(socket, frames))
    try:
        await asyncio.wait({leaving, sending}, return_when=asyncio.FIRST_COMPLETED)
        error = sending.exception() if sending.done() else None
        if isinstance(error, AccessRevoked):
            await socket.close(LET_OUT, "You are signed out, or your key is revoked; sign in, or use another key.")
        elif isinstance(error, Cut):
            await socket.close(COME_BACK, "The service stops, or this reader was too slow; come back.")
    finally:
        await cancel_and_wait(leaving, sending)


async def _send(socket: WebSocket, frames: AsyncIterator[str]) -> None:
    try:
        async for frame in frames:
            await socket.send_text(frame)
    except (WebSocketDisconnect, RuntimeError):
        return


async def _left(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
