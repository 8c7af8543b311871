"""Events in the database: append-only, numbered without gaps, for each session and for the whole store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from handraise.core.actors import Actor
from handraise.core.log.chain import Link, content_digest, new_salt
from handraise.core.log.facts import ABOUT_A_REQUEST, Event, Fact, facts
from handraise.core.log.gists import Gist, gist_of
from handraise.store.connection import Connection, Row, from_us, to_json
from handraise.store.tables.numbering import ChainPlace, reserve
from handraise.store.tables.sessions import Sessions

_COLUMNS = "seq, session_id, session_seq, at, actor, name, gist, fact"
_STORED = (
    "seq", "session_id", "session_seq", "at", "name", "key", "actor", "fact", "gist", "salt", "digest", "hash",
)  # fmt: skip

ROWS = 8
"""How many events go into one statement: enough for nearly every transaction, and few statements to be prepared."""


class _Noted(NamedTuple):
    session_id: str
    by: Actor
    fact: Fact
    key: str | None = None


class _Written(NamedTuple):
    actor: dict[str, Any]
    fact: str
    gist: Gist
    salt: str
    digest: str

    @classmethod
    def of(cls, noted: _Noted) -> Self:
        fact, salt = to_json(facts.dump_python(noted.fact, mode="json")), new_salt()
        return cls(noted.by.model_dump(), fact, gist_of(noted.fact), salt, content_digest(salt, fact))


class Events:
    """Facts are noted during a transaction and numbered just before it commits."""

    def __init__(self, connection: Connection, sessions: Sessions) -> None:
        self._connection = connection
        self._sessions = sessions
        self._noted: list[_Noted] = []

    def append(self, session_id: str, fact: Fact, *, by: Actor) -> None:
        """Note a fact; it is stored when the transaction commits."""
        self._noted.append(_Noted(session_id, by, _as_people_see_it(fact)))

    async def append_once(self, session_id: str, fact: Fact, *, by: Actor, key: str) -> bool:
        """Note a fact unless its key is recorded already. The session must be locked. Return whether it is new."""
        return bool(await self.append_new(session_id, [(key, fact)], by=by))

    async def append_new(self, session_id: str, keyed: Sequence[tuple[str, Fact]], *, by: Actor) -> list[Fact]:
        """Note those facts whose keys are not recorded yet, and return them. The session must be locked."""
        known = {noted.key for noted in self._noted if noted.session_id == session_id}
        known |= await self.keys_among(session_id, [key for key, _ in keyed])
        new = []
        for key, fact in keyed:
            if key not in known:
                known.add(key)
                self._noted.append(_Noted(session_id, by, _as_people_see_it(fact), key))
                new.append(fact)
        return new

    async def keys_among(self, session_id: str, keys: Sequence[str]) -> set[str]:
        """Return which of these keys are recorded."""
        named = {f"key_{number}": key for number, key in enumerate(keys)}
        rows = await self._connection.all(
            f"SELECT key FROM events WHERE session_id = :session_id AND key IN ({', '.join(f':{n}' for n in named)})",
            {"session_id": session_id, **named},
        )
        return {str(row[0]) for row in rows}

    async def flush(self) -> int:
        """Number and store what was noted. Return how many facts there were."""
        if not self._noted:
            return 0
        # Everything that takes time is done before the counter is locked.
        written = [_Written.of(noted) for noted in self._noted]
        counts = Counter(noted.session_id for noted in self._noted)
        places, first, at = await reserve(self._connection, self._sessions, counts)
        rows = []
        for seq, (noted, texts) in enumerate(zip(self._noted, written, strict=True), start=first):
            session_seq, previous = places[noted.session_id]
            link = Link(
                seq=seq,
                session_id=noted.session_id,
                session_seq=session_seq,
                at=at,
                name=noted.fact.name,
                key=noted.key,
                actor=texts.actor,
                gist=texts.gist,
                digest=texts.digest,
            )
            bound = link.hash(previous)
            rows.append(
                {
                    **vars(link),
                    "actor": to_json(texts.actor),
                    "gist": to_json(texts.gist),
                    "fact": texts.fact,
                    "salt": texts.salt,
                    "hash": bound,
                }
            )
            places[noted.session_id] = ChainPlace(session_seq + 1, bound)
        for start in range(0, len(rows), ROWS):
            await self._insert(rows[start : start + ROWS])
        return len(rows)

    async def _insert(self, rows: Sequence[Mapping[str, Any]]) -> None:
        values = ", ".join(f"({', '.join(f':{name}_{number}' for name in _STORED)})" for number in range(len(rows)))
        await self._connection.run(
            f"INSERT INTO events ({', '.join(_STORED)}) VALUES {values}",
            {f"{name}_{number}": row[name] for number, row in enumerate(rows) for name in _STORED},
        )

    async def of_session(self, session_id: str, *, after: int = 0, limit: int = 500) -> list[Event]:
        """Return a session's events after its `session_seq` `after`, in order."""
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM events WHERE session_id = :session_id AND session_seq > :after "
            "ORDER BY session_seq LIMIT :limit",
            {"session_id": session_id, "after": after, "limit": limit},
        )
        return [_event(row) for row in rows]

    async def since(self, seq: int, *, limit: int = 500) -> list[Event]:
        """Return all events after `seq`, in order."""
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM events WHERE seq > :seq ORDER BY seq LIMIT :limit", {"seq": seq, "limit": limit}
        )
        return [_event(row) for row in rows]

    async def named(self, name: str) -> list[Event]:
        """Return every event of a name, in order: for those that are few."""
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM events WHERE name = :name ORDER BY seq", {"name": name}
        )
        return [_event(row) for row in rows]

    async def find(self, session_id: str, key: str) -> Event | None:
        """Return the event that was appended once under this key, if it was."""
        row = await self._connection.one(
            f"SELECT {_COLUMNS} FROM events WHERE session_id = :session_id AND key = :key",
            {"session_id": session_id, "key": key},
        )
        return None if row is None else _event(row)

    async def last_messages(self, session_id: str, *, limit: int) -> list[Event]:
        """Return the last messages of a session, to and from the customer, in order."""
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM events WHERE session_id = :session_id "
            "AND name IN ('message.received', 'message.sent') ORDER BY session_seq DESC LIMIT :limit",
            {"session_id": session_id, "limit": limit},
        )
        return [_event(row) for row in reversed(rows)]

    async def last_received(self, session_id: str) -> str:
        """Return what the customer wrote last; nothing when nothing was written yet."""
        row = await self._connection.one(
            "SELECT fact FROM events WHERE session_id = :session_id AND name = 'message.received' "
            "ORDER BY session_seq DESC LIMIT 1",
            {"session_id": session_id},
        )
        return str(json.loads(row[0])["text"]) if row and row[0] else ""

    async def head(self) -> int:
        """Return the number of the newest event."""
        row = await self._connection.one("SELECT value FROM counters WHERE name = 'events'")
        return int(row[0]) if row else 0


def _as_people_see_it(fact: Fact) -> Fact:
    """Return a fact as it is recorded, which is for people: without what is sensitive in a request."""
    if isinstance(fact, ABOUT_A_REQUEST) and fact.request.sensitive:
        return fact.model_copy(update={"request": fact.request.masked()})
    return fact


def _event(row: Row) -> Event:
    seq, session_id, session_seq, at, actor, name, gist, fact = row
    said = json.loads(fact) if fact else {"name": "content.forgotten", "was": name, "gist": json.loads(gist)}
    return Event.model_validate(
        {
            "seq": seq,
            "session_id": session_id,
            "session_seq": session_seq,
            "at": from_us(at),
            "actor": json.loads(actor),
            "fact": said,
        }
    )
