"""Who may do what: every route in one table. A route that is not in it is refused when the service starts.

To add a route, add its row; the route itself declares nothing. The key is the method and the path as the route
spells it (`WS` for a WebSocket, `MOUNT` for a mounted folder). A row says what each asker gets, in this order:

    nobody     without valid credentials
    own        the customer of the session that the path names (`{session_id}`, or the one of its `{request_id}`)
    other      a customer of another session
    operator, lead, admin
    service    a program with an API key: the scopes that let it in, or `any`

    yes    let in                     401    asked to sign in
    anon   let in where settings      403    told that it is not theirs to do
           allow anonymous customers  404    not told that it exists
    open   let in where the setting
           `metrics` says so, else 401

A path without a session lets `own` in by any valid session token; a route that learns the session from its body
then calls `admit_to_session`, which applies the row again, and one that opens a session without one calls
`admit_to_open`, which applies the row of opening. `{request_id}` is the customer's own only when the request's
audience is the customer. Tests walk the table over real HTTP, so a new row needs no test of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self, get_args

from fastapi import FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute, iter_route_contexts
from starlette.requests import HTTPConnection
from starlette.routing import Mount

from handraise.core.errors import Misconfigured
from handraise.core.people import Scope

Answer = Literal["yes", "anon", "open", "401", "403", "404"]
Column = Literal["nobody", "own", "other", "operator", "lead", "admin", "service"]


@dataclass(frozen=True)
class Row:
    """What each asker gets from a route."""

    answers: Mapping[Column, Answer]
    scopes: frozenset[Scope]

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a row of the table."""
        *said, scopes = text.split()
        answers = [answer for word in said for answer in get_args(Answer) if answer == word]
        if len(said) != 6 or len(answers) != 6:
            raise ValueError(f"{text!r} is no row: write six answers and the scopes of a service")
        let_in = frozenset(scope for scope in get_args(Scope) if scopes == "any" or scope in scopes.split(","))
        if not let_in and scopes != "403":
            raise ValueError(f"{text!r} names no scope: choose from {get_args(Scope)}, or write 403")
        columns = dict(zip(get_args(Column), [*answers, "yes" if let_in else "403"], strict=True))
        return cls(columns, let_in)

    @property
    def is_public(self) -> bool:
        """Return whether everyone is let in, so that nothing needs to be proven."""
        return all(answer == "yes" for answer in self.answers.values())


EVERYONE = Row.of("              yes    yes yes   yes      yes  yes   any")
OPENING = "POST /api/v1/sessions"
PERMISSIONS: dict[str, Row] = {
    #                             nobody own other operator lead admin service
    "GET /healthz": EVERYONE,
    "GET /readyz": EVERYONE,
    "GET /openapi.json": EVERYONE,
    "GET /api/docs": EVERYONE,
    "GET /api/v1/info": EVERYONE,
    "MOUNT /assets": EVERYONE,
    "GET /{path:path}": EVERYONE,
    # Signing in
    "GET /sign-in": EVERYONE,
    "POST /sign-in": EVERYONE,
    "GET /sign-in/{secret}": EVERYONE,
    "GET /api/v1/me": EVERYONE,
    "POST /api/v1/sign-out": EVERYONE,
    # Sessions
    OPENING: Row.of("anon   anon anon yes      yes  yes   chat"),
    "GET /api/v1/sessions/{session_id}": Row.of("401    yes 404   yes      yes  yes   chat,inbox"),
    "POST /api/v1/sessions/{session_id}/messages": Row.of("401    yes 404   403      403  403   chat"),
    "GET /api/v1/sessions/{session_id}/events": Row.of("401    yes 404   yes      yes  yes   chat,inbox"),
    "GET /api/v1/sessions": Row.of("401    403 403   yes      yes  yes   inbox"),
    "POST /api/v1/sessions/{session_id}/stop": Row.of("401    yes 404   yes      yes  yes   chat,inbox"),
    "POST /api/v1/sessions/{session_id}/close": Row.of("401    yes 404   yes      yes  yes   chat,inbox"),
    "POST /api/v1/sessions/{session_id}/takeover": Row.of("401    403 404   yes      yes  yes   inbox"),
    "POST /api/v1/sessions/{session_id}/say": Row.of("401    403 404   yes      yes  yes   inbox"),
    "POST /api/v1/sessions/{session_id}/handback": Row.of("401    403 404   yes      yes  yes   inbox"),
    # The inbox
    "GET /api/v1/requests": Row.of("401    403 403   yes      yes  yes   inbox"),
    "GET /api/v1/requests/{request_id}": Row.of("401    yes 404   yes      yes  yes   inbox"),
    "POST /api/v1/requests/{request_id}/claim": Row.of("401    403 404   yes      yes  yes   inbox"),
    "POST /api/v1/requests/{request_id}/release": Row.of("401    403 404   yes      yes  yes   inbox"),
    "POST /api/v1/requests/{request_id}/decision": Row.of("401    yes 404   yes      yes  yes   inbox"),
    "POST /api/v1/requests/{request_id}/settle": Row.of("401    403 404   yes      yes  yes   inbox"),
    "GET /api/v1/requests/{request_id}/similar": Row.of("401    403 404   yes      yes  yes   inbox"),
    "POST /api/v1/requests/{request_id}/decision-for-all": Row.of("401    403 404   yes      yes  yes   inbox"),
    "GET /api/v1/live": Row.of("401    403 403   yes      yes  yes   inbox"),
    "WS /api/v1/live/ws": Row.of("401    403 403   yes      yes  yes   inbox"),
    "GET /api/v1/tickets": Row.of("401    403 403   yes      yes  yes   inbox"),
    "GET /api/v1/tickets/{number}": Row.of("401    403 403   yes      yes  yes   inbox"),
    "POST /api/v1/tickets/{number}/answer": Row.of("401    403 403   yes      yes  yes   inbox"),
    # The knowledge base
    "GET /api/v1/knowledge": Row.of("401    403 403   yes      yes  yes   inbox"),
    "GET /api/v1/knowledge/search": Row.of("401    403 403   yes      yes  yes   inbox"),
    "POST /api/v1/knowledge": Row.of("401    403 403   yes      yes  yes   inbox"),
    "GET /api/v1/knowledge/{entry_id}": Row.of("401    403 403   yes      yes  yes   inbox"),
    "GET /api/v1/knowledge/{entry_id}/history": Row.of("401    403 403   yes      yes  yes   inbox"),
    "GET /api/v1/knowledge/{entry_id}/similar": Row.of("401    403 403   yes      yes  yes   inbox"),
    "PATCH /api/v1/knowledge/{entry_id}": Row.of("401    403 403   yes      yes  yes   inbox"),
    "POST /api/v1/knowledge/{entry_id}/publish": Row.of("401    403 403   yes      yes  yes   inbox"),
    "POST /api/v1/knowledge/{entry_id}/merge": Row.of("401    403 403   yes      yes  yes   inbox"),
    "POST /api/v1/knowledge/{entry_id}/retire": Row.of("401    403 403   yes      yes  yes   inbox"),
    # The chat routes: the customer's own; who else holds the session's thread_id is not its customer
    "POST /chat": Row.of("anon   yes 404   403      403  403   chat"),
    "POST /continue_thread": Row.of("401    yes 404   yes      yes  yes   chat"),
    "GET /api/v1/sessions/{session_id}/chat": Row.of("401    yes 404   yes      yes  yes   chat,inbox"),
    # The help-desk routes: an operator's; the customer never sees what was asked backstage
    "GET /human-agent/pending-requests": Row.of("401    403 403   yes      yes  yes   inbox"),
    "WS /human-agent/ws": Row.of("401    403 403   yes      yes  yes   inbox"),
    "GET /sessions/{session_id}": Row.of("401    403 404   yes      yes  yes   inbox"),
    "GET /sessions/{session_id}/pending-request": Row.of("401    403 404   yes      yes  yes   inbox"),
    "POST /sessions/{session_id}/human-response": Row.of("401    403 404   yes      yes  yes   inbox"),
    # Insights: a lead sees everybody's, an operator their own
    "GET /metrics": Row.of("open   403 403   yes      yes  yes   insights"),
    "GET /api/v1/insights": Row.of("401    403 403   403      yes  yes   insights"),
    "GET /api/v1/insights.csv": Row.of("401    403 403   403      yes  yes   insights"),
    "GET /api/v1/insights/mine": Row.of("401    403 403   yes      yes  yes   403"),
    # People
    "GET /api/v1/operators": Row.of("401    403 403   403      yes  yes   people"),
    "GET /api/v1/keys": Row.of("401    403 403   403      403  yes   people"),
    # The audit trail
    "GET /api/v1/audit": Row.of("401    403 403   403      yes  yes   insights"),
    "GET /api/v1/audit/seal": Row.of("401    403 403   403      yes  yes   insights"),
    "GET /api/v1/audit/export": Row.of("401    403 403   403      yes  yes   insights"),
    "DELETE /api/v1/keys/{key_id}": Row.of("401    403 403   403      403  yes   people"),
}


def row_of(connection: HTTPConnection) -> Row:
    """Return the row of the route that a request reached."""
    return PERMISSIONS[_key(_method(connection), connection.scope["route"].path)]


def check_permissions(app: FastAPI) -> None:
    """Refuse to serve a route that the table does not have, or one whose row could not be enforced."""
    for key, guarded in _routes(app):
        row = PERMISSIONS.get(key)
        if row is None:
            raise Misconfigured(f"The route {key} is in no row of the permissions.", fix="Add it to permissions.py.")
        if not guarded and not row.is_public:
            raise Misconfigured(f"The route {key} cannot be guarded.", fix="Make it a route of the API, or public.")


def _routes(app: FastAPI) -> Iterable[tuple[str, bool]]:
    for context in iter_route_contexts(app.routes):
        route = context.original_route
        if isinstance(route, APIWebSocketRoute):
            yield _key("WS", route.path), True
        elif isinstance(route, Mount):
            yield _key("MOUNT", route.path), False
        else:
            for method in (context.methods or set()) - {"HEAD", "OPTIONS"}:
                yield _key(method, context.path or ""), isinstance(route, APIRoute)


def _method(connection: HTTPConnection) -> str:
    if connection.scope["type"] == "websocket":
        return "WS"
    # HEAD asks for what GET would say, so it gets what GET gets.
    return str(connection.scope["method"]).replace("HEAD", "GET")


def _key(method: str, path: str) -> str:
    return f"{method} {path}"
