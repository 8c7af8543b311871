"""Near-duplicates: entries that ask the same in almost the same words."""

from __future__ import annotations

from collections.abc import Sequence

from handraise.core.knowledge import Entry
from handraise.core.text.tokens import plain, tokens
from handraise.knowledge.ranking import likeness
from handraise.store.store import Transaction

SAME = 0.6
"""From this likeness on, two questions count as one."""

SAME_ANSWER = 0.8


async def near_duplicates(tx: Transaction, question: str, *, besides: str = "", drafts: bool = True) -> list[Entry]:
    """Return the entries that ask the same, published ones first, then the most alike."""
    found = await tx.knowledge.find(tokens(question), drafts=drafts)
    entries = await tx.knowledge.of_rows(list(found.texts))
    alike = {
        entry.id: (max(same(question, wording) for wording in (entry.question, *entry.wordings)), entry)
        for entry in entries.values()
        if entry.id != besides
    }
    close = [(score, entry) for score, entry in alike.values() if score >= SAME]
    close.sort(key=lambda each: (each[1].status != "published", -each[0], each[1].created_at, each[1].id))
    return [entry for _, entry in close]


def same(one: str, other: str) -> float:
    """Return how alike two questions are, from 0 to 1. Questions about different numbers are not alike at all."""
    if plain(one) == plain(other):
        return 1.0
    ours, theirs = tokens(one), tokens(other)
    return likeness(ours, theirs) if _numbers(ours) == _numbers(theirs) else 0.0


def same_answer(one: str, other: str) -> bool:
    """Return whether two answers tell the same."""
    ours, theirs = tokens(one), tokens(other)
    if plain(one) == plain(other):
        return True
    return _numbers(ours) == _numbers(theirs) and likeness(ours, theirs) >= SAME_ANSWER


def _numbers(found: Sequence[str]) -> set[str]:
    return {token for token in found if any(character.isdigit() for character in token)}
