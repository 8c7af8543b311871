"""Who is asking, and whether the table lets them in. It runs before every route of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from fastapi.routing import APIRoute, APIWebSocketRoute
from fastapi.sse import EventSourceResponse
from starlette.requests import HTTPConnection
from starlette.responses import StreamingResponse

from handraise.core.errors import HandraiseError, NotFound, NotPermitted, NotSignedIn
from handraise.core.people import CredentialKind
from handraise.service.auth.cookies import SIGN_IN_COOKIE, session_secrets
from handraise.service.auth.identity import Identity, holder_of, nobody
from handraise.service.auth.oidc import Issuer
from handraise.service.auth.origins import SAFE, must_be_json, must_come_from_our_pages
from handraise.service.auth.permissions import OPENING, PERMISSIONS, Answer, Column, Row, row_of
from handraise.service.auth.rate_limits import Connections, Rates
from handraise.service.settings.settings import Settings
from handraise.store.store import Store


@dataclass(frozen=True)
class Target:
    """What a request is about: `kind` and `id` as the path says, and the session whose customer it belongs to."""

    kind: str = ""
    id: str = ""
    session_id: str | None = None


class Authentication:
    """Recognises people and programs, and lets them in or not."""

    def __init__(self, store: Store, settings: Settings, *, demo: bool, anonymous: bool) -> None:
        self.store = store
        self.settings = settings
        self.demo = demo
        self.anonymous = anonymous
        self.rates = Rates()
        self.connections = Connections(at_most=settings.limits.connections_per_client)
        self._may_scrape = settings.metrics_are_open
        self._issuer = Issuer(settings.oidc) if settings.oidc.issuer else None

    async def authorize(self, connection: HTTPConnection, row: Row, target: Target) -> Identity:
        """Return the identity that the row lets in, or raise what the asker gets in its place."""
        identity = await self._permitted(connection, row, target)
        if row.is_public:
            return identity
        is_socket = connection.scope["type"] == "websocket"
        if identity.by_cookie and (is_socket or connection.scope["method"] not in SAFE):
            must_come_from_our_pages(connection)
            if not is_socket:
                must_be_json(connection)
        elif is_socket and "origin" in connection.headers:
            must_come_from_our_pages(connection)
        return identity

    def count(self, identity: Identity) -> None:
        """Count a request against its sender's rate, or refuse it."""
        limits = self.settings.limits
        is_known = identity.is_person or identity.role == "service"
        per_minute = limits.requests_per_minute if is_known else limits.session_requests_per_minute
        self.rates.take(identity.client, per_minute=per_minute)

    def authorize_opening(self, connection: HTTPConnection, identity: Identity) -> None:
        """Let somebody open a session, or refuse.

        Every session has a rate of its own. So a customer's new one is counted against their address, as the first
        one was: else each session would pay for the next.
        """
        answer = self._answer(identity, PERMISSIONS[OPENING], Target())
        if answer != "yes":
            raise _refusal(answer, [identity], Target())
        if identity.role == "customer":
            self.count(_unknown(connection))

    async def _permitted(self, connection: HTTPConnection, row: Row, target: Target) -> Identity:
        unknown = _unknown(connection)
        try:
            candidates = await self._candidates(connection, target)
        except HandraiseError:
            if not row.is_public:
                raise
            candidates = []
        for identity in candidates:
            if self._answer(identity, row, target) == "yes":
                return identity
        if not candidates or candidates[0].by_cookie:
            answer = row.answers["nobody"]
            if answer == "yes" or (answer == "anon" and self.anonymous and not target.kind):
                return unknown
            if answer == "open" and self._may_scrape:
                return unknown
        raise _refusal(self._answer(candidates[0], row, target) if candidates else "401", candidates, target)

    async def _candidates(self, connection: HTTPConnection, target: Target) -> list[Identity]:
        """Return who the asker can prove to be. A header is meant; cookies are merely sent along."""
        if (secret := _header_secret(connection)) is not None:
            if self._issuer is not None and secret.count(".") == 2:
                return [await self._issuer.identity_of(secret)]
            identity = await self._holder(secret, "key", "session")
            if identity is None:
                raise NotSignedIn(
                    "The key or token is not valid: it is unknown, revoked or too old.",
                    fix="Use another one; `handraise keys add` makes a new key.",
                )
            return [identity]
        held = session_secrets(connection)
        own = held.get(target.session_id or "") or next(reversed(held.values()), None)
        cookies: list[tuple[str | None, CredentialKind]] = [
            (connection.cookies.get(SIGN_IN_COOKIE), "cookie"),
            (own, "session"),
        ]
        if target.kind:
            # An operator who tries the chat in the same browser is the customer there.
            cookies.reverse()
        return [
            identity
            for secret, kind in cookies
            if secret and (identity := await self._holder(secret, kind, by_cookie=True)) is not None
        ]

    async def _holder(self, secret: str, *kinds: CredentialKind, by_cookie: bool = False) -> Identity | None:
        credential = await self.store.read(lambda tx: tx.people.find(secret))
        if credential is None or credential.kind not in kinds:
            return None
        return holder_of(credential, by_cookie=by_cookie)

    def _answer(self, identity: Identity, row: Row, target: Target) -> Answer:
        column: Column
        match identity.role:
            case "customer":
                column = "own" if not target.kind or identity.session_id == target.session_id else "other"
            case "service":
                if not row.scopes & set(identity.scopes):
                    return "403"
                column = "service"
            case role:
                column = role
        answer = row.answers[column]
        return answer if answer != "anon" else "yes" if self.anonymous else "403"


def authentication_of(connection: HTTPConnection) -> Authentication:
    """Return the application's authentication."""
    authentication = connection.app.state.authentication
    if not isinstance(authentication, Authentication):
        raise TypeError("create_app puts Authentication here")
    return authentication


async def admit(connection: HTTPConnection) -> AsyncIterator[None]:
    """Let the asker in, or not, before the route runs; a live connection counts until it ends."""
    authentication = authentication_of(connection)
    identity = await authorize_now(connection)
    if not row_of(connection).is_public:
        authentication.count(identity)
    connection.state.identity = identity
    with authentication.connections.held(identity.client) if _is_live(connection) else nullcontext():
        yield


async def authorize_now(connection: HTTPConnection) -> Identity:
    """Return whom the route's row lets in at this moment, or raise what they get in its place."""
    authentication = authentication_of(connection)
    return await authentication.authorize(
        connection, row_of(connection), await _target(connection, authentication.store)
    )


async def admit_to_session(connection: HTTPConnection, session_id: str) -> Identity:
    """Apply the route's row to a session that only the body names, and return who is asking about it."""
    target = Target("session", session_id, session_id)
    identity = await authentication_of(connection).authorize(connection, row_of(connection), target)
    connection.state.identity = identity
    return identity


def admit_to_open(connection: HTTPConnection) -> None:
    """Apply the row of opening a session: a route that opens one calls this first."""
    authentication_of(connection).authorize_opening(connection, identity_of(connection))


def identity_of(connection: HTTPConnection) -> Identity:
    """Return who was let in."""
    identity = connection.state.identity
    if not isinstance(identity, Identity):
        raise TypeError("admit runs before every route")
    return identity


IdentityHere = Annotated[Identity, Depends(identity_of)]
AuthenticationHere = Annotated[Authentication, Depends(authentication_of)]


async def _target(connection: HTTPConnection, store: Store) -> Target:
    if (session_id := connection.path_params.get("session_id")) is not None:
        return Target("session", session_id, session_id)
    if (request_id := connection.path_params.get("request_id")) is not None:
        try:
            request = await store.read(lambda tx: tx.requests.get(request_id))
        except NotFound:
            return Target("request", request_id)
        return Target("request", request_id, request.session_id if request.audience == "customer" else None)
    return Target()


def _unknown(connection: HTTPConnection) -> Identity:
    return nobody(connection.client.host if connection.client else "an unknown address")


def _header_secret(connection: HTTPConnection) -> str | None:
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and secret.strip():
        return secret.strip()
    return connection.headers.get("x-api-key")


def _refusal(answer: Answer, candidates: list[Identity], target: Target) -> HandraiseError:
    if answer == "404":
        return NotFound(target.kind, target.id)
    if answer == "403":
        return NotPermitted(
            f"This is not for {candidates[0].role}s to do.", fix="Sign in as somebody who may, or use their key."
        )
    return NotSignedIn(
        "This needs you to prove who you are.",
        fix="Sign in, or send a session token or an API key as `Authorization: Bearer`.",
    )


def _is_live(connection: HTTPConnection) -> bool:
    route = connection.scope["route"]
    if isinstance(route, APIRoute):
        kind = route.response_class
        return isinstance(kind, type) and issubclass(kind, StreamingResponse | EventSourceResponse)
    return isinstance(route, APIWebSocketRoute)
