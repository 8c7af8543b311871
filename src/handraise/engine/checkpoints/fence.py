"""The fence: what a run writes is refused once another process has taken the run over.

Until then nobody else writes for it, so what it has read of its checkpoints stays true until it writes itself.

LangGraph calls the checkpointer from tasks and threads of its own; they inherit the context in which a run is driven,
so the run is found there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from handraise.core.runs import Run
from handraise.store.store import Transaction


@dataclass
class CheckpointMemory:
    """What a process has read of its run's checkpoints: while the run is its own, nobody else changes them."""

    rows: dict[Any, Any] = field(default_factory=dict)
    changes: int = 0
    """How often something was written, or began to be: what was read in between may be old."""

    def forget(self) -> None:
        """Something is being written, or has been."""
        self.rows.clear()
        self.changes += 1


_driven: ContextVar[tuple[Run, CheckpointMemory] | None] = ContextVar("handraise_driven_run", default=None)


@contextmanager
def driving(run: Run) -> Iterator[None]:
    """Let everything inside write on behalf of `run`."""
    token = _driven.set((run, CheckpointMemory()))
    try:
        yield
    finally:
        _driven.reset(token)


def driven_run() -> Run | None:
    """Return the run on whose behalf this code runs, if there is one."""
    driven = _driven.get()
    return None if driven is None else driven[0]


def memory_of_driven() -> CheckpointMemory:
    """Return what is known of the run on whose behalf this code runs; nothing without one."""
    driven = _driven.get()
    return CheckpointMemory() if driven is None else driven[1]


async def hold_the_fence(tx: Transaction, run: Run | None) -> None:
    """Raise LeaseLost unless `run` is still this process's; keep it so until the commit.

    The run is found before the transaction starts: on SQLite the transaction runs in another thread's context.
    """
    if run is not None:
        await tx.runs.hold(run)
