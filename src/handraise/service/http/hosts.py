"""The names under which this service is reached: a request for any other is refused, with a problem document."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handraise.service.http.problems import problem


class KnownHosts:
    """Middleware that lets in requests for one of `hosts`. Starlette decides; only its refusal is put in our words.

    A page on another site that resolves its own name to our address must not reach this service.
    """

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answered: list[Message] = []

        async def keep(message: Message) -> None:
            answered.append(message)

        async def pass_on(scope: Scope, receive: Receive, _: Send) -> None:
            await self._app(scope, receive, send)

        await TrustedHostMiddleware(pass_on, allowed_hosts=self._hosts)(scope, receive, keep)
        if answered and answered[0]["status"] == HTTPStatus.BAD_REQUEST:
            refusal = problem(
                HTTPStatus.BAD_REQUEST,
                code="unknown_host",
                what=f"This service is not known as {Headers(scope=scope).get('host', '')!r}.",
                fix="Use a name that it is known by, or add this one to the setting `hosts`.",
            )
            await refusal(scope, receive, send)
            return
        for message in answered:
            await send(message)
