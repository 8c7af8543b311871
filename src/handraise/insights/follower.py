"""The follower: reads the event log on and adds it to the counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from handraise.core.errors import Conflict
from handraise.core.log.facts import EntryUsed, Event, RequestOpened
from handraise.insights.counted import is_counted
from handraise.insights.folding import ABOUT_REQUESTS, Fold, Known
from handraise.knowledge.questions import is_for_people, key_of
from handraise.store.following import LogFollower
from handraise.store.store import Store, Transaction
from handraise.store.tables.counts import CURSOR


class CountsFollower(LogFollower):
    """While it is entered, the counts follow the log. Any number of processes may run one."""

    name = "insights"
    cursor = CURSOR
    # A busy service writes counts twice a second, and not for every event.
    gathering = timedelta(seconds=0.5)

    async def _handle(self, tx: Transaction, events: Sequence[Event]) -> None:
        await fold(tx, events)


async def fold(tx: Transaction, events: Sequence[Event]) -> None:
    """Add events, in their order, to what is counted."""
    counted = [event for event in events if is_counted(event.fact)]
    if not counted:
        return
    folding = Fold(await _known(tx, counted))
    for event in counted:
        folding.take(event)
    await tx.insights.add(folding.counts)
    await tx.insights.save(folding.changed.values())
    await tx.insights.add_edits(folding.edits)


async def rebuild(
    store: Store,
    *,
    without_forgotten: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Forget all counts and count the whole log again. A service that runs meanwhile does its share.

    Of sessions that were forgotten on purpose only the counts are left: they are kept unless told otherwise.
    """
    forgotten = await store.read(lambda tx: tx.forgetting.count())
    if forgotten and not without_forgotten:
        raise Conflict(
            f"{forgotten} sessions were forgotten on purpose; what they add to the figures cannot be counted again.",
            fix="Nothing was changed. To count without them, add --without-forgotten.",
        )
    await store.write(lambda tx: tx.insights.clear())
    await CountsFollower(store, batch=2_000).catch_up(progress=progress)


async def _known(tx: Transaction, events: Sequence[Event]) -> Known:
    requests = [event.fact.request for event in events if isinstance(event.fact, ABOUT_REQUESTS)]
    opened = [event.fact.request for event in events if isinstance(event.fact, RequestOpened)]
    sessions = [request.session_id for request in opened]
    return Known(
        facts=await tx.insights.facts_of(request.id for request in requests),
        sessions=await tx.insights.sessions(sessions),
        assisted=await tx.insights.assisted(sessions),
        asked=await tx.insights.asked(key_of(request) for request in opened if is_for_people(request)),
        captured=await tx.insights.captured(e.fact.entry_id for e in events if isinstance(e.fact, EntryUsed)),
    )
