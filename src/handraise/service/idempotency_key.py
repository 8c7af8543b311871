"""`Idempotency-Key`: a client that is not sure whether its call arrived sends it again, and gets the same answer."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import Depends, Header, Request

from handraise.service.auth.authentication import IdentityHere
from handraise.store.tables.idempotency import IdempotentCall


async def idempotent_call(
    request: Request,
    identity: IdentityHere,
    idempotency_key: Annotated[
        str | None,
        Header(
            min_length=1,
            max_length=200,
            pattern=r"^[\x21-\x7e]+$",
            description="Any text of your own. The same key with the same body is answered the same, for 24 hours.",
        ),
    ] = None,
) -> IdempotentCall | None:
    """Return the call's key, which is the sender's own, with a digest of what the call asks."""
    if idempotency_key is None:
        return None
    asked = hashlib.sha256(f"{request.method} {request.url.path}\n".encode() + await request.body())
    return IdempotentCall(owner=identity.client, key=idempotency_key, digest=asked.hexdigest())


IdempotentCallHere = Annotated[IdempotentCall | None, Depends(idempotent_call)]
