"""Effects in both databases: a ledger that starts each call at most once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handraise.core.effects.effect import Effect, effect_id
from handraise.core.errors import NotFound
from handraise.core.runs import Run
from handraise.store.store import Store
from tests.store.samples import MINUTE, NOON, a_request, add_sessions, enqueue, must_claim, open_requests


def an_effect(**changes: Any) -> Effect:
    return Effect.model_validate(
        {
            "id": effect_id(session_id="s1", place="tools:1", tool_call_id="call-1"),
            "session_id": "s1",
            "run_id": "run-1",
            "tool": "refund",
            "tool_call_id": "call-1",
            "digest": "d",
            "epoch": 1,
            "started_at": NOON,
            **changes,
        }
    )


async def a_run(store: Store) -> Run:
    """Return a run that this process holds."""
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run-1")
    return await must_claim(store)


async def start(store: Store, effect: Effect, *, run: Run) -> bool:
    return await store.write_one(lambda tx: tx.effects.start(effect, run=run))


async def get(store: Store) -> Effect:
    return await store.read(lambda tx: tx.effects.get(an_effect().id))


async def test_of_twenty_attempts_to_start_an_effect_one_succeeds(store: Store) -> None:
    run = await a_run(store)
    started = await asyncio.gather(*(start(store, an_effect(epoch=epoch), run=run) for epoch in range(20)))
    assert sum(started) == 1


async def change(store: Store, effect: Effect, *, expect: Effect) -> bool:
    return await store.write(lambda tx: tx.effects.change(effect, expect=expect))


@pytest.mark.parametrize("result", [None, "", "已退款 ✅", 1.0, 1, {"a": [True, None, {"b": 0.1}]}])
async def test_a_result_comes_back_exactly(store: Store, result: Any) -> None:
    run = await a_run(store)
    effect = an_effect(request_id="r1")
    assert await start(store, effect, run=run)
    assert await get(store) == effect
    done = effect.model_copy(update={"status": "done", "result": result, "finished_at": NOON})
    assert await change(store, done, expect=effect)
    assert await get(store) == done
    assert repr((await get(store)).result) == repr(result)


@pytest.mark.parametrize("other", [{"epoch": 2}, {"status": "done"}, {"doubts": 1}])
async def test_an_effect_changes_only_from_what_it_was_seen_as(store: Store, other: dict[str, Any]) -> None:
    await start(store, an_effect(**other), run=await a_run(store))
    assert not await change(store, an_effect(status="done", result="late"), expect=an_effect())
    assert await get(store) == an_effect(**other)


async def test_a_sessions_effects_are_listed_in_order(store: Store) -> None:
    run = await a_run(store)
    await add_sessions(store, "s2")
    first, second = an_effect(), an_effect(id="eff_2", started_at=NOON + MINUTE)
    for effect in (second, first, an_effect(id="eff_3", session_id="s2")):
        await start(store, effect, run=run)
    assert await store.read(lambda tx: tx.effects.of_session("s1")) == [first, second]


async def test_when_an_effect_started_and_finished_is_the_databases_to_say(store: Store) -> None:
    run = await a_run(store)
    before = await store.read(lambda tx: tx.now())
    assert await start(store, an_effect(started_at=None, epoch=run.epoch), run=run)
    assert await store.write_one(lambda tx: tx.effects.finish(an_effect().id, {"paid": 42.5}, run=run))
    after = await store.read(lambda tx: tx.now())
    effect = await get(store)
    assert (effect.status, effect.result) == ("done", {"paid": 42.5})
    assert effect.started_at is not None
    assert effect.finished_at is not None
    assert before <= effect.started_at <= effect.finished_at <= after


async def test_whoever_lost_the_run_starts_and_finishes_nothing(store: Store) -> None:
    run = await a_run(store)
    assert await start(store, an_effect(epoch=run.epoch), run=run)
    lost = run.model_copy(update={"epoch": run.epoch - 1})
    assert not await start(store, an_effect(id="eff_2"), run=lost)
    assert not await store.write_one(lambda tx: tx.effects.finish(an_effect().id, "late", run=lost))
    assert await store.read(lambda tx: tx.effects.of_session("s1")) == [an_effect(epoch=run.epoch)]


@pytest.mark.parametrize("other", [{"epoch": 7}, {"status": "indeterminate"}, {"status": "done"}])
async def test_only_an_effect_that_this_very_claim_started_is_finished_at_once(
    store: Store, other: dict[str, Any]
) -> None:
    run = await a_run(store)
    effect = an_effect(**{"epoch": run.epoch, **other})
    await start(store, effect, run=run)
    assert not await store.write_one(lambda tx: tx.effects.finish(effect.id, "late", run=run))
    assert await get(store) == effect


async def test_an_approval_that_an_effect_used_is_not_offered_to_the_next(store: Store) -> None:
    run = await a_run(store)
    await open_requests(store, *(a_request(name, session_id="s1", run_id="run-1") for name in ("used", "unused")))
    await start(store, an_effect(request_id="used"), run=run)
    left = await store.read_one(lambda tx: tx.requests.unused_of_run("run-1"))
    assert [request.id for request in left] == ["unused"]


async def test_an_effect_that_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="no effect"):
        await get(store)
