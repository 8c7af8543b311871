"""Full text: which rows share words with a question, found by an index on both databases.

SQLite keeps the tokens in FTS5, PostgreSQL in a `tsvector`; both get the same tokens from `core.tokens`. The last word
on the order is the caller's, who scores what is found here, so that both databases answer alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from handraise.core.text.concepts import is_concept
from handraise.core.text.tokens import is_single, tokens
from handraise.store.connection import Backend, Connection, to_json

CANDIDATES = 200
"""How many rows are returned for scoring."""

EXPECTED = 900
"""How many rows a question should match: rare words are asked for first, and common ones only together."""

SCANNED = 500
"""How many matching rows are looked at, at most, when a question has none but common words."""

READ = 5_000
"""How much of the index a question reads, at most: a common word costs as many places as there are texts with it."""

PAIRED = 12
CONCEPTS = 6
"""How many words and concepts are asked for together with each other, and how many of these are concepts at most."""

_WORDINGS = " | "
_EVERY = ""
"""The term that every row has; its count is the number of rows."""


@dataclass(frozen=True)
class Text:
    """A text by its tokens: each wording of the question by itself, and the answer."""

    wordings: tuple[tuple[str, ...], ...]
    answer: tuple[str, ...] = ()

    @classmethod
    def of(cls, *wordings: str, answer: str = "", split: Callable[[str], list[str]] = tokens) -> Text:
        return cls(tuple(tuple(split(wording)) for wording in wordings), tuple(split(answer)))

    @property
    def terms(self) -> set[str]:
        return {token for wording in (*self.wordings, self.answer) for token in wording}


@dataclass(frozen=True)
class Found:
    """Rows to score, and how common each word of the question is."""

    texts: Mapping[int, Text]
    frequency: Mapping[str, int]
    total: int


class FullText:
    """The texts of one table, by the table's row numbers."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._sqlite = connection.backend == "sqlite"
        self._tokens = f"{name}_tokens"
        self._terms = f"{name}_terms"

    async def add(self, texts: Mapping[int, Text]) -> None:
        """Make texts findable. Each must be new."""
        vector = (", vector", ", array_to_tsvector(string_to_array(:terms, ' '))") if not self._sqlite else ("", "")
        for rowid, text in texts.items():
            await self._connection.run(
                f"INSERT INTO {self._tokens} (rowid, question, answer{vector[0]}) "
                f"VALUES (:rowid, :question, :answer{vector[1]})",
                {
                    "rowid": rowid,
                    "question": _WORDINGS.join(" ".join(wording) for wording in text.wordings),
                    "answer": " ".join(text.answer),
                    **({} if self._sqlite else {"terms": " ".join(sorted(text.terms))}),
                },
            )
        await self._count(texts.values(), step=1)

    async def remove(self, rowid: int) -> None:
        """Make a text impossible to find, if it was findable."""
        row = await self._connection.one(
            f"SELECT question, answer FROM {self._tokens} WHERE rowid = :rowid", {"rowid": rowid}
        )
        if row is not None:
            await self._connection.run(f"DELETE FROM {self._tokens} WHERE rowid = :rowid", {"rowid": rowid})
            await self._count([_text(*row)], step=-1)

    async def forget_removed(self) -> None:
        """Leave no trace of removed texts: not the words that only they had, nor what the index keeps of them."""
        await self._connection.run(f"DELETE FROM {self._terms} WHERE texts <= 0")
        if self._sqlite:
            await self._connection.run(f"INSERT INTO {self._tokens} ({self._tokens}) VALUES ('optimize')")

    async def find(self, terms: Iterable[str], *, among: str, params: Mapping[str, Any] | None = None) -> Found:
        """Return the rows most likely to answer a question with these terms.

        `among` is what follows FROM in a query of the rows that may be found; their number is `seq`.
        """
        wanted = list(dict.fromkeys(terms))
        frequency = await self._frequency(wanted)
        total = frequency.pop(_EVERY, 0)
        clauses = _clauses({term: frequency[term] for term in wanted if frequency[term]}, total)
        if not clauses:
            return Found({}, frequency, total)
        rows = await self._connection.all(
            self._sqlite_query(among) if self._sqlite else self._postgres_query(among),
            {
                **(params or {}),
                "match": (_fts5 if self._sqlite else _tsquery)(clauses),
                "scanned": SCANNED,
                "most": CANDIDATES,
            },
        )
        return Found({row[0]: _text(row[1], row[2]) for row in rows}, frequency, total)

    def _sqlite_query(self, among: str) -> str:
        # EXISTS rather than JOIN: SQLite may start a join from the other table, and search once for each of its rows.
        return (
            f"SELECT rowid, question, answer FROM {self._tokens} WHERE rowid IN (SELECT found FROM ("
            f"SELECT rowid AS found, rank AS worth FROM {self._tokens} WHERE {self._tokens} MATCH :match "
            f"AND EXISTS (SELECT 1 FROM {among} AND seq = {self._tokens}.rowid) LIMIT :scanned"
            ") AS matched ORDER BY worth, found LIMIT :most)"
        )

    def _postgres_query(self, among: str) -> str:
        return (
            "SELECT rowid, question, answer FROM ("
            f"SELECT rowid, question, answer, vector FROM {self._tokens} WHERE vector @@ CAST(:match AS tsquery) "
            f"AND EXISTS (SELECT 1 FROM {among} AND seq = {self._tokens}.rowid) LIMIT :scanned"
            ") AS matched ORDER BY ts_rank(vector, CAST(:match AS tsquery)) DESC, rowid LIMIT :most"
        )

    async def _frequency(self, terms: Sequence[str]) -> dict[str, int]:
        given = to_json([_EVERY, *terms])
        listed = (
            "SELECT value FROM json_each(:given)"
            if self._sqlite
            else "SELECT json_array_elements_text(CAST(:given AS json))"
        )
        rows = await self._connection.all(
            f"SELECT term, texts FROM {self._terms} WHERE term IN ({listed})", {"given": given}
        )
        return dict.fromkeys(terms, 0) | {str(term): int(texts) for term, texts in rows}

    async def _count(self, texts: Iterable[Text], *, step: int) -> None:
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(dict.fromkeys(text.terms, step) | {_EVERY: step})
        listed = (
            "SELECT key, value FROM json_each(:counts) WHERE true"
            if self._sqlite
            else "SELECT key, CAST(value AS bigint) FROM json_each_text(CAST(:counts AS json))"
        )
        # In one order for everybody: two writers who share words would else wait for each other.
        await self._connection.run(
            f"INSERT INTO {self._terms} (term, texts) {listed} ORDER BY 1 "
            f"ON CONFLICT (term) DO UPDATE SET texts = {self._terms}.texts + excluded.texts",
            {"counts": to_json(dict(counts))},
        )


def numbers(backend: Backend, name: str) -> str:
    """Return the query of the integers in the JSON list that is the parameter `name`."""
    if backend == "sqlite":
        return f"SELECT value FROM json_each(:{name})"
    return f"SELECT CAST(json_array_elements_text(CAST(:{name} AS json)) AS bigint)"


def _clauses(frequency: Mapping[str, int], total: int) -> list[tuple[str, ...]]:
    """Choose what to ask for: rare words alone, common ones in pairs, until enough rows are to be expected."""
    pairs = [term for term in frequency if not is_single(term)] or list(frequency)
    expected: dict[tuple[str, ...], float] = {(term,): frequency[term] for term in pairs}
    # Concepts besides the rarest words: most words of a long question tell a story, and hardly one is in the answer.
    rarest = sorted(pairs, key=lambda term: (frequency[term], term))
    concepts = [term for term in rarest if is_concept(term)][:CONCEPTS]
    words = [term for term in rarest if not is_concept(term)][: PAIRED - len(concepts)]
    for one, other in combinations([*concepts, *words], 2):
        least = min(frequency[one], frequency[other])
        # Words that stand together in a question often do so in an answer: ten times more often than by chance.
        expected[one, other] = min(least, 10 * frequency[one] * frequency[other] / max(total, 1))
    chosen: list[tuple[str, ...]] = []
    rows = 0.0
    read: set[str] = set()
    for clause in sorted(expected, key=lambda clause: (expected[clause], clause)):
        if any(set(before) <= set(clause) for before in chosen):
            continue
        if chosen and rows + expected[clause] > EXPECTED:
            break
        if chosen and sum(frequency[term] for term in read.union(clause)) > READ:
            continue
        chosen.append(clause)
        rows += expected[clause]
        read.update(clause)
    return chosen


def _fts5(clauses: Sequence[Sequence[str]]) -> str:
    return " OR ".join("(" + " AND ".join(f'"{term}"' for term in clause) + ")" for clause in clauses)


def _tsquery(clauses: Sequence[Sequence[str]]) -> str:
    return " | ".join("(" + " & ".join(f"'{term}'" for term in clause) + ")" for clause in clauses)


def _text(question: str, answer: str) -> Text:
    return Text(tuple(tuple(wording.split()) for wording in question.split("|")), tuple(answer.split()))
