"""Security headers: on every answer, whatever made it."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS = {
    # Not "no-referrer": with it, browsers hide the origin of our own forms from us.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
PAGE_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)


class SecurityHeaders:
    """Middleware that adds what an answer does not say itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                add_headers(MutableHeaders(scope=message), scope)
            await send(message)

        await self._app(scope, receive, sending)


def add_headers(headers: MutableHeaders, scope: Scope) -> None:
    """Add the security headers that are not there."""
    path = scope["path"]
    is_page = headers.get("content-type", "").startswith("text/html")
    wanted = dict(ALWAYS)
    wanted["Content-Security-Policy"] = PAGE_POLICY if is_page else DATA_POLICY
    # The names of built files change with their content; everything else may be somebody's own.
    wanted["Cache-Control"] = "public, max-age=31536000, immutable" if path.startswith("/assets/") else "no-store"
    if scope["scheme"] in {"https", "wss"}:
        wanted["Strict-Transport-Security"] = "max-age=31536000"
    for name, value in wanted.items():
        headers.setdefault(name, value)
