"""Runs in both databases: each session's runs in order, one at a time, under a lease."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from handraise.core.errors import Conflict, LeaseLost, NotFound
from handraise.core.runs import Run
from handraise.store.store import Store, Transaction
from tests.store.samples import AGENT, MINUTE, a_session, add_sessions, claim, enqueue, must_claim

NO_TIME = timedelta(0)

OwnersMove = Callable[[Transaction, Run], Awaitable[object]]

OWNERS_MOVES: dict[str, OwnersMove] = {
    "renew": lambda tx, run: tx.runs.renew(run, lease=MINUTE),
    "hold": lambda tx, run: tx.runs.hold(run),
    "pause": lambda tx, run: tx.runs.pause(run),
    "finish": lambda tx, run: tx.runs.finish(run),
    "fail": lambda tx, run: tx.runs.fail(run, error="broken"),
    "retry": lambda tx, run: tx.runs.retry(run, after=NO_TIME),
}


async def finish(store: Store, run: Run) -> None:
    await store.write(lambda tx: tx.runs.finish(run))


async def test_a_claimed_run_carries_its_input_owner_and_lease(store: Store) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "退款 💸")
    before = await store.read(lambda tx: tx.now())
    run = await must_claim(store, owner="runner-1")
    assert (run.id, run.input, run.status) == ("退款 💸", {"text": "退款 💸"}, "running")
    assert (run.owner, run.epoch, run.attempts) == ("runner-1", 1, 0)
    assert run.lease_until is not None
    assert run.lease_until >= before + MINUTE
    assert await store.read(lambda tx: tx.runs.get(run.id)) == run


async def test_a_session_runs_in_order_and_one_at_a_time(store: Store) -> None:
    await add_sessions(store, "s1")
    for name in ("first", "second", "third"):
        await enqueue(store, "s1", name)
    for name in ("first", "second", "third"):
        run = await must_claim(store)
        assert run.id == name
        assert await claim(store) is None
        await finish(store, run)
    assert await claim(store) is None


async def test_many_sessions_run_beside_each_other_each_in_order(store: Store) -> None:
    sessions = [f"s{number}" for number in range(12)]
    await add_sessions(store, *sessions)
    for turn in range(3):
        await asyncio.gather(*(enqueue(store, session, f"{session}:{turn}") for session in sessions))
    ran: dict[str, list[str]] = defaultdict(list)
    running: set[str] = set()

    async def runner(name: str) -> None:
        while sum(map(len, ran.values())) < 36:
            run = await claim(store, owner=name)
            if run is None:
                await asyncio.sleep(0.002)
                continue
            assert run.session_id not in running
            running.add(run.session_id)
            ran[run.session_id].append(run.id)
            await asyncio.sleep(0)
            running.discard(run.session_id)
            await finish(store, run)

    await asyncio.gather(*(runner(f"runner-{number}") for number in range(8)))
    assert ran == {session: [f"{session}:{turn}" for turn in range(3)] for session in sessions}


async def test_the_oldest_run_of_all_sessions_goes_first(store: Store) -> None:
    await add_sessions(store, "a", "b", "c")
    for session in ("c", "a", "b"):
        await enqueue(store, session, f"of {session}")
    assert [(await must_claim(store)).session_id for _ in range(3)] == ["c", "a", "b"]


async def test_a_claim_takes_runs_of_the_agent_it_names_and_no_other(store: Store) -> None:
    async def claimed(agent: str) -> str | None:
        run = await store.write_one(lambda tx: tx.runs.claim(owner="runner", lease=MINUTE, agent=agent))
        return run.id if run else None

    for session, agent in {"a": "sales", "b": "support", "c": "sales"}.items():
        await store.write(lambda tx, s=session, a=agent: tx.sessions.add(a_session(s, agent=a)))  # type: ignore[misc]  # a default is untyped
        await enqueue(store, session, f"of {session}")

    assert await claimed("support") == "of b"
    assert await claimed("support") is None
    assert await claimed("sales") == "of a"
    assert await store.read(lambda tx: tx.runs.unserved(agents=["support"], longer_than=-MINUTE)) == {"sales": 1}
    assert await store.read(lambda tx: tx.runs.unserved(agents=["sales"], longer_than=-MINUTE)) == {}
    assert await store.read(lambda tx: tx.runs.unserved(agents=["support"], longer_than=MINUTE)) == {}
    assert await claimed("sales") == "of c"


async def test_a_process_that_stood_still_does_not_take_its_own_run_away_from_itself(store: Store) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    held = await must_claim(store, lease=-MINUTE)

    async def again(*but_not: str) -> Run | None:
        return await store.write(lambda tx: tx.runs.claim(owner="runner", lease=MINUTE, agent=AGENT, but_not=but_not))

    assert await again("run", "another") is None
    await store.write(lambda tx: tx.runs.renew(held, lease=-MINUTE))
    taken = await again("another")
    assert taken is not None
    assert taken.epoch == held.epoch + 1


async def test_a_run_behind_another_is_not_even_looked_at_until_it_is_the_first(store: Store) -> None:
    async def blocked() -> dict[str, int]:
        rows = await store.read(lambda tx: tx.connection.all("SELECT id, blocked FROM runs WHERE finished_at IS NULL"))
        return dict(rows)

    await add_sessions(store, "s1")
    for run_id in ("first", "second", "third", "fourth"):
        await enqueue(store, "s1", run_id)
    assert await blocked() == {"first": 0, "second": 1, "third": 1, "fourth": 1}

    first = await must_claim(store)
    await store.write(lambda tx: tx.runs.pause(first))
    assert await claim(store) is None
    await store.write(lambda tx: tx.runs.resume("first"))
    first = await must_claim(store)
    await store.write(lambda tx: tx.runs.finish(first))
    assert await blocked() == {"second": 0, "third": 1, "fourth": 1}

    second = await must_claim(store)
    await store.write(lambda tx: tx.runs.fail(second, error="no more"))
    assert await blocked() == {"third": 0, "fourth": 1}

    third = await store.read(lambda tx: tx.runs.get("third"))
    await store.write(lambda tx: tx.runs.stop(third))
    assert await blocked() == {"fourth": 0}
    assert (await must_claim(store)).id == "fourth"


async def test_fifty_claims_at_once_take_fifty_different_runs(store: Store) -> None:
    sessions = [f"s{number}" for number in range(50)]
    await add_sessions(store, *sessions)
    for session in sessions:
        await enqueue(store, session, session)
    taken: list[str] = []
    while len(taken) < 50:
        taken += [run.id for run in await asyncio.gather(*(claim(store) for _ in range(50))) if run]
    assert sorted(taken) == sorted(sessions)


async def test_a_paused_run_blocks_later_ones_and_goes_on_at_its_place(store: Store) -> None:
    await add_sessions(store, "s1", "s2")
    await enqueue(store, "s1", "asks")
    await enqueue(store, "s1", "later message")
    await enqueue(store, "s2", "other session")
    asking = await must_claim(store)
    await store.write(lambda tx: tx.runs.pause(asking))
    assert (await must_claim(store)).id == "other session"
    assert await claim(store) is None

    assert await store.write(lambda tx: tx.runs.resume("asks"))
    assert not await store.write(lambda tx: tx.runs.resume("asks"))
    resumed = await must_claim(store)
    assert (resumed.id, resumed.epoch, resumed.seq) == ("asks", 2, asking.seq)
    await finish(store, resumed)
    assert (await must_claim(store)).id == "later message"


async def test_a_retried_run_waits_for_its_time_and_keeps_its_place(store: Store) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "first")
    await enqueue(store, "s1", "second")
    run = await must_claim(store)
    await store.write(lambda tx: tx.runs.retry(run, after=timedelta(hours=1), error="model is busy"))
    assert await claim(store) is None
    await store.write(
        lambda tx: tx.connection.run("UPDATE runs SET not_before = now_us() WHERE id = 'first'"),
    )
    again = await must_claim(store)
    assert (again.id, again.attempts, again.error) == ("first", 1, "model is busy")


async def test_a_lease_that_ran_out_is_taken_over_with_a_higher_epoch(store: Store) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    old = await must_claim(store, owner="crashed", lease=NO_TIME)
    await asyncio.sleep(0.002)
    new = await must_claim(store, owner="heir")
    assert (new.id, new.owner, new.epoch) == (old.id, "heir", old.epoch + 1)


async def test_a_renewed_lease_is_not_taken_over(store: Store) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    run = await must_claim(store, lease=NO_TIME)
    await store.write(lambda tx: tx.runs.renew(run, lease=MINUTE))
    assert await claim(store) is None


@pytest.mark.parametrize("move", OWNERS_MOVES)
async def test_a_process_that_lost_its_lease_can_change_nothing(store: Store, move: str) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    old = await must_claim(store, owner="slow", lease=NO_TIME)
    await asyncio.sleep(0.002)
    new = await must_claim(store, owner="heir")
    with pytest.raises(LeaseLost, match="epoch 1"):
        await store.write(lambda tx: OWNERS_MOVES[move](tx, old))
    assert await store.read(lambda tx: tx.runs.get("run")) == new


@pytest.mark.parametrize("move", OWNERS_MOVES)
async def test_a_finished_run_cannot_be_moved(store: Store, move: str) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    run = await must_claim(store)
    await finish(store, run)
    with pytest.raises(LeaseLost):
        await store.write(lambda tx: OWNERS_MOVES[move](tx, run))
    assert not await store.write(lambda tx: tx.runs.resume("run"))


@pytest.mark.parametrize("move", ["pause", "finish", "fail"])
async def test_a_run_that_its_owner_ended_is_over_and_one_that_was_taken_or_stopped_is_not(
    store: Store, move: str
) -> None:
    await add_sessions(store, "s1", "s2")
    await enqueue(store, "s1", "ended")
    run = await must_claim(store)
    assert not await store.read(lambda tx: tx.runs.is_over(run))
    await store.write(lambda tx: OWNERS_MOVES[move](tx, run))
    assert await store.read(lambda tx: tx.runs.is_over(run))

    await enqueue(store, "s2", "stopped")
    stopped = await must_claim(store)
    await store.write(lambda tx: tx.runs.stop(stopped))
    assert not await store.read(lambda tx: tx.runs.is_over(stopped))


async def test_a_failed_run_keeps_its_reason_whatever_it_contains(store: Store) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    run = await must_claim(store)
    await store.write(lambda tx: tx.runs.fail(run, error="half \ud83d of\x00 it: 失败"))
    failed = await store.read(lambda tx: tx.runs.get("run"))
    assert (failed.status, failed.error) == ("failed", "half ? of\ufffd it: 失败")
    assert failed.finished_at is not None


async def test_a_run_is_queued_once_and_only_for_a_session_that_exists(store: Store) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    with pytest.raises(Conflict):
        await enqueue(store, "s1", "run")
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.runs.enqueue(run_id="x", session_id="nobody", input={}))
    with pytest.raises(NotFound, match="no run 'x'"):
        await store.read(lambda tx: tx.runs.get("x"))
