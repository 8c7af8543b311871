"""A task that is ended has ended, also when a cancellation was swallowed on the way."""

from __future__ import annotations

import asyncio

import pytest

from handraise.runtime import tasks as ending
from handraise.runtime.tasks import cancel_and_wait


async def _deaf(times: int) -> None:
    """Go on forever, like a loop around a wait that swallowed `times` cancellations."""
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            if not times:
                raise
            times -= 1


async def _started(times: int) -> asyncio.Task[None]:
    task = asyncio.create_task(_deaf(times))
    await asyncio.sleep(0)
    return task


async def test_a_task_that_swallowed_a_cancellation_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "AGAIN", 0.01)
    tasks = [await _started(times) for times in (0, 1, 3)]
    await cancel_and_wait(*tasks)
    assert all(task.cancelled() for task in tasks)


async def test_one_cancellation_would_not_have_been_enough() -> None:
    task = await _started(1)
    task.cancel()
    _, still_running = await asyncio.wait({task}, timeout=0.05)
    assert still_running
    await cancel_and_wait(task)


async def test_a_task_that_failed_or_finished_before_is_no_trouble() -> None:
    async def fail() -> None:
        raise ValueError("on its own account")

    failed, finished = asyncio.create_task(fail()), asyncio.create_task(asyncio.sleep(0))
    await asyncio.wait({failed, finished})
    await cancel_and_wait(failed, finished)


async def test_a_task_that_never_ends_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "AGAIN", 0.01)
    deaf, hearing = await _started(200), await _started(0)
    assert await cancel_and_wait(deaf, hearing, within=0.05) == [deaf]
    assert hearing.cancelled()
    await _silence(deaf)


async def _silence(task: asyncio.Task[None]) -> None:
    """Really end a deaf task, so that it does not outlive its test."""
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)
