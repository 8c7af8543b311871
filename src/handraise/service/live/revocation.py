"""Staying in: who follows a live feed is let out when they sign out, are removed, or their key is revoked."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from handraise.core.errors import HandraiseError, NotFound, NotPermitted, NotSignedIn
from handraise.service.auth.authentication import identity_of, let_in_now
from handraise.service.live.feed import Check, Cut


class LetOut(Cut):
    """Whoever follows this feed was let in once, and would not be let in now."""


def staying(connection: HTTPConnection) -> Check | None:
    """Return what makes sure that an operator or a program would still be let in. A customer's token is not revoked."""
    identity = identity_of(connection)
    if identity.role in {"customer", "nobody"}:
        return None

    async def check() -> None:
        try:
            now = await let_in_now(connection)
        except (NotSignedIn, NotPermitted, NotFound):
            raise LetOut from None
        except HandraiseError:
            # Nobody can say at the moment. Whoever comes back is asked again.
            raise Cut from None
        if now != identity:
            raise LetOut

    return check


StillHere = Annotated[Check | None, Depends(staying)]
