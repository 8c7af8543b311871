"""Idempotency keys: what a call was answered under its key, so that the same call gets the same answer again.

The table is called `replies`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from handraise.core.errors import InvalidInput
from handraise.store.connection import Connection

KEPT = timedelta(hours=24)
"""How long a key is kept; the same call after that is a new one."""


@dataclass(frozen=True, kw_only=True)
class IdempotentCall:
    """A call that may come twice: who makes it, under which key, and the digest of what it asks."""

    owner: str
    key: str
    digest: str


class IdempotencyKeys:
    """One row for each key. It is written with what the call changed, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def reserve(self, call: IdempotentCall) -> str | None:
        """Return what this call was answered before, or None and keep every other call with its key waiting."""
        params = {"owner": call.owner, "key": call.key, "digest": call.digest}
        changed = await self._connection.run(
            "INSERT INTO replies (owner, key, digest, answer, created_at) "
            "VALUES (:owner, :key, :digest, '', now_us()) ON CONFLICT DO NOTHING",
            params,
        )
        if changed == 1:
            return None
        row = await self._connection.one(
            "SELECT digest, answer FROM replies WHERE owner = :owner AND key = :key", params
        )
        if row is None or row[0] != call.digest:
            raise InvalidInput(
                f"The idempotency key {call.key!r} was used for another call.",
                fix="Use a new key for each call, and the same one only to repeat it.",
            )
        return str(row[1])

    async def keep(self, call: IdempotentCall, answer: str) -> None:
        """Keep the answer to a call that was reserved in this transaction."""
        await self._connection.run(
            "UPDATE replies SET answer = :answer WHERE owner = :owner AND key = :key",
            {"owner": call.owner, "key": call.key, "answer": answer},
        )

    async def forget_old(self) -> int:
        """Delete keys that are older than they are kept, and return how many."""
        return await self._connection.run(
            "DELETE FROM replies WHERE created_at < now_us() - :kept", {"kept": KEPT // timedelta(microseconds=1)}
        )
