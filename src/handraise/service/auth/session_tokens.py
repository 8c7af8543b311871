"""Session tokens: what a customer proves to be the customer with."""

from __future__ import annotations

from datetime import timedelta

from fastapi import Request, Response

from handraise.core.sessions import Session
from handraise.service.auth.authentication import Authentication, identity_of
from handraise.service.auth.cookies import set_session_cookie
from handraise.store.tables.people import new_secret


async def give_token(session: Session, authentication: Authentication, request: Request, response: Response) -> str:
    """Return a new token for a session; a browser gets it as a cookie too."""
    token = new_secret("session")
    lifetime = timedelta(days=authentication.settings.session_days)
    await authentication.store.write(
        lambda tx: tx.people.issue("session", session_id=session.id, lifetime=lifetime, secret=token)
    )
    identity = identity_of(request)
    if identity.by_cookie or identity.role == "nobody":
        set_session_cookie(response, request, session_id=session.id, secret=token, lifetime=lifetime)
    return token
