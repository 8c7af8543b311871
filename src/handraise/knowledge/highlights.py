"""Highlights: the part of an entry that shares words with a question, with those words marked."""

from __future__ import annotations

import re
from collections.abc import Set

from handraise.core.knowledge import Entry
from handraise.core.text.concepts import concepts
from handraise.core.text.tokens import is_single, tokens

ROOM = 160
"""How long a highlight is, in characters; a longer text is cut to the part around its first mark."""

_HAN = "\u3040-\u30ff\u3400-\u9fff"
_WORDS = re.compile(rf"(?=([{_HAN}]{{2}}))|([^\W_{_HAN}]+)")
"""Every pair of Han characters, also those that overlap, and every word of other scripts."""


def highlight(entry: Entry, terms: Set[str]) -> list[str]:
    """Return the question and the answer with the words of `terms` marked as `**words**`, where there are any."""
    shown = (_marked(text, _wanted(text, terms)) for text in (entry.question, entry.answer))
    return [marked for marked in shown if marked]


def _wanted(text: str, terms: Set[str]) -> set[str]:
    """Return the terms that are words, and the words by which a text says a concept among them."""
    said = (words for concept, words in concepts(text).items() if concept in terms)
    return {term for term in set(terms).union(*said) if not is_single(term)}


def _marked(text: str, wanted: set[str]) -> str:
    hit = [False] * (len(text) + 1)
    for match in _WORDS.finditer(text):
        group = 1 if match.group(1) else 2
        if wanted.intersection(tokens(match.group(group))):
            hit[match.start(group) : match.end(group)] = [True] * len(match.group(group))
    if not any(hit):
        return ""
    first = max(0, hit.index(True) - ROOM // 4) if len(text) > ROOM else 0
    last = min(len(text), first + ROOM)
    shown = "…" if first else ""
    for at in range(first, last):
        opens = hit[at] and (at == first or not hit[at - 1])
        closes = hit[at] and (at + 1 == last or not hit[at + 1])
        shown += f"{'**' if opens else ''}{text[at]}{'**' if closes else ''}"
    return shown + ("…" if last < len(text) else "")
