"""Retention: sessions in which nothing has happened for some days are forgotten by themselves."""

from __future__ import annotations

from datetime import timedelta
from typing import Self

from handraise.audit.forgetting import forget
from handraise.core.actors import CLOCK
from handraise.core.errors import Conflict
from handraise.store.background import Background
from handraise.store.store import Store

BATCH = 100
EVERY = timedelta(hours=1)


class Retention(Background):
    """With 0 days it does nothing. Any process may run it."""

    name = "retention"
    gathering = EVERY

    def __init__(self, store: Store, *, days: int) -> None:
        super().__init__(store)
        self._age = timedelta(days=days)

    async def __aenter__(self) -> Self:
        return await super().__aenter__() if self._age else self

    async def _round(self) -> timedelta:
        await forget_old(self._store, older_than=self._age)
        return EVERY


async def forget_old(store: Store, *, older_than: timedelta) -> int:
    """Forget every session that is old enough, and return how many that were."""
    count = 0
    while old := await store.read(lambda tx: tx.forgetting.old(older_than=older_than, limit=BATCH)):
        for session_id in old:
            try:
                await forget(store, session_id, by=CLOCK, reason="retention")
            except Conflict:
                return count  # somebody woke it up just now; the next time will tell
            count += 1
    return count
