"""Cookies: one for a signed-in operator, one for each session that a customer has open in this browser."""

from __future__ import annotations

from datetime import timedelta

from starlette.requests import HTTPConnection
from starlette.responses import Response

SIGN_IN_COOKIE = "handraise_sign_in"
SESSION_COOKIE = "handraise_session_"
KEPT = 20
"""How many sessions a browser keeps; a browser sends its oldest cookies first, so the first ones go."""


def session_secrets(connection: HTTPConnection) -> dict[str, str]:
    """Return the tokens that a browser holds, by session."""
    return {
        name.removeprefix(SESSION_COOKIE): value
        for name, value in connection.cookies.items()
        if name.startswith(SESSION_COOKIE) and value
    }


def set_session_cookie(
    response: Response, connection: HTTPConnection, *, session_id: str, secret: str, lifetime: timedelta
) -> None:
    """Give the browser a session's token, and take the oldest ones away when it holds many."""
    for old in list(session_secrets(connection))[: -KEPT + 1]:
        response.delete_cookie(SESSION_COOKIE + old, path="/")
    _set(response, connection, SESSION_COOKIE + session_id, secret, lifetime)


def set_sign_in_cookie(response: Response, connection: HTTPConnection, *, secret: str, lifetime: timedelta) -> None:
    """Sign the browser in."""
    _set(response, connection, SIGN_IN_COOKIE, secret, lifetime)


def _set(response: Response, connection: HTTPConnection, name: str, secret: str, lifetime: timedelta) -> None:
    response.set_cookie(
        name,
        secret,
        max_age=int(lifetime.total_seconds()),
        path="/",
        httponly=True,
        # Not strict: a sign-in link that was followed from a message must reach the console signed in.
        samesite="lax",
        secure=connection.url.scheme in {"https", "wss"},
    )
