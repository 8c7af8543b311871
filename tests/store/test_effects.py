"""Effects in both databases: a ledger that starts each call at most once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handraise.core.effects import Effect, effect_id
from handraise.core.errors import NotFound
from handraise.store.store import Store
from tests.store.samples import MINUTE, NOON, add_sessions


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


async def start(store: Store, effect: Effect) -> bool:
    return await store.write(lambda tx: tx.effects.start(effect))


async def get(store: Store) -> Effect:
    return await store.read(lambda tx: tx.effects.get(an_effect().id))


async def test_of_twenty_attempts_to_start_an_effect_one_succeeds(store: Store) -> None:
    await add_sessions(store, "s1")
    started = await asyncio.gather(*(start(store, an_effect(epoch=epoch)) for epoch in range(20)))
    assert sum(started) == 1


async def change(store: Store, effect: Effect, *, expect: Effect) -> bool:
    return await store.write(lambda tx: tx.effects.change(effect, expect=expect))


@pytest.mark.parametrize("result", [None, "", "已退款 ✅", 1.0, 1, {"a": [True, None, {"b": 0.1}]}])
async def test_a_result_comes_back_exactly(store: Store, result: Any) -> None:
    await add_sessions(store, "s1")
    effect = an_effect(request_id="r1")
    assert await start(store, effect)
    assert await get(store) == effect
    done = effect.model_copy(update={"status": "done", "result": result, "finished_at": NOON})
    assert await change(store, done, expect=effect)
    assert await get(store) == done
    assert repr((await get(store)).result) == repr(result)


@pytest.mark.parametrize("other", [{"epoch": 2}, {"status": "done"}, {"doubts": 1}])
async def test_an_effect_changes_only_from_what_it_was_seen_as(store: Store, other: dict[str, Any]) -> None:
    await add_sessions(store, "s1")
    await start(store, an_effect(**other))
    assert not await change(store, an_effect(status="done", result="late"), expect=an_effect())
    assert await get(store) == an_effect(**other)


async def test_a_runs_effects_are_listed_in_order(store: Store) -> None:
    await add_sessions(store, "s1")
    first, second = an_effect(), an_effect(id="eff_2", started_at=NOON + MINUTE)
    for effect in (second, first, an_effect(id="eff_3", run_id="another")):
        await start(store, effect)
    assert await store.read(lambda tx: tx.effects.of_run("run-1")) == [first, second]


async def test_an_effect_that_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="no effect"):
        await get(store)
