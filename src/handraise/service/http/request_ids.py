"""An id for each HTTP request: in every log line about it, and in its answer, so that people can ask about it."""

from __future__ import annotations

import re
import uuid

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "x-request-id"
_OURS = re.compile(r"[\w.-]{1,64}")
_SESSION = re.compile(r"/sessions/([\w-]{1,64})")


class RequestIds:
    """Middleware that names every request; a proxy in front may have named it already."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if _OURS.fullmatch(given) else uuid.uuid4().hex
        about = {"http_request": request_id, "method": scope.get("method", "WS"), "path": scope["path"]}
        if found := _SESSION.search(scope["path"]):
            about["session_id"] = found.group(1)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        with structlog.contextvars.bound_contextvars(**about):
            await self._app(scope, receive, sending)
