"""The fence: what a run writes is refused once another process has taken the run over.

LangGraph calls the checkpointer from tasks and threads of its own; they inherit the context in which a run is driven,
so the run is found there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from handraise.core.runs import Run
from handraise.store.store import Transaction

_driven: ContextVar[Run | None] = ContextVar("handraise_driven_run", default=None)


@contextmanager
def driving(run: Run) -> Iterator[None]:
    """Let everything inside write on behalf of `run`."""
    token = _driven.set(run)
    try:
        yield
    finally:
        _driven.reset(token)


def driven_run() -> Run | None:
    """Return the run on whose behalf this code runs, if there is one."""
    return _driven.get()


async def hold_the_fence(tx: Transaction, run: Run | None) -> None:
    """Raise LeaseLost unless `run` is still this process's; keep it so until the commit.

    The run is found before the transaction starts: on SQLite the transaction runs in another thread's context.
    """
    if run is not None:
        await tx.runs.hold(run)
