"""Curation: what people do with entries. Every move is one transaction, with its fact in the entry's history."""

from __future__ import annotations

import uuid
from contextlib import suppress
from datetime import datetime
from typing import Unpack

from pydantic import AwareDatetime, BaseModel, ConfigDict

from handraise.core.actors import Actor
from handraise.core.errors import AlreadyKnown, Conflict, NotFound
from handraise.core.knowledge import Changes, Entry
from handraise.core.log.chain import INSTALLATION
from handraise.core.log.facts import EntryDrafted, EntryEdited, EntryMerged, EntryPublished, EntryRetired
from handraise.core.text.tokens import language_of
from handraise.knowledge.duplicates import near_duplicates
from handraise.store.store import Store, Transaction
from handraise.store.tables.knowledge import EntryFact, changed_meanwhile


class NewEntry(BaseModel):
    """What a person writes to make an entry."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    answer: str
    wordings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    language: str = ""
    source: str = ""
    valid_until: AwareDatetime | None = None


class Curation:
    """Draft, publish, edit, merge and retire entries.

    Each takes the `version` that its caller has seen: whoever comes second is told, and nothing is overwritten.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def draft(self, new: NewEntry, *, by: Actor, publish: bool = False, even_if_similar: bool = False) -> Entry:
        """Write an entry, and publish it at once when asked to. One that is known already is refused."""

        async def work(tx: Transaction) -> Entry:
            entry = drafted(new, by=by, at=await tx.now())
            if not even_if_similar:
                await _must_be_new(tx, entry, drafts=True)
            await tx.knowledge.add([EntryDrafted(entry=entry)], by=by)
            await record_fact(tx, EntryDrafted(entry=entry), by=by)
            if publish:
                entry = entry.publish(at=entry.updated_at)
                await save(tx, EntryPublished(entry=entry), by=by)
            return entry

        return await self._store.write(work)

    async def publish(
        self, entry_id: str, *, by: Actor, version: int | None = None, even_if_similar: bool = False
    ) -> Entry:
        """Let agents answer from a draft, unless a published entry answers the same question."""

        async def work(tx: Transaction) -> Entry:
            entry = (await _seen(tx, entry_id, version)).publish(at=await tx.now())
            if not even_if_similar:
                await _must_be_new(tx, entry, drafts=False)
            return await save(tx, EntryPublished(entry=entry), by=by)

        return await self._store.write(work)

    async def edit(self, entry_id: str, *, by: Actor, version: int | None = None, **changes: Unpack[Changes]) -> Entry:
        """Change an entry's words; a published one stays published."""

        async def work(tx: Transaction) -> Entry:
            entry = await _seen(tx, entry_id, version)
            return await save(tx, EntryEdited(entry=entry.edit(at=await tx.now(), **changes)), by=by)

        return await self._store.write(work)

    async def retire(self, entry_id: str, *, by: Actor, version: int | None = None) -> Entry:
        """Take an entry out of use. It stays in the history."""

        async def work(tx: Transaction) -> Entry:
            entry = await _seen(tx, entry_id, version)
            return await save(tx, EntryRetired(entry=entry.retire(at=await tx.now())), by=by)

        return await self._store.write(work)

    async def merge(
        self, entry_id: str, into: str, *, by: Actor, version: int | None = None, take_answer: bool = False
    ) -> Entry:
        """Retire an entry in favour of another, which gets its wordings, and its answer when that is the better one.

        Returns the entry that stays.
        """

        async def work(tx: Transaction) -> Entry:
            at = await tx.now()
            gone = await _seen(tx, entry_id, version)
            stays = await tx.knowledge.get(into)
            if stays.status == "retired":
                raise Conflict(f"Entry {into} is retired.", fix="Merge into an entry that is in use.")
            merged = gone.merge_into(into, at=at)
            kept = stays.absorb(gone, at=at, answer=gone.answer if take_answer else None)
            # In one order for everybody: two curators who merge two entries into each other must not wait forever.
            changes: list[EntryFact] = [EntryMerged(entry=merged), EntryEdited(entry=kept)]
            for fact in sorted(changes, key=lambda fact: fact.entry.id):
                await save(tx, fact, by=by)
            return kept

        return await self._store.write(work)


def drafted(new: NewEntry, *, by: Actor, at: datetime) -> Entry:
    """Return a new entry, with its language guessed when nobody said it."""
    entry = Entry(
        id=f"kb_{uuid.uuid4().hex[:24]}",
        created_by=by,
        created_at=at,
        updated_at=at,
        **new.model_dump(exclude={"language"}),
        language=new.language or language_of(new.question),
    )
    return entry.checked()


async def save(tx: Transaction, fact: EntryFact, *, by: Actor) -> Entry:
    """Store a change, and note it in the audit trail."""
    await tx.knowledge.save(fact, by=by)
    await record_fact(tx, fact, by=by)
    return fact.entry


async def record_fact(tx: Transaction, fact: EntryFact, *, by: Actor) -> None:
    """Note a fact where the entry came from: on the session whose answer it is, else on the installation's record."""
    session_id = INSTALLATION
    if fact.entry.request_id is not None:
        with suppress(NotFound):
            session_id = (await tx.requests.get(fact.entry.request_id)).session_id
    tx.events.append(session_id, fact, by=by)


async def _seen(tx: Transaction, entry_id: str, version: int | None) -> Entry:
    entry = await tx.knowledge.get(entry_id)
    if version is not None and entry.version != version:
        raise changed_meanwhile(entry)
    return entry


async def _must_be_new(tx: Transaction, entry: Entry, *, drafts: bool) -> None:
    for known in await near_duplicates(tx, entry.question, besides=entry.id, drafts=drafts):
        raise AlreadyKnown(question=entry.question, entry_id=known.id, known=known.question)
