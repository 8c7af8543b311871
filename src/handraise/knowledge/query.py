"""Queries: the terms of a question with their weights, its words and the concepts that they say."""

from __future__ import annotations

from handraise.core.text.concepts import concepts, is_thing
from handraise.core.text.tokens import is_single, tokens

SINGLE = 0.3
"""What one Han character weighs beside a pair of them."""

CONCEPT = 1.3
"""What a concept weighs beside a word of the same rarity."""

THING = 1.2
"""What the thing that is asked about weighs."""

SAID = 0.4
"""What is left of a word whose concept counts already."""


def terms_of(question: str) -> dict[str, float]:
    """Return each distinct term of a question with its weight."""
    meant = concepts(question)
    said = {word for words in meant.values() for word in words}
    weights = {
        term: (SINGLE if is_single(term) else 1.0) * (SAID if term in said else 1.0) for term in tokens(question)
    }
    return weights | {concept: THING if is_thing(concept) else CONCEPT for concept in meant}
