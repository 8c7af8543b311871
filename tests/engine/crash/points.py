"""Points at which a process can die, found by instrumentation: every commit, every checkpoint, every edge of a tool.

A process that is told `at=n` sends itself a signal when it comes to its n-th point, or to the first of that name; a
dry run only counts them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from handraise.store.drivers.sqlite import SqliteDriver
from handraise.store.store import Store


class Points:
    """Counts the points that a process passes, and ends or freezes it at one of them."""

    def __init__(self, *, at: int | str | None, sent: int = signal.SIGKILL, trace: Path | None = None) -> None:
        self._at = at
        self._signal = sent
        self._trace = trace
        self._passed = 0
        self._between_commits = threading.Lock()

    def __call__(self, name: str) -> None:
        self._passed += 1
        if self._trace is not None:
            with self._trace.open("a") as file:
                file.write(f"{name}\n")
        if self._at in (self._passed, name):
            self._at = None
            with self._between_commits if self._signal == signal.SIGSTOP else nullcontext():
                os.kill(os.getpid(), self._signal)

    def instrument(self) -> None:
        """Make every write of this process a point before it, and one after its commit.

        Writes go one at a time: between any two of them is a point, also where LangGraph sends them off together.
        A process is frozen between two commits to a SQLite file, or nobody else could write to it at all.
        """
        commit_together = SqliteDriver._commit_together

        def not_while_frozen(driver: SqliteDriver, connection: Any, batch: Any) -> None:
            with self._between_commits:
                commit_together(driver, connection, batch)

        SqliteDriver._commit_together = not_while_frozen  # type: ignore[method-assign,assignment]  # as below
        one_at_a_time = asyncio.Lock()

        def counted(write: Callable[..., Awaitable[Any]]) -> Any:
            async def pass_points(store: Store, work: Callable[..., Awaitable[Any]]) -> Any:
                name = _name(work)
                if name in UNEVENTFUL:
                    return await write(store, work)
                async with one_at_a_time:
                    self(f"before {name}")
                    result = await write(store, work)
                    self(f"after {name}")
                    return result

            return pass_points

        # The process ends soon; nothing to restore.
        Store.write, Store.write_one = counted(Store.write), counted(Store.write_one)  # type: ignore[method-assign]


UNEVENTFUL = {"Worker._renew", "Worker._claim"}
"""Writes that come by the clock: how many there are says nothing about where the run stands."""


def _name(work: Callable[..., Any]) -> str:
    name = work.__qualname__.split(".<locals>")[0]
    return "checkpoint" if name.endswith("Saver._write") else name
