"""Search: from a question to passages, each with the id of its entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel

from handraise.core.actors import Actor
from handraise.core.knowledge import Entry
from handraise.core.log.facts import EntryUsed
from handraise.core.text.tokens import language_of
from handraise.knowledge.highlights import highlight
from handraise.knowledge.query import terms_of
from handraise.knowledge.ranking import Ranked, rank
from handraise.store.store import Store, Transaction

if TYPE_CHECKING:
    from handraise.knowledge.embeddings import Meanings

RELEVANT = 2.75
"""The score that an entry needs: about one uncommon concept. Below it, no passage is better than a wrong one."""

COVERED = 0.5
"""The part of a question that an entry must have for half that score to do: short questions are about common things."""

FUSED = 20
"""How many places of each list count when words and meanings are fused."""


class Passage(BaseModel):
    """An entry that may answer a question, with the words that it was found by marked as `**words**`."""

    entry: Entry
    score: float
    coverage: float
    highlights: list[str]


class Search:
    """Finds passages by words and, where there is an embedding model, by meaning; counts which were used."""

    def __init__(self, store: Store, *, meanings: Meanings | None = None) -> None:
        self._store = store
        self._meanings = meanings

    async def find(
        self, question: str, *, limit: int = 5, drafts: bool = False, language: str | None = None
    ) -> list[Passage]:
        """Return the passages for a question, the best first; none when nothing fits."""
        if self._meanings is None:
            return await search(self._store, question, limit=limit, drafts=drafts, language=language)
        near = await self._meanings.nearest(question, limit=FUSED)

        async def read(tx: Transaction) -> list[Passage]:
            terms = terms_of(question)
            words = await _by_words(tx, question, terms, drafts=drafts, language=language, relevant=RELEVANT)
            return await _fused(tx, terms, words, near, limit=limit, language=language)

        return await self._store.read(read)

    async def use(self, passages: Sequence[Passage], *, query: str, session_id: str | None, by: Actor) -> None:
        """Count that an agent was given these passages, and note it on its session if that is one of ours."""

        async def work(tx: Transaction) -> None:
            known = session_id is not None and await tx.sessions.exists(session_id)
            # In one order for everybody, so that two agents with the same passages do not wait for each other.
            for passage in sorted(passages, key=lambda passage: passage.entry.id):
                await tx.knowledge.count_use(passage.entry.id)
                if known and session_id is not None:
                    tx.events.append(session_id, EntryUsed(entry_id=passage.entry.id, query=query), by=by)

        if passages:
            await self._store.write(work)


async def search(
    store: Store, question: str, *, limit: int = 5, drafts: bool = False, language: str | None = None
) -> list[Passage]:
    """Return the passages for a question by its words, on one view of the data."""
    return await store.read(lambda tx: find_passages(tx, question, limit=limit, drafts=drafts, language=language))


async def find_passages(
    tx: Transaction,
    question: str,
    *,
    limit: int = 5,
    drafts: bool = False,
    language: str | None = None,
    relevant: float = RELEVANT,
) -> list[Passage]:
    """Return the passages for a question by its words, the best first."""
    terms = terms_of(question)
    best = await _by_words(tx, question, terms, drafts=drafts, language=language, relevant=relevant)
    return await _passages(tx, terms, best[:limit])


async def _by_words(
    tx: Transaction, question: str, terms: Mapping[str, float], *, drafts: bool, language: str | None, relevant: float
) -> list[Ranked]:
    found = await tx.knowledge.find(terms, drafts=drafts, language=language)
    ranked = rank(terms, found, language=language_of(question))
    return [each for each in ranked if each.score >= (relevant / 2 if each.coverage >= COVERED else relevant)]


async def _fused(
    tx: Transaction,
    terms: Mapping[str, float],
    words: Sequence[Ranked],
    near: Sequence[int],
    *,
    limit: int,
    language: str | None,
) -> list[Passage]:
    from handraise.knowledge.embeddings import fuse

    by_row = {each.row: each for each in words}
    order = fuse([[each.row for each in words[:FUSED]], near])
    passages = await _passages(tx, terms, [by_row.get(row) or Ranked(row, 0.0, 0.0) for row in order])
    return [each for each in passages if language is None or each.entry.language == language][:limit]


async def _passages(tx: Transaction, terms: Mapping[str, float], ranked: Sequence[Ranked]) -> list[Passage]:
    entries = await tx.knowledge.of_rows([each.row for each in ranked])
    return [
        Passage(
            entry=entries[each.row],
            score=round(each.score, 4),
            coverage=round(each.coverage, 4),
            highlights=highlight(entries[each.row], set(terms)),
        )
        for each in ranked
        if each.row in entries
    ]
