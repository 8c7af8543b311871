"""The comparison: ours on both databases beside what one gets from a database without further thought."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg

from handraise.core.actors import SERVICE
from handraise.core.knowledge import Entry
from handraise.core.log.facts import EntryPublished
from handraise.knowledge.search import search
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from tests.knowledge.quality.corpus import PARTS, Asked, Written

Method = Callable[[str], Awaitable[list[str]]]
"""From a question to the ids of the three best entries."""


@dataclass(frozen=True)
class Score:
    """How often the right entry came first, and among the first three, in percent; and what was missed."""

    top_1: float
    top_3: float
    missed: list[Asked]

    @classmethod
    async def of(cls, method: Method, asked: Sequence[Asked]) -> Score:
        places = [(each, await method(each.question)) for each in asked]
        return cls(
            top_1=100 * sum(found[:1] == [each.answer] for each, found in places) / len(asked),
            top_3=100 * sum(each.answer in found for each, found in places) / len(asked),
            missed=[each for each, found in places if each.answer not in found],
        )


async def fill(store: Store, corpus: Sequence[Written]) -> None:
    """Publish a corpus."""
    now = datetime.now(UTC)
    facts = [
        EntryPublished(
            entry=Entry(
                id=each.id,
                question=each.question,
                answer=each.answer,
                language=each.language,
                status="published",
                created_by=SERVICE,
                created_at=now,
                updated_at=now,
            )
        )
        for each in corpus
    ]

    async def add(tx: Transaction) -> None:
        await tx.knowledge.add(facts, by=SERVICE)

    await store.write(add)


def ours(store: Store) -> Method:
    """Return our own search."""

    async def method(question: str) -> list[str]:
        return [passage.entry.id for passage in await search(store, question, limit=3)]

    return method


Split = Callable[[str], list[str]]


def sqlite_fts(corpus: Sequence[Written], *, tokenizer: str, split: Split, ask: Split) -> Method:
    """Return FTS5's own bm25 over what `split` makes of a text, asked for any of what `ask` makes of a question."""
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE texts USING fts5 (id UNINDEXED, body, tokenize = '{tokenizer}')")
    for each in corpus:
        body = " ".join(split(f"{each.question} {each.answer}"))
        database.execute("INSERT INTO texts VALUES (?, ?)", (each.id, body))

    async def method(question: str) -> list[str]:
        words = dict.fromkeys(ask(question))
        match = " OR ".join(f'"{word}"' for word in words)
        found = database.execute("SELECT id FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 3", (match,))
        return [str(row[0]) for row in found]

    return method


def trigrams(text: str) -> list[str]:
    """Return what FTS5's trigram tokenizer makes of a text, as words to ask for."""
    found = re.sub(r'["\s]+', " ", text.casefold())
    return [found[at : at + 3] for at in range(max(1, len(found) - 2))]


def bigrams(text: str) -> list[str]:
    """Return plain bigrams of Chinese, and words of all else as they stand."""
    found: list[str] = []
    for piece in re.findall(r"[\u4e00-\u9fff]+|[^\W_\u4e00-\u9fff]+", text.casefold()):
        han = "\u4e00" <= piece[0] <= "\u9fff"
        found += [piece[at : at + 2] for at in range(max(1, len(piece) - 1))] if han else [piece]
    return found


async def postgres_simple(database: psycopg.AsyncConnection[Any], corpus: Sequence[Written]) -> Method:
    """Return PostgreSQL's `simple` configuration with `ts_rank`."""
    await database.execute("CREATE TEMP TABLE texts (id text, words tsvector)")
    for each in corpus:
        await database.execute(
            "INSERT INTO texts VALUES (%s, to_tsvector('simple', %s))", (each.id, f"{each.question} {each.answer}")
        )

    async def method(question: str) -> list[str]:
        # Words joined by OR: by AND, as plainto_tsquery does, hardly any question finds anything.
        found = await database.execute(
            "WITH asked AS (SELECT replace(plainto_tsquery('simple', %s)::text, '&', '|')::tsquery AS query) "
            "SELECT id FROM texts, asked WHERE words @@ query ORDER BY ts_rank(words, query) DESC, id LIMIT 3",
            (question,),
        )
        return [str(row[0]) for row in await found.fetchall()]

    return method


@asynccontextmanager
async def compared(sqlite_url: str, postgres_url: str, corpus: Sequence[Written]) -> AsyncIterator[dict[str, Method]]:
    """Yield every method by its name, ours first."""
    async with open_store(sqlite_url) as sqlite, open_store(postgres_url) as postgres:
        for store in (sqlite, postgres):
            await fill(store, corpus)
        async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as database:
            yield {
                "ours, SQLite": ours(sqlite),
                "ours, PostgreSQL": ours(postgres),
                "FTS5 trigram": sqlite_fts(corpus, tokenizer="trigram", split=lambda text: [text], ask=trigrams),
                "plain bigrams, FTS5 bm25": sqlite_fts(corpus, tokenizer="unicode61", split=bigrams, ask=bigrams),
                "PostgreSQL `simple`, ts_rank": await postgres_simple(database, corpus),
            }


async def scores(methods: Mapping[str, Method], asked: Sequence[Asked]) -> dict[str, dict[str, Score]]:
    """Return the score of each method on each part of the questions that there is."""
    parts = {part: there for part in PARTS if (there := [each for each in asked if each.part == part])}
    return {
        name: {part: await Score.of(method, there) for part, there in parts.items()} for name, method in methods.items()
    }


async def wrongly_answered(method: Method, unanswered: Sequence[Asked]) -> list[Asked]:
    """Return the questions that get a passage although nothing in the corpus answers them."""
    return [each for each in unanswered if await method(each.question)]


def report(
    found: Mapping[str, Mapping[str, Score]],
    asked: Sequence[Asked],
    wrong: Sequence[Asked],
    unanswered: Sequence[Asked],
) -> str:
    """Return the table, what ours missed, and which questions it should have left unanswered, as Markdown."""
    parts = list(next(iter(found.values())))
    lines = [f"| method | {' | '.join(f'{part} top-1 | top-3 | zh | en' for part in parts)} |"]
    lines.append("|---" * (1 + 4 * len(parts)) + "|")
    for name, scored in found.items():
        figures = [figure for part, score in scored.items() for figure in _figures(score, asked, part)]
        lines.append(f"| {name} | {' | '.join(f'{figure:.0f} %' for figure in figures)} |")
    lines += ["", "Not among the first three, on either database:", ""]
    ours = [scored for name, scored in found.items() if name.startswith("ours")]
    missed = {each: None for scored in ours for score in scored.values() for each in score.missed}
    lines += [f"- {each.part}, `{each.answer}`: {each.question}" for each in missed]
    lines += ["", "Answered although nothing in the corpus answers them:", ""]
    lines += [f"- {each.part}: {each.question}" for each in wrong]
    silent = [
        f"{sum(each.part == part for each in unanswered if each not in wrong)} of {there} ({part})"
        for part in PARTS
        if (there := sum(each.part == part for each in unanswered))
    ]
    lines.append(f"\nSuch questions that got no passage, as they should: {', '.join(silent)}.")
    return "\n".join(lines) + "\n"


def _figures(score: Score, asked: Sequence[Asked], part: str) -> list[float]:
    figures = [score.top_1, score.top_3]
    for language in ("zh", "en"):
        spoken = sum((each.part, each.language) == (part, language) for each in asked)
        lost = sum(each.language == language for each in score.missed)
        figures.append(100 * (spoken - lost) / spoken)
    return figures
