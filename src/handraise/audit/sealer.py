"""The sealer: binds what happened in all sessions into one chain, every few seconds. Any process may do it."""

from __future__ import annotations

from datetime import timedelta

import structlog

from handraise.core.log.chain import Seal
from handraise.store.background import Background
from handraise.store.store import Store

log = structlog.get_logger(__name__)

AT_MOST = 10_000
"""How many events one seal covers."""

EVERY = timedelta(seconds=10)


async def seal_all(store: Store) -> Seal | None:
    """Seal everything that happened up to now, and return the newest seal."""
    head = await store.read(lambda tx: tx.events.head())
    while (sealed := await store.read(lambda tx: tx.seals.sealed_up_to())) < head:
        made = await store.write(lambda tx: tx.seals.seal(at_most=AT_MOST))
        if made is None and await store.read(lambda tx: tx.seals.sealed_up_to()) == sealed:
            # Nobody else was first: what was counted is not there.
            log.error("audit.events_missing", sealed=sealed, counted=head, fix="Run: handraise audit verify")
            break
    return await store.read(lambda tx: tx.seals.last())


class Sealer(Background):
    """While it is entered, what happens is sealed."""

    name = "sealer"

    def __init__(self, store: Store, *, every: timedelta = EVERY) -> None:
        super().__init__(store)
        self.gathering = every

    async def _round(self) -> None:
        await seal_all(self._store)
