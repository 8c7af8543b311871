"""Following the event log: each event is dealt with once, in order, whoever else follows and whatever breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest

from handraise.core.log.facts import Event, MessageReceived, RunFinished
from handraise.store.following import LogFollower
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from handraise.store.tables.cursors import Cursors
from tests.store.samples import ANN, add_sessions

CURSOR = "knowledge.capture"


class Broken(Exception):
    """What a handler may raise in the middle of its work."""


class Noting(LogFollower):
    """Notes, in the database, the number of each message that it was given."""

    name = "noting"
    cursor = CURSOR

    def __init__(self, store: Store, *, batch: int = 3, breaks_at: int | None = None) -> None:
        super().__init__(store, batch=batch)
        self.breaks_at = breaks_at

    def _concerns(self, event: Event) -> bool:
        return isinstance(event.fact, MessageReceived)

    async def _handle(self, tx: Transaction, events: Sequence[Event]) -> None:
        for event in events:
            await tx.connection.run("INSERT INTO noted (seq) VALUES (:seq)", {"seq": event.seq})
            if event.seq == self.breaks_at:
                self.breaks_at = None
                raise Broken


class Patient(Noting):
    """Does not write its cursor for a while when nothing concerns it."""

    lag = 5


class New(Noting):
    """Was never here before."""

    cursor = "new"


@pytest.fixture(autouse=True)
async def log(store: Store) -> list[int]:
    """Return the numbers of the messages in a log that also holds other things."""
    await add_sessions(store, "s1")
    await store.write(lambda tx: tx.connection.run("CREATE TABLE noted (seq BIGINT NOT NULL)"))
    for number in range(10):
        await say(store, f"m{number}")
    events = await store.read(lambda tx: tx.events.since(0))
    return [event.seq for event in events if isinstance(event.fact, MessageReceived)]


async def say(store: Store, message_id: str, *, other: bool = True) -> None:
    async def work(tx: Transaction) -> None:
        await tx.sessions.lock("s1")
        tx.events.append("s1", MessageReceived(message_id=message_id, text="hello", run_id="r1"), by=ANN)
        if other:
            tx.events.append("s1", RunFinished(run_id=message_id), by=ANN)

    await store.write(work)


async def noted(store: Store) -> list[int]:
    return [row[0] for row in await store.read(lambda tx: tx.connection.all("SELECT seq FROM noted"))]


async def place(store: Store, name: str = CURSOR) -> int:
    return await store.read(lambda tx: tx.cursors.get(name))


async def test_each_event_that_concerns_it_is_handled_once_and_in_order(store: Store, log: list[int]) -> None:
    await Noting(store).catch_up()
    await Noting(store).catch_up()

    assert await noted(store) == log
    assert await place(store) == await store.read(lambda tx: tx.events.head())


async def test_what_broke_in_the_middle_is_done_again_whole(store: Store, log: list[int]) -> None:
    follower = Noting(store, breaks_at=log[4])
    with pytest.raises(Broken):
        await follower.catch_up()
    assert log[4] not in await noted(store)

    await follower.catch_up()

    assert await noted(store) == log


async def test_several_followers_deal_with_each_event_once(store: Store, database_url: str, log: list[int]) -> None:
    async with open_store(database_url) as second:
        followers = [Noting(store), Noting(second, batch=2), Noting(second, batch=7)]
        await asyncio.gather(*(each.catch_up() for each in followers))

    assert sorted(await noted(store)) == log


async def test_without_the_comparison_several_followers_deal_with_events_twice(
    store: Store, log: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def move(self: Cursors, name: str, *, was: int, to: int) -> bool:
        await self._connection.run("UPDATE counters SET value = :to WHERE name = :name", {"name": name, "to": to})
        return True

    monkeypatch.setattr(Cursors, "move", move)
    first, second = Noting(store), Noting(store)
    unread = [await store.read(each._unread) for each in (first, second)]
    for each, (cursor, events) in zip((first, second), unread, strict=True):
        await each._deal_with([event for event in events if each._concerns(event)], was=cursor, last=events[-1].seq)

    assert len(await noted(store)) > len(set(await noted(store)))


async def test_what_does_not_concern_it_moves_the_cursor_only_now_and_then(store: Store, log: list[int]) -> None:
    follower = Patient(store)
    await follower.catch_up()
    head = await store.read(lambda tx: tx.events.head())
    places = [await place(store)]
    for number in range(8):
        await store.write(lambda tx, number=number: finish(tx, number))  # type: ignore[misc]
        await follower.catch_up()
        places.append(await place(store))

    assert await noted(store) == log
    assert max(after - before for before, after in pairwise(places)) > 1
    assert places.count(places[0]) > Patient.lag - 2, "most events were passed without a write"
    assert places[-1] > head


async def finish(tx: Transaction, number: int) -> None:
    await tx.sessions.lock("s1")
    tx.events.append("s1", RunFinished(run_id=f"late{number}"), by=ANN)


async def test_a_follower_that_begins_now_is_told_nothing_of_the_past(store: Store, log: list[int]) -> None:
    follower = New(store)
    await follower.begin_now()
    await say(store, "after")
    await New(store).begin_now()
    await follower.catch_up()

    assert len(await noted(store)) == 1
    assert (await noted(store))[0] > log[-1]


async def test_progress_is_told_after_every_batch(store: Store) -> None:
    told: list[tuple[int, int]] = []
    await Noting(store, batch=6).catch_up(progress=lambda done, of: told.append((done, of)))

    head = await store.read(lambda tx: tx.events.head())
    assert [of for _, of in told] == [head] * len(told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (head, head)
