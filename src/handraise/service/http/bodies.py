"""Request bodies: read whole before anything else happens, up to a limit."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handraise.service.http.problems import problem


class LimitBodies:
    """Middleware that answers 413 to a body that is too large, whether it was announced or not."""

    def __init__(self, app: ASGIApp, *, at_most: int) -> None:
        self._app = app
        self._at_most = at_most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "0")
        if announced.isdecimal() and int(announced) > self._at_most:
            await self._refuse(scope, receive, send)
            return
        messages: list[Message] = []
        size = 0
        more = True
        while more:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            more = message["type"] == "http.request" and message.get("more_body", False)
            if size > self._at_most:
                await self._refuse(scope, receive, send)
                return

        async def again() -> Message:
            return messages.pop(0) if messages else await receive()

        await self._app(scope, again, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = problem(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            code="too_large",
            what=f"The body has more than {self._at_most} bytes.",
            fix="Send less at once.",
            headers={"Connection": "close"},
        )
        await answer(scope, receive, send)
