"""Revocation: a live feed ends when its reader signs out, is removed, or their key is revoked."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from handraise.core.errors import HandraiseError, NotFound, NotPermitted, NotSignedIn
from handraise.service.auth.authentication import authorize_now, identity_of
from handraise.service.live.feed import Check, Cut


class AccessRevoked(Cut):
    """The reader of this feed was authorized when it began, and would not be now."""


def access_check(connection: HTTPConnection) -> Check | None:
    """Return a check that an operator or a program is still authorized. A customer's token is never revoked."""
    identity = identity_of(connection)
    if identity.role in {"customer", "nobody"}:
        return None

    async def check() -> None:
        try:
            now = await authorize_now(connection)
        except (NotSignedIn, NotPermitted, NotFound):
            raise AccessRevoked from None
        except HandraiseError:
            # Nobody can say at the moment. Whoever comes back is asked again.
            raise Cut from None
        if now != identity:
            raise AccessRevoked

    return check


AccessCheckHere = Annotated[Check | None, Depends(access_check)]
