"""`Idempotency-Key`: a client that is not sure whether its call arrived sends it again, and gets the same answer."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import Depends, Header, Request

from handraise.service.auth.authentication import IdentityHere
from handraise.store.tables.idempotency import Repeatable


async def repeatable(
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
) -> Repeatable | None:
    """Return the call's key, which is the sender's own, with a digest of what the call asks."""
    if idempotency_key is None:
        return None
    asked = hashlib.sha256(f"{request.method} {request.url.path}\n".encode() + await request.body())
    return Repeatable(owner=identity.client, key=idempotency_key, digest=asked.hexdigest())


CallHere = Annotated[Repeatable | None, Depends(repeatable)]
