"""Ranking: one formula for both databases, BM25 over two fields.

A word or a concept counts by how rare it is, in the question much more than in the answer, and less with every
repetition. An entry is marked down when it is about another thing, or asks for what the customer does not. Of several
wordings the best one counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from handraise.core.text.concepts import is_concept, is_thing
from handraise.core.text.tokens import language_of
from handraise.store.tables.full_text import Found, Text

QUESTION = 3.0
ANSWER = 1.0
SATURATION = 1.2

UNKNOWN_PAIR = 0.25
UNKNOWN_WORD = 0.5
"""What a term that no entry has counts for coverage: most such pairs of Han characters are no words."""

USUAL_TOTAL = 1_000
USUAL_QUESTION = 12
USUAL_ANSWER = 60
LENGTH_MATTERS = 0.5
"""How much a longer text than usual is marked down, from 0 to 1."""


OTHER_THING = 0.5
"""What is left of the score of an entry about a thing that the question does not name."""

OTHER_LANGUAGE = 0.6
"""What is left of the score of an entry in another language: concepts have none, customers have."""

UNASKED = 0.5
"""What an entry loses when its question says concepts, and the customer none of them."""


@dataclass(frozen=True)
class Ranked:
    """One row: its score, and which part of the question's weight it has words for, from 0 to 1."""

    row: int
    score: float
    coverage: float


def rank(terms: Mapping[str, float], found: Found, *, language: str) -> list[Ranked]:
    """Order what was found for the terms of a question in a language, the best first."""
    weights = {term: weight * _rarity(found.frequency[term], found.total) for term, weight in terms.items()}
    whole = sum(weight * (1.0 if found.frequency[term] else _unknown(term)) for term, weight in weights.items()) or 1.0
    ranked = [_ranked(row, text, weights, whole, language) for row, text in found.texts.items()]
    return sorted(ranked, key=lambda each: (-each.score, each.row))


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how alike two questions are, from 0 to 1: the part of their words that both have."""
    ours, theirs = set(one), set(other)
    return len(ours & theirs) / len(ours | theirs) if ours and theirs else 0.0


def _rarity(texts: int, total: int) -> float:
    # In a small knowledge base every word is in a large part of the entries, and still none is common.
    total = max(total, USUAL_TOTAL)
    return math.log(1 + (max(total - texts, 0) + 0.5) / (texts + 0.5))


def _unknown(term: str) -> float:
    return UNKNOWN_PAIR if language_of(term) == "zh" else UNKNOWN_WORD


def _ranked(row: int, text: Text, weights: Mapping[str, float], whole: float, language: str) -> Ranked:
    answer = _counted(text.answer, weights, usual=USUAL_ANSWER, worth=ANSWER)
    best = covered = 0.0
    for wording in text.wordings:
        question = _counted(wording, weights, usual=USUAL_QUESTION, worth=QUESTION)
        score = found = 0.0
        for term in question.keys() | answer.keys():
            count = question.get(term, 0.0) + answer.get(term, 0.0)
            score += weights[term] * count / (SATURATION + count)
            found += weights[term]
        score *= _fit(wording, weights, language)
        if score > best:
            best, covered = score, found
    return Ranked(row, best, min(1.0, covered / whole))


def _fit(wording: Sequence[str], weights: Mapping[str, float], language: str) -> float:
    """Return how well the subject of an entry fits that of a question, from 0 to 1."""
    words = _words(wording)
    things = [token for token in wording[words:] if is_thing(token)]
    asked = [token for token in wording[words:] if not is_thing(token)]
    fit = 1.0
    if things and not any(thing in weights for thing in things):
        fit *= OTHER_THING
    if asked:
        fit *= 1 - UNASKED * sum(concept not in weights for concept in asked) / len(asked)
    if language_of("".join(wording[:words])) != language:
        fit *= OTHER_LANGUAGE
    return fit


def _counted(tokens: Sequence[str], weights: Mapping[str, float], *, usual: int, worth: float) -> dict[str, float]:
    norm = worth / (1 - LENGTH_MATTERS + LENGTH_MATTERS * max(_words(tokens), 1) / usual)
    counts: dict[str, float] = {}
    for token in tokens:
        if token in weights:
            counts[token] = counts.get(token, 0.0) + norm
    return counts


def _words(tokens: Sequence[str]) -> int:
    """Return how many of the tokens are words; concepts stand behind them."""
    words = len(tokens)
    while words and is_concept(tokens[words - 1]):
        words -= 1
    return words
