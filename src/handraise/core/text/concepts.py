"""Concepts: what a text is about, whatever words it says that in.

A customer writes "won't let me in", the entry says "account locked": both say one concept of the thesaurus, whose
phrases are in `thesaurus/*.tsv`. English words are found with up to three others between them; any word that denies is
`not`. A space in a Chinese phrase stands for up to six characters. No phrase reaches over a comma or a full stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from handraise.core.text.tokens import folded, is_han, stem, tokens

MARK = "§"
"""How the token of a concept begins; no word does."""

THING = "§§"
"""How the token of a thing begins that shops sell: it narrows a question down, but is not what is asked."""

_BETWEEN_WORDS = 3
_BETWEEN_CHARACTERS = 6

_LONGEST_CLAUSE = 500
_LONGEST_TEXT = 20_000
"""How much of a text is searched for concepts, in characters; its tokens end sooner."""

_CLAUSES = re.compile(r"[.!?;,:\n。！？；，、：…()（）\"“”]+")
_WORDS = re.compile(r"[a-z0-9&]+")
_DENIALS = re.compile(
    "not|no|never|none|without|cannot|aint|(ca|could|wo|would|should|do|does|did|is|are|was|were|has|have|had)nt"
)
_IRREGULAR = {
    form: verb
    for verb, forms in {
        "break": "broke broken", "buy": "bought", "bring": "brought", "choose": "chose chosen", "come": "came coming",
        "fall": "fell fallen", "find": "found", "forget": "forgot forgotten", "get": "got gotten getting",
        "give": "gave given giving", "go": "went gone goes going", "hear": "heard", "hold": "held", "keep": "kept",
        "know": "knew known", "lend": "lent", "lose": "lost losing", "make": "made making", "pay": "paid",
        "say": "said says", "sell": "sold", "send": "sent", "shrink": "shrank shrunk", "steal": "stole stolen",
        "take": "took taken taking", "tear": "tore torn", "tell": "told", "think": "thought", "throw": "threw thrown",
        "wear": "wore worn", "write": "wrote written", "die": "died dying dead", "change": "changing",
    }.items()
    for form in forms.split()
}  # fmt: skip
_FILLERS = re.compile("an?|the|my|your|our|its?|is|are|was|were|be|been|i|me|you|to|of|do|does|did")
_PARTICLES = re.compile("[的我你您们啊呀呢吧嘛哦也都就]")
_GUARDED = re.compile("包装|服装|套装|型号|账号|号码|满意|不满|装备|颜色|特色|折扣|打折|多长时间|包裹|换季")
"""Words that only look as if they held a shorter one of the thesaurus."""


@dataclass(frozen=True)
class Phrase:
    """One way to say a concept, as the parts that must follow each other."""

    concept: str
    parts: tuple[str, ...]


def meanings(text: str) -> list[str]:
    """Return the tokens of a text and the concepts that it says: what an entry of the knowledge base is found by."""
    return [*tokens(text), *sorted(concepts(text))]


def is_concept(token: str) -> bool:
    """Return whether a token is a concept, and no word."""
    return token.startswith(MARK)


def is_thing(token: str) -> bool:
    """Return whether a token is a thing that shops sell."""
    return token.startswith(THING)


def concepts(text: str) -> dict[str, set[str]]:
    """Return the concepts that a text says, each with the tokens of the words that say it."""
    found: dict[str, set[str]] = {}
    for clause in _clauses(folded(text[:_LONGEST_TEXT])):
        for concept, words in _said(clause):
            found.setdefault(concept, set()).update(words)
    return found


def _clauses(text: str) -> Iterator[str]:
    """Cut a text at its punctuation, and now and then where there is none: phrases are compared in pairs."""
    for clause in _CLAUSES.split(text):
        for at in range(0, len(clause), _LONGEST_CLAUSE):
            yield clause[at : at + _LONGEST_CLAUSE]


def _said(clause: str) -> Iterator[tuple[str, set[str]]]:
    if any(is_han(character) for character in clause):
        yield from _said_in_chinese(clause)
    words = _WORDS.findall(clause)
    if words:
        yield from _said_in_words(words)


def _said_in_words(words: list[str]) -> Iterator[tuple[str, set[str]]]:
    heard = [_heard(word) for word in words]
    there = set(heard)
    phrases, _ = _thesaurus()
    for at, word in enumerate(heard):
        for phrase in phrases.get(word, ()):
            # Most phrases fail here already, and this is much quicker than to look for their words in order.
            if there.issuperset(phrase.parts) and (places := _follow(heard, phrase.parts, at)):
                yield phrase.concept, {token for place in places for token in tokens(words[place])}


def _follow(heard: list[str], parts: tuple[str, ...], at: int) -> list[int]:
    places = [at]
    for part in parts[1:]:
        first = places[-1] + 1
        try:
            places.append(heard.index(part, first, first + 1 + _BETWEEN_WORDS))
        except ValueError:
            return []
    return places


def _said_in_chinese(clause: str) -> Iterator[tuple[str, set[str]]]:
    for text in dict.fromkeys((clause, _PARTICLES.sub("", clause))):
        hits = list(_chinese_hits(text))
        words = [match.span() for match in _GUARDED.finditer(text)]
        longer = [*words, *((start, end) for start, end, _ in hits if end - start > 1)]
        for start, end, phrase in hits:
            inside = longer if end - start == 1 else words
            if not any(one <= start and end <= other and other - one > end - start for one, other in inside):
                yield phrase.concept, {token for part in phrase.parts for token in tokens(part)}


def _chinese_hits(text: str) -> Iterator[tuple[int, int, Phrase]]:
    _, phrases = _thesaurus()
    for at, character in enumerate(text):
        for phrase in phrases.get(character, ()):
            end = at
            for number, part in enumerate(phrase.parts):
                room = end + len(part) + (_BETWEEN_CHARACTERS if number else 0)
                place = text.find(part, end, room)
                if place < 0 or (number == 0 and place != at):
                    break
                end = place + len(part)
            else:
                yield at, end, phrase


def _heard(word: str) -> str:
    return "not" if _DENIALS.fullmatch(word) else stem(_IRREGULAR.get(word, word))


@cache
def _thesaurus() -> tuple[dict[str, list[Phrase]], dict[str, list[Phrase]]]:
    """Return the phrases by the first word, and those in Chinese by the first character."""
    by_word: dict[str, dict[Phrase, None]] = {}
    by_character: dict[str, dict[Phrase, None]] = {}
    for name, mark in (("concepts", MARK), ("products", THING)):
        text = (files("handraise.core.text") / "thesaurus" / f"{name}.tsv").read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("#"):
                continue
            concept, english, chinese = line.split("\t")
            for phrase in english.split(", "):
                parts = _parts(phrase)
                by_word.setdefault(parts[0], {})[Phrase(mark + concept, parts)] = None
            for phrase in chinese.split(","):
                parts = tuple(folded(phrase).split())
                by_character.setdefault(parts[0][0], {})[Phrase(mark + concept, parts)] = None
    return ({key: list(each) for key, each in by_word.items()}, {key: list(each) for key, each in by_character.items()})


def _parts(phrase: str) -> tuple[str, ...]:
    words = _WORDS.findall(folded(phrase))
    telling = [word for word in words if not _FILLERS.fullmatch(word)]
    kept = telling if len(telling) >= min(2, len(words)) else words
    return tuple(_heard(word) for word in kept)
