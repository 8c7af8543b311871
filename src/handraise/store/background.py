"""Work in the background: one round after another in a task of its own, for as long as it is entered."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from datetime import timedelta
from types import TracebackType
from typing import ClassVar, Self

import structlog

from handraise.core.errors import HandraiseError
from handraise.runtime.tasks import cancel_and_wait
from handraise.runtime.tracebacks import format_traceback
from handraise.store.store import Store, Watch

log = structlog.get_logger(__name__)

AFTER_A_FAILURE = timedelta(seconds=5)
SHORTEST = timedelta(milliseconds=10)


class Background(ABC):
    """Use it as a context manager. No error ends it, whatever it was: the next round may do better."""

    name: ClassVar[str]

    topic: ClassVar[str] = "events"
    """What wakes it before its time."""

    gathering: timedelta = timedelta()
    """How long events gather after a round, so that one round serves a burst of them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._until_closed(), name=f"handraise-{self.name}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            await cancel_and_wait(self._task)

    @property
    def alive(self) -> bool:
        """Return whether rounds are being made."""
        return self._task is not None and not self._task.done()

    @abstractmethod
    async def _round(self) -> timedelta | None:
        """Do what there is to do. Return when to look again, or None when that is not before something happens."""

    async def _until_closed(self) -> None:
        with self._store.watch(self.topic) as watch:
            while True:
                try:
                    wait = await self._round()
                except HandraiseError as error:
                    log.warning(f"{self.name}.waits", error=str(error))
                    wait = AFTER_A_FAILURE
                except Exception as error:
                    log.exception(f"{self.name}.failed", exc_info=False, exception=format_traceback(error))
                    wait = AFTER_A_FAILURE
                await self._rest(watch, wait)

    async def _rest(self, watch: Watch, wait: timedelta | None) -> None:
        gathering = self.gathering if wait is None else min(wait, self.gathering)
        await asyncio.sleep(gathering.total_seconds())
        await watch.wait(at_most=None if wait is None else max(wait - gathering, SHORTEST).total_seconds())
