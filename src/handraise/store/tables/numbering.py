"""Numbers for events: one of its session, one of the whole store, and the hash of the event before it.

The counter of the store is the last thing a transaction locks, so numbers follow the order of commits: a reader who
has seen number n has seen everything before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from handraise.core.errors import NotFound
from handraise.core.log.chain import START
from handraise.store.connection import Connection
from handraise.store.tables.sessions import Sessions


class ChainPlace(NamedTuple):
    """Where a session's next event goes, and the hash of the one before it."""

    session_seq: int
    previous: str


class Numbers(NamedTuple):
    """What a transaction's events are numbered from, and their time."""

    places: dict[str, ChainPlace]
    seq: int
    at: int


# The hash is read in the same statement, which sees what there was when it began: the session must be locked before.
_OF_SESSION: Final = (
    "UPDATE sessions SET last_seq = last_seq + :count WHERE id = :id RETURNING last_seq, "
    "(SELECT hash FROM events WHERE session_id = :id AND session_seq = last_seq - :count) AS previous"
)

# The clock as it is once the lock is there: the statement may have waited for it while others wrote.
_OF_STORE: Final = (
    "UPDATE counters SET value = value + :count{of} WHERE name = 'events' RETURNING value, clock_us() AS at"
)

_OF_BOTH: Final = (
    f"WITH numbered AS ({_OF_SESSION}), counted AS ({_OF_STORE.format(of=' FROM numbered')}) "
    "SELECT last_seq, previous, value, at FROM numbered, counted"
)
"""Both in one, in the same order; only PostgreSQL writes two tables at once."""


async def reserve(connection: Connection, sessions: Sessions, counts: Mapping[str, int]) -> Numbers:
    """Reserve so many numbers for each of some sessions. Each of them is locked first, if it is not yet."""
    for session_id in sorted(counts):
        await sessions.keep_writers_off(session_id)
    if len(counts) == 1 and connection.backend == "postgresql":
        [(session_id, count)] = counts.items()
        row = await connection.one(_OF_BOTH, {"id": session_id, "count": count})
        if row is None:
            raise NotFound("session", session_id)
        return Numbers({session_id: _place(row[0], row[1], count=count)}, int(row[2]) - count + 1, int(row[3]))
    places = {}
    for session_id, count in counts.items():
        row = await connection.one(_OF_SESSION, {"id": session_id, "count": count})
        if row is None:
            raise NotFound("session", session_id)
        places[session_id] = _place(row[0], row[1], count=count)
    total = sum(counts.values())
    row = await connection.one(_OF_STORE.format(of=""), {"count": total})
    if row is None:
        raise AssertionError("the first migration adds the counter")
    return Numbers(places, int(row[0]) - total + 1, int(row[1]))


def _place(last: int, previous: str | None, *, count: int) -> ChainPlace:
    return ChainPlace(int(last) - count + 1, previous or START)
