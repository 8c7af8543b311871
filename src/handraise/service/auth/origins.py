"""Requests that a browser sends with its cookies: only our own pages may make them do something."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from handraise.core.errors import NotPermitted

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def must_come_from_our_pages(connection: HTTPConnection) -> None:
    """Refuse a request that another site's page sent, or that does not say where it comes from."""
    if not is_same_origin(connection):
        raise NotPermitted(
            f"The request came from {connection.headers.get('origin') or 'an unknown page'}, not from our own pages.",
            fix="Programs use an API key or a session token in place of a cookie.",
        )


def must_be_json(connection: HTTPConnection) -> None:
    """Refuse a body that a plain form of another site could have sent."""
    kind = connection.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise NotPermitted(f"The body is {kind}, not JSON.", fix="Send it as application/json.")


def is_same_origin(connection: HTTPConnection) -> bool:
    """Return whether a page of ours sent the request. The scheme is left out: a proxy may have ended TLS."""
    # No page can forge this one; `Origin` is for browsers that do not send it, or not without TLS.
    if (site := connection.headers.get("sec-fetch-site")) is not None:
        return site == "same-origin"
    origin = connection.headers.get("origin", "")
    return urlsplit(origin).netloc.lower() == connection.headers.get("host", "").lower() != ""
