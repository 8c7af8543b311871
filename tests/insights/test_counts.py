"""The counts equal what the whole event log says, however it was read: in any batches, after crashes, by several."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handraise.core.errors import Conflict
from handraise.core.log.facts import Event
from handraise.insights import follower
from handraise.insights.counted import Counted
from handraise.insights.follower import CountsFollower, rebuild
from handraise.insights.ranges import span_of
from handraise.insights.report import By, Report, report
from handraise.store.connection import from_us
from handraise.store.opening import is_postgres, open_store
from handraise.store.store import Store, Transaction
from tests.insights.histories import History, Step, on_record, steps, write
from tests.insights.plainly import Plainly
from tests.store.samples import NOON, add_sessions

EXAMPLES = {True: 15, False: 50}
"""How many histories are tried on PostgreSQL, where each takes longer, and on SQLite."""

ZONES = ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe"]


@dataclass(frozen=True)
class Wish:
    """How to read the log, and what to ask of the counts."""

    batches: tuple[int, ...]
    crash_at: int
    together: bool
    zone: str
    start: int
    length: int


wishes = st.builds(
    Wish,
    batches=st.lists(st.integers(1, 9), min_size=1, max_size=4).map(tuple),
    crash_at=st.integers(0, 6),
    together=st.booleans(),
    zone=st.sampled_from(ZONES),
    # Half of the time everything, else a part that may cut days and hours anywhere.
    start=st.sampled_from([-200, -200, *range(-40, 400, 3)]),
    length=st.sampled_from([12_000, 12_000, *range(1, 900, 7)]),
)


EVERYTHING: list[Step] = [
    (0, 0, 0, 0), (0, 3, 0, 0), (1, 10, 0, 0), (1, 12, 0, 0), (1, 10, 0, 0), (1, 14, 0, 0), (1, 19, 0, 0),
    (1, 19, 0, 0), (0, 3, 0, 4), (1, 16, 0, 0), (0, 3, 0, 5), (4, 17, 0, 0), (0, 3, 0, 3), (7, 18, 0, 0),
    (0, 8, 0, 0), (0, 3, 0, 2), (0, 0, 0, 1), (0, 3, 0, 8),
]  # fmt: skip
"""A history in which everything happens that is counted."""

ON_THE_EDGE: list[Step] = [
    (0, 0, 0, 0),
    (0, 3, 0, 0), (1, 10, 0, 0), (3, 13, 0, 0),  # decided 2 s after its claim
    (0, 3, 0, 0), (1, 10, 0, 0), (1, 10, 0, 0), (2, 13, 0, 0),  # a claim that was renewed
    (0, 3, 0, 0), (1, 10, 0, 0), (1, 12, 0, 0), (1, 13, 0, 0),  # decided after it was released
    (0, 3, 0, 3), (5, 16, 0, 0), (0, 3, 0, 3), (6, 16, 0, 0),  # answered at 60 s, and just after
    (0, 3, 0, 3), (5, 18, 0, 0), (0, 3, 0, 3), (4, 18, 0, 0),  # withdrawn at 60 s, and before
    (0, 3, 0, 3), (0, 3, 0, 3), (5, 0, 0, 0),  # open for 60 s
    (0, 3, 0, 0), (1, 13, 0, 0), (1, 19, 0, 0), (1, 19, 0, 0), (1, 19, 0, 0), (1, 19, 0, 0),  # doubted twice
]  # fmt: skip

WHOLE = Wish(batches=(500,), crash_at=0, together=False, zone="UTC", start=-400, length=1_000)


class Crashed(Exception):
    """The process died before its transaction was committed."""


@contextmanager
def crashing(at: int) -> Iterator[None]:
    """Let the process die once, just before the commit of a batch."""
    real, batches = follower.fold, 0

    async def fold(tx: Transaction, events: Sequence[Event]) -> None:
        nonlocal batches
        batches += 1
        await real(tx, events)
        if batches == at:
            raise Crashed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(follower, "fold", fold)
        yield


async def count(store: Store, wish: Wish) -> None:
    """Read the log as wished, until its end."""
    sizes = [*wish.batches] * 100
    while sizes:
        reader = CountsFollower(store, batch=sizes.pop())
        readers = [reader, CountsFollower(store, batch=3)] if wish.together else [reader]
        outcomes = await asyncio.gather(*(each.step() for each in readers), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(outcome, Crashed):
                raise outcome
        if all(outcome is None for outcome in outcomes):
            return


async def told(store: Store, history: History, wish: Wish, by: By) -> Report:
    zone = ZoneInfo(wish.zone)
    start = NOON.replace(minute=0, second=0, microsecond=0) + wish.start * timedelta(minutes=15)
    span = span_of(start, start + wish.length * timedelta(minutes=15))
    return await store.read(lambda tx: report(tx, span, zone=zone, by=by, now=history.now))


def plain(told: Report, history: History) -> dict[str, Any]:
    """Return what the report must say, from all events."""
    everything = Plainly.of(history.events)
    part = everything.within(told.start, told.end)
    return {
        "total": part.figures(history.now, assisted=everything.lives),
        "types": {kind: sum(life.type == kind for life in part.lives) for kind in told.types},
        "fields": part.edits()[:20],
        "behind": 0,
        "open_now": {
            "count": sum(life.end is None for life in everything.lives),
            "oldest_at": min((life.opened.created_at for life in everything.lives if life.end is None), default=None),
        },
    }


async def agree(store: Store, history: History, wish: Wish) -> None:
    zone = ZoneInfo(wish.zone)
    everything = Plainly.of(history.events)
    by_agent = await told(store, history, wish, "agent")
    expected = plain(by_agent, history)
    assert {name: by_agent.model_dump()[name] for name in expected} == expected

    daily = await told(store, history, replace(wish, length=min(wish.length, 1_500)), "day")
    part = everything.within(daily.start, daily.end)
    days = part.by_day(zone, history.now, everything)
    found = {
        each.start.astimezone(zone).date().isoformat(): each.figures.model_dump()
        for each in daily.groups
        if each.start is not None and (each.figures.opened or each.figures.sessions or each.figures.uses)
    }
    assert found == days

    part = everything.within(by_agent.start, by_agent.end)
    for by, name in {"type": "type", "tool": "opened.tool", "agent": "agent"}.items():
        groups = (await told(store, history, wish, by)).groups  # type: ignore[arg-type]
        for group in groups:
            named = part.only(lambda life, name=name, group=group: _get(life, name) == group.name)  # type: ignore[misc]
            figures = group.figures.model_dump() | {"sessions": 0, "assisted": 0, "assist_rate": None}
            assert figures == named.figures(history.now, assisted=[])
        names = {group.name for group in groups if group.figures.opened}
        assert names == {_get(life, name) for life in part.lives}
    for group in (await told(store, history, wish, "operator")).groups:
        own = part.only(lambda life, group=group: life.decider == group.name).figures(history.now, assisted=[])  # type: ignore[misc]
        for name in ("decided", "decisions", "quick", "response", "handling"):
            assert group.figures.model_dump()[name] == own[name]
        assert group.figures.claimed == sum(life.claimer == group.name for life in part.lives)


def _get(life: Any, path: str) -> Any:
    for name in path.split("."):
        life = getattr(life, name)
    return life


@contextmanager
def opened(url: str) -> Iterator[tuple[asyncio.Runner, Store]]:
    with asyncio.Runner() as loop:
        store = open_store(url)
        loop.run(store.__aenter__())
        try:
            yield loop, store
        finally:
            loop.run(store.__aexit__(None, None, None))


def test_what_is_counted_as_it_happens_equals_what_all_events_say(database_url: str) -> None:
    with opened(database_url) as (loop, store):

        @settings(max_examples=EXAMPLES[is_postgres(database_url)])
        @given(steps, wishes)
        @example(EVERYTHING, replace(WHOLE, batches=(1,), crash_at=5))
        @example(ON_THE_EDGE, WHOLE)
        def check(taken: list[Step], wish: Wish) -> None:
            history = History().play(taken)

            async def run() -> None:
                await write(store, history)
                with on_record(history):
                    with crashing(wish.crash_at):
                        await count(store, wish)
                    await agree(store, history, wish)

            loop.run(run())

        check()


async def test_a_history_with_an_event_that_was_not_counted_does_not_pass(store: Store) -> None:
    history = History().play(EVERYTHING)
    assert {type(event.fact) for event in history.events} == set(get_args(Counted))
    for lost in history.events:
        shorter = History(history.now, [event for event in history.events if event is not lost])
        await write(store, history)
        with on_record(shorter):
            await CountsFollower(store).catch_up()
        with on_record(history), pytest.raises(AssertionError):
            await agree(store, history, WHOLE)


async def test_counting_without_compare_and_set_counts_twice(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    history = History().play(EVERYTHING)
    await write(store, history)
    from handraise.store.tables.cursors import Cursors

    real = Cursors.move

    async def always(cursors: Cursors, name: str, *, was: int, to: int) -> bool:
        await real(cursors, name, was=was, to=to)
        return True

    monkeypatch.setattr(Cursors, "move", always)
    with on_record(history):
        await asyncio.gather(*(CountsFollower(store).step() for _ in range(2)))
        with pytest.raises(AssertionError):
            await agree(store, history, WHOLE)


async def test_a_rebuild_counts_the_same_again_and_says_how_far_it_is(store: Store) -> None:
    history = History().play(EVERYTHING)
    await write(store, history)
    told: list[tuple[int, int]] = []
    with on_record(history):
        await CountsFollower(store).catch_up()
        await store.write(lambda tx: tx.connection.run("UPDATE insight_counts SET opened = opened + 1"))
        await rebuild(store, progress=lambda done, of: told.append((done, of)))
        await agree(store, history, WHOLE)
    assert told == [(len(history.events), len(history.events))]


async def test_every_measure_has_its_column(store: Store) -> None:
    from handraise.store.measures import MEASURES

    await store.read(lambda tx: tx.connection.all(f"SELECT {', '.join(MEASURES)} FROM insight_counts"))


def test_a_range_is_widened_to_whole_quarters() -> None:
    span = span_of(NOON, NOON + timedelta(seconds=1))
    assert (from_us(span.start), from_us(span.end)) == (
        NOON.replace(microsecond=0),
        NOON.replace(minute=15, microsecond=0),
    )


def test_the_command_counts_again(sqlite_url: str) -> None:
    from typer.testing import CliRunner

    from handraise.commands.insights import app
    from tests.store.samples import say

    async def talk() -> None:
        async with open_store(sqlite_url) as store:
            await add_sessions(store, "s1")
            await say(store, "s1", "one", "two")

    asyncio.run(talk())
    done = CliRunner().invoke(app, ["rebuild", "--database", sqlite_url])
    assert done.exit_code == 0, done.output
    assert "2 events counted." in done.output


async def test_a_rebuild_beside_a_service_that_is_counting_counts_nothing_twice(postgres_url: str) -> None:
    history = History().play(EVERYTHING)
    async with open_store(postgres_url) as store:
        await write(store, history)
    with on_record(history):
        async with open_store(postgres_url) as store:
            await _rebuild_beside(store, history)
            await agree(store, history, WHOLE)


async def _rebuild_beside(store: Store, history: History) -> None:
    """Begin a rebuild while a service has counted everything and stands still before its commit."""
    counting, go_on = asyncio.Event(), asyncio.Event()

    async def count(tx: Transaction) -> None:
        assert await tx.cursors.move("insights", was=0, to=history.events[-1].seq)
        await follower.fold(tx, history.events)
        counting.set()
        await go_on.wait()

    async with asyncio.TaskGroup() as together:
        together.create_task(store.write(count))
        await counting.wait()
        together.create_task(rebuild(store))
        await _waits_for_a_lock(store)
        go_on.set()


async def _waits_for_a_lock(store: Store) -> None:
    waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    for _ in range(1500):
        if (row := await store.read(lambda tx: tx.connection.one(waiting))) and row[0]:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the rebuild did not wait for whoever is counting")


async def test_a_rebuild_does_not_lose_what_was_forgotten_unless_it_is_told_to(store: Store) -> None:
    await add_sessions(store, "s1")
    await store.write(lambda tx: tx.forgetting.forget("s1", up_to=0))

    with pytest.raises(Conflict, match="1 sessions were forgotten on purpose"):
        await rebuild(store)

    await rebuild(store, without_forgotten=True)
