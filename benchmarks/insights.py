"""How quick the numbers are with a long history: reports for a day, a month and a year, and a scrape.

Run: python benchmarks/insights.py [--requests 1000000] [--postgres postgresql://...]
SQLite is measured in a temporary folder, PostgreSQL where its URL says (an empty database) or on a server of its own.
The history is made by SQL, not by agents; each report is compared with a recomputation from the rows of the year, in
the same run, which must come to the same numbers. Exits with 1 when a report usually takes 100 ms or more.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

from handraise.insights.ranges import span_of
from handraise.insights.report import By, Report, report
from handraise.service.routes.metrics import Scrapes
from handraise.store.connection import to_us
from handraise.store.measures import BOUNDS, DECISIONS, GRAINS, LAPSES, MEASURES, QUARTER, TARGET
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from store import own_postgres

YEAR = timedelta(days=365)
NOW = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
START = NOW - YEAR
ROUNDS = 20
MOST_MS = 100

TYPE = (
    "CASE WHEN i % 20 < 12 THEN 'information_query' WHEN i % 20 < 17 THEN 'decision_required' "
    "WHEN i % 20 < 19 THEN 'risk_confirmation' ELSE 'knowledge_gap' END"
)
# A response of up to about four minutes; one request in fifty expires, one in a thousand is open.
REQUESTS = f"""
WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < :last)
INSERT INTO request_facts (request_id, session_id, session_created_at, created_at, type, tool, agent, first, repeated,
    outcome, lapse, speed, closed_at, decided_by, claimed_by, quick, doubted, settled)
SELECT 'r' || i, 's' || (i / 2), :start + i * :gap, :start + i * :gap, {TYPE}, 'tool-' || (i % 23), 'shop',
    CASE i % 2 WHEN 0 THEN 1 ELSE 0 END, CASE i % 11 WHEN 0 THEN 1 ELSE 0 END,
    CASE WHEN i % 1000 = 0 THEN 'open' WHEN i % 50 = 1 THEN 'expired' WHEN i % 7 = 0 THEN 'edit'
        WHEN i % 5 = 0 THEN 'reject' WHEN i % 3 = 0 THEN 'respond' ELSE 'approve' END,
    CASE WHEN i % 50 = 1 THEN 'ticket' END,
    CASE WHEN i % 1000 = 0 THEN NULL WHEN i % 50 = 1 THEN 'none' WHEN (i * 7919) % 211 > 60 THEN 'late'
        ELSE 'in_time' END,
    CASE WHEN i % 1000 <> 0 THEN :start + i * :gap + ((i * 7919) % 211) * 1000000 END,
    CASE WHEN i % 1000 <> 0 AND i % 50 <> 1 THEN 'operator-' || (i % 40) END,
    CASE WHEN i % 1000 <> 0 THEN 'operator-' || (i % 40) END,
    CASE WHEN i % 1000 <> 0 AND i % 50 <> 1 AND (i * 7919) % 211 < 2 THEN 1 ELSE 0 END, 0, 0
FROM n
"""
WAIT = "(closed_at - created_at)"
ANSWERED = f"outcome IN ({', '.join(repr(kind) for kind in DECISIONS)})"


def bucket(number: int) -> str:
    above = f"{WAIT} > {BOUNDS[number - 1]}" if number else "1 = 1"
    below = f"{WAIT} <= {BOUNDS[number]}" if number < len(BOUNDS) else "1 = 1"
    return f"SUM(CASE WHEN {ANSWERED} AND {above} AND {below} THEN 1 ELSE 0 END)"


SUMS = {
    "sessions": "SUM(first) * 6",
    "assisted": "SUM(first)",
    "opened": "COUNT(*)",
    "claimed": "SUM(CASE WHEN claimed_by IS NOT NULL THEN 1 ELSE 0 END)",
    **{kind: f"SUM(CASE WHEN outcome = '{kind}' THEN 1 ELSE 0 END)" for kind in DECISIONS},
    **{f"expired_{lapse}": f"SUM(CASE WHEN lapse = '{lapse}' THEN 1 ELSE 0 END)" for lapse in LAPSES},
    "quick": "SUM(quick)",
    "repeated": "SUM(repeated)",
    "response_us": f"SUM(CASE WHEN {ANSWERED} THEN {WAIT} ELSE 0 END)",
    **{f"response_{number}": bucket(number) for number in range(len(BOUNDS) + 1)},
}
"""The same numbers from the rows, plainly. What the made-up history does not have stays 0."""

DIMENSIONS = {"all": "''", "type": "type", "tool": "tool", "agent": "agent", "operator": "decided_by"}


async def fill(store: Store, requests: int) -> None:
    gap = YEAR // timedelta(microseconds=1) // requests
    start = to_us(START)

    async def rows(tx: Transaction) -> None:
        await tx.connection.run(REQUESTS, {"last": requests - 1, "start": start, "gap": gap})

    async def counts(tx: Transaction) -> None:
        columns = f"dimension, grain, at, value, {', '.join(SUMS)}"
        for name, value in DIMENSIONS.items():
            quarter = f"created_at - created_at % {QUARTER}"
            await tx.connection.run(
                f"INSERT INTO insight_counts ({columns}) SELECT '{name}', {QUARTER}, {quarter}, {value}, "
                f"{', '.join(SUMS.values())} FROM request_facts WHERE {value} IS NOT NULL GROUP BY 3, 4"
            )
        for finer, grain in pairwise(GRAINS):
            await tx.connection.run(
                f"INSERT INTO insight_counts ({columns}) SELECT dimension, {grain}, at - at % {grain}, value, "
                f"{', '.join(f'SUM({name})' for name in SUMS)} FROM insight_counts "
                f"WHERE grain = {finer} GROUP BY 1, 3, 4"
            )

    await store.write(rows)
    await store.write(counts)
    await store.write(lambda tx: tx.connection.run("ANALYZE"))


async def took_ms(work: Callable[[], Awaitable[object]], *, rounds: int = ROUNDS) -> list[float]:
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        await work()
        took.append((time.perf_counter() - began) * 1000)
    return sorted(took)


async def measure(name: str, url: str, requests: int) -> bool:
    async with open_store(url) as store:
        began = time.perf_counter()
        await fill(store, requests)
        print(f"{name:<11} {requests:,} requests in a year (made in {time.perf_counter() - began:.0f} s)")
        plain = (await took_ms(lambda: recompute(store), rounds=3))[1]
        await must_agree(store)
        print(f"{name:<11} {'recomputed from the rows, a year':<44} {plain:>8.1f} ms")
        quick = []
        for words, days, zone, by in WANTED:
            told = await took_ms(lambda days=days, zone=zone, by=by: ask(store, days, zone, by))  # type: ignore[misc]
            quick.append(_print(name, words, told, plain))
        scrapes = Scrapes(store)
        quick.append(_print(name, "a scrape", await took_ms(scrapes.text), plain))
    return all(quick)


WANTED: list[tuple[str, int, str, By]] = [
    ("a day by hour, UTC", 1, "UTC", "hour"),
    ("a day by hour, Asia/Kolkata", 1, "Asia/Kolkata", "hour"),
    ("a month by day, UTC", 30, "UTC", "day"),
    ("a month by operator", 30, "UTC", "operator"),
    ("a year by day, UTC", 365, "UTC", "day"),
    ("a year by day, America/New_York", 365, "America/New_York", "day"),
    ("a year by day, Asia/Kolkata", 365, "Asia/Kolkata", "day"),
    ("a year by type", 365, "Asia/Kolkata", "type"),
    ("a year by tool", 365, "Asia/Kolkata", "tool"),
    ("a year by operator", 365, "Asia/Kolkata", "operator"),
]


async def ask(store: Store, days: int, zone: str, by: By) -> Report:
    span = span_of(NOW - timedelta(days=days), NOW)
    return await store.read(lambda tx: report(tx, span, zone=ZoneInfo(zone), by=by, now=NOW))


async def recompute(store: Store) -> dict[str, int]:
    async def read(tx: Transaction) -> dict[str, int]:
        row = await tx.connection.one(
            f"SELECT {', '.join(SUMS.values())} FROM request_facts WHERE created_at >= :start AND created_at < :now",
            {"start": to_us(START), "now": to_us(NOW)},
        )
        return dict(zip(SUMS, map(int, row or ()), strict=True))

    return await store.read(read)


async def must_agree(store: Store) -> None:
    plain = await recompute(store)
    total = (await ask(store, 365, "UTC", "type")).total
    told = (total.opened, total.decided, total.expired, total.quick, total.response.buckets)
    assert told == (
        plain["opened"],
        sum(plain[kind] for kind in DECISIONS),
        plain["expired_ticket"],
        plain["quick"],
        [plain[f"response_{number}"] for number in range(len(BOUNDS) + 1)],
    )
    assert set(SUMS) <= set(MEASURES)
    in_time = [count for count, bound in zip(total.response.buckets, BOUNDS, strict=False) if bound <= TARGET]
    assert total.response.in_time == sum(in_time)


def _print(name: str, words: str, took: list[float], plain: float) -> bool:
    middle, high = took[len(took) // 2], took[len(took) * 95 // 100]
    print(f"{name:<11} {words:<44} p50 {middle:>6.1f} ms, p95 {high:>6.1f} ms, {plain / middle:>7.0f} times quicker")
    return middle < MOST_MS


def main() -> None:
    options = argparse.ArgumentParser(description="How quick the numbers are with a long history.")
    options.add_argument("--requests", type=int, default=1_000_000)
    options.add_argument("--postgres", default="")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        quick = [asyncio.run(measure("SQLite", str(Path(folder) / "bench.db"), chosen.requests))]
    if chosen.postgres:
        quick.append(asyncio.run(measure("PostgreSQL", chosen.postgres, chosen.requests)))
    else:
        with own_postgres() as url:
            quick.append(asyncio.run(measure("PostgreSQL", url, chosen.requests)))
    sys.exit(0 if all(quick) else 1)


if __name__ == "__main__":
    main()
