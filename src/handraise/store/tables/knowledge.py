"""Entries of the knowledge base in the database: each with its words in the index and its history beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handraise.core.actors import Actor
from handraise.core.errors import Conflict, InvalidInput, NotFound
from handraise.core.knowledge import Entry
from handraise.core.log.facts import EntryDrafted, EntryEdited, EntryMerged, EntryPublished, EntryRetired, facts
from handraise.core.states import EntryStatus
from handraise.core.text.concepts import meanings
from handraise.store.connection import Connection, Row, from_us, to_json, to_us
from handraise.store.tables.full_text import Found, FullText, Text, numbers

EntryFact = EntryDrafted | EntryPublished | EntryEdited | EntryMerged | EntryRetired

_PLAIN = (
    "id", "question", "answer", "language", "source", "status", "request_id", "similar_to", "merged_into", "uses",
    "version",
)  # fmt: skip
_TIMES = ("valid_until", "created_at", "updated_at")
_DOCUMENTS = ("wordings", "tags", "created_by")
_NAMES = (*_PLAIN, *_TIMES, *_DOCUMENTS)
_COLUMNS = ", ".join(_NAMES)

PUBLISHED = "status = 'published' AND (valid_until IS NULL OR valid_until > now_us())"
KEPT = "status IN ('draft', 'published')"


@dataclass(frozen=True, kw_only=True)
class EntryRows:
    """Some entries, and where the next page starts."""

    items: list[Entry]
    next_cursor: int | None


class KnowledgeEntries:
    """Add, change, list and find entries."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._words = FullText(connection, "knowledge")

    async def add(self, entries: Iterable[EntryFact], *, by: Actor) -> None:
        """Store new entries, each with the fact that it begins with."""
        texts: dict[int, Text] = {}
        for fact in entries:
            row = await self._connection.one(
                f"INSERT INTO knowledge_entries ({_COLUMNS}) VALUES ({', '.join(f':{name}' for name in _NAMES)}) "
                "RETURNING seq",
                _row(fact.entry),
            )
            if row is None:
                raise AssertionError("an insert returns its row")
            if fact.entry.status != "retired":
                texts[row[0]] = searchable(fact.entry)
            await self._note(fact, by=by)
        await self._words.add(texts)

    async def save(self, fact: EntryFact, *, by: Actor) -> None:
        """Store an entry as it is after a move, unless it changed since it was read."""
        entry = fact.entry
        changes = ", ".join(f"{name} = :{name}" for name in _NAMES if name not in {"id", "uses"})
        row = await self._connection.one(
            f"UPDATE knowledge_entries SET {changes} WHERE id = :id AND version = :was RETURNING seq",
            {**{name: value for name, value in _row(entry).items() if name != "uses"}, "was": entry.version - 1},
        )
        if row is None:
            raise changed_meanwhile(await self.get(entry.id))
        await self._note(fact, by=by)
        await self._words.remove(row[0])
        if entry.status != "retired":
            await self._words.add({row[0]: searchable(entry)})

    async def get(self, entry_id: str) -> Entry:
        """Return an entry, or raise NotFound."""
        row = await self._connection.one(f"SELECT {_COLUMNS} FROM knowledge_entries WHERE id = :id", {"id": entry_id})
        if row is None:
            raise NotFound("entry", entry_id)
        return _entry(row)

    async def of_request(self, request_id: str) -> Entry | None:
        """Return the entry that was captured from a request."""
        row = await self._connection.one(
            f"SELECT {_COLUMNS} FROM knowledge_entries WHERE request_id = :id", {"id": request_id}
        )
        return None if row is None else _entry(row)

    async def history(self, entry_id: str) -> list[tuple[Actor, EntryFact]]:
        """Return every change of an entry with who made it, the first one first."""
        rows = await self._connection.all(
            "SELECT actor, fact FROM knowledge_history WHERE entry_id = :id ORDER BY version", {"id": entry_id}
        )
        found: list[tuple[Actor, EntryFact]] = []
        for actor, text in rows:
            fact = facts.validate_json(text)
            if not isinstance(fact, EntryFact):
                raise TypeError(f"the history of {entry_id} holds a {fact.name}")
            found.append((Actor.model_validate_json(actor), fact))
        return found

    async def list(self, *, status: EntryStatus | None = None, limit: int, cursor: int | None = None) -> EntryRows:
        """List entries, the newest first."""
        if limit < 1:
            raise InvalidInput(f"A page cannot hold {limit} entries.", fix="Ask for at least 1.")
        conditions = ["seq < :cursor"] if cursor is not None else []
        if status is not None:
            conditions.append("status = :status")
        rows = await self._connection.all(
            f"SELECT {_COLUMNS}, seq FROM knowledge_entries {'WHERE ' if conditions else ''}{' AND '.join(conditions)} "
            "ORDER BY seq DESC LIMIT :limit",
            {
                "limit": limit + 1,
                **({"status": status} if status is not None else {}),
                **({"cursor": cursor} if cursor is not None else {}),
            },
        )
        shown = rows[:limit]
        return EntryRows(
            items=[_entry(row[:-1]) for row in shown], next_cursor=shown[-1][-1] if len(rows) > limit else None
        )

    async def find(self, terms: Iterable[str], *, drafts: bool = False, language: str | None = None) -> Found:
        """Return what may answer a question: published and valid entries, and drafts too when asked for."""
        where = KEPT if drafts else PUBLISHED
        params: dict[str, Any] = {}
        if language is not None:
            where += " AND language = :language"
            params["language"] = language
        return await self._words.find(terms, among=f"knowledge_entries WHERE {where}", params=params)

    async def of_rows(self, rows: Sequence[int]) -> Mapping[int, Entry]:
        """Return the entries that were found."""
        listed = numbers(self._connection.backend, "rows")
        found = await self._connection.all(
            f"SELECT {_COLUMNS}, seq FROM knowledge_entries WHERE seq IN ({listed})", {"rows": to_json(list(rows))}
        )
        return {row[-1]: _entry(row[:-1]) for row in found}

    async def count_use(self, entry_id: str) -> None:
        """Count that an agent was given an entry. No version changes: nothing was edited."""
        await self._connection.run("UPDATE knowledge_entries SET uses = uses + 1 WHERE id = :id", {"id": entry_id})

    async def _note(self, fact: EntryFact, *, by: Actor) -> None:
        await self._connection.run(
            "INSERT INTO knowledge_history (entry_id, version, at, actor, fact) "
            "VALUES (:entry_id, :version, :at, :actor, :fact)",
            {
                "entry_id": fact.entry.id,
                "version": fact.entry.version,
                "at": to_us(fact.entry.updated_at),
                "actor": to_json(by.model_dump()),
                "fact": to_json(facts.dump_python(fact, mode="json")),
            },
        )


def changed_meanwhile(now: Entry) -> Conflict:
    """Return the error for somebody who worked on an older version."""
    return Conflict(
        f"Entry {now.id} was changed meanwhile: it is {now.status} and at version {now.version}.",
        fix="Nothing was saved; read it again and repeat the change.",
        details={"entry_id": now.id, "version": now.version, "status": now.status},
    )


def searchable(entry: Entry) -> Text:
    """Return what an entry is found by: its words, and the concepts that they say."""
    return Text.of(entry.question, *entry.wordings, answer="\n".join((entry.answer, *entry.tags)), split=meanings)


def _row(entry: Entry) -> dict[str, Any]:
    values = entry.model_dump(mode="json")
    return {
        **{name: values[name] for name in _PLAIN},
        **{name: to_us(getattr(entry, name)) for name in _TIMES},
        **{name: to_json(values[name]) for name in _DOCUMENTS},
    }


def _entry(row: Row) -> Entry:
    values = dict(zip(_NAMES, row, strict=True))
    for name in _TIMES:
        values[name] = from_us(values[name])
    for name in _DOCUMENTS:
        values[name] = json.loads(values[name])
    return Entry.model_validate(values)
