"""The table of a run's moves is what the database does: every move of it works, and every other changes nothing."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import timedelta
from typing import get_args

import pytest

from handraise.core import states
from handraise.core.errors import IllegalMove, LeaseLost
from handraise.core.runs import Run
from handraise.core.states import RunMove, RunStatus, next_run_status
from handraise.store.store import Store, Transaction
from tests.store.samples import a_session

NO_TIME = timedelta(0)

WAY_TO: dict[RunStatus, Sequence[RunMove]] = {
    "queued": (),
    "running": ("claim",),
    "paused": ("claim", "pause"),
    "done": ("claim", "finish"),
    "failed": ("claim", "fail"),
    "stopped": ("stop",),
}


async def queued(store: Store, name: str) -> Run:
    """Queue a run whose agent nobody else has, so that claiming finds no other."""

    async def work(tx: Transaction) -> Run:
        await tx.sessions.add(a_session(name, agent=name))
        await tx.sessions.lock(name)
        await tx.runs.enqueue(run_id=name, session_id=name, input={})
        return await tx.runs.get(name)

    return await store.write(work)


async def moved(store: Store, run: Run, move: RunMove) -> bool:
    """Make a move, with the epoch that the run has now; return whether it was made. A lease is over at once."""

    async def work(tx: Transaction) -> bool:
        await tx.sessions.lock(run.session_id)
        now = await tx.runs.get(run.id)
        match move:
            case "claim":
                return await tx.runs.claim(owner="runner", lease=NO_TIME, agent=run.agent) is not None
            case "retry":
                await tx.runs.retry(now, after=NO_TIME)
            case "pause":
                await tx.runs.pause(now)
            case "finish":
                await tx.runs.finish(now)
            case "fail":
                await tx.runs.fail(now, error="broken")
            case "resume":
                return await tx.runs.resume(run.id)
            case "stop":
                return await tx.runs.stop(now)
        return True

    try:
        return await store.write(work)
    except LeaseLost:
        return False


def expected(status: RunStatus, move: RunMove) -> RunStatus:
    try:
        return next_run_status(status, move)
    except IllegalMove:
        return status


@pytest.mark.parametrize("status", get_args(RunStatus))
async def test_a_run_moves_as_the_table_says_and_no_other_way(store: Store, status: RunStatus) -> None:
    for move in get_args(RunMove):
        run = await queued(store, f"{status}-{move}")
        for step in WAY_TO[status]:
            assert await moved(store, run, step)

        made = await moved(store, run, move)

        after = await store.read(lambda tx, run=run: tx.runs.get(run.id))  # type: ignore[misc]
        assert (move, made, after.status) == (move, (status, move) in states.RUN_MOVES, expected(status, move))


def test_every_status_and_move_is_tried() -> None:
    assert set(WAY_TO) == set(get_args(RunStatus))
    tried = set(itertools.product(WAY_TO, get_args(RunMove)))
    assert set(states.RUN_MOVES) < tried
