"""What waiting costs: the memory of paused sessions, and how quickly any one of 10,000 goes on.

Run: python benchmarks/paused.py [sessions] [driven]
`driven` of the sessions (2,000 unless told) are taken to their pause by this very process, through the engine, and its
growth is measured over them. The others are copies of one of them under other ids, row by row in every table: driving
all 10,000 takes some minutes longer and shows the same. A copy that went on differently from the one that it was
made of would stop the benchmark.
SQLite is measured in a temporary folder, PostgreSQL on a server of its own. Nothing is asserted of the figures. The
measure to hold is 2 kB for each paused session and a 95th percentile of 50 ms from the decision to the end of the run.
On a machine that shares its processors with others, much of the time is theirs: those laps are told apart in which
they took little.
"""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import CUSTOMER, OPERATOR, engine_on, idle  # the other benchmark, in this folder
from handraise.commands.process import quickest_loop
from handraise.core.decisions import Approve
from handraise.core.log.facts import Event
from handraise.core.requests import Request
from handraise.core.requests import request_id as id_of_request
from handraise.engine.engine import Engine
from handraise.engine.runs.deltas import Delta
from handraise.service.live.feed import Feed
from handraise.store.opening import is_postgres, open_store
from handraise.store.store import Transaction
from handraise.store.tables.request_lists import Filter
from store import own_postgres

WARM_UP = 500
RESUMED = 800
LAP = 50
CALM = 0.05
"""The share of the processor time that others on the host may take in a lap that tells of us rather than of them."""

CHUNK = 500
OURS = {"sessions": "id", "runs": "session_id", "requests": "session_id", "events": "session_id"}
LANGGRAPHS = {
    "sqlite": ("checkpoints", "writes"),
    "postgresql": ("checkpoints", "checkpoint_blobs", "checkpoint_writes"),
}


@dataclass(frozen=True)
class Resumed:
    """How long one session took to go on, and what it then had on record."""

    seconds: float
    names: tuple[str, ...]


@dataclass(frozen=True)
class Lap:
    """Some sessions that went on one after the other, and what others on the host took meanwhile."""

    took: list[Resumed]
    taken: float


async def drive(engine: Engine, count: int) -> list[str]:
    """Open sessions until `count` of them wait for a person, and return them."""
    sessions = []
    for number in range(1, count + 1):
        session = await engine.conversations.create()
        await engine.conversations.send(session.id, "pay please", by=CUSTOMER)
        sessions.append(session.id)
        if number % 100 == 0 or number == count:
            await idle(engine.store)
            say(f"{number:,} of {count:,} driven to their pause")
    return sessions


async def copy(engine: Engine, source: str, count: int) -> list[str]:
    """Copy a paused session under other ids, every row of every table, and return the copies."""
    request = await request_of(engine, source)
    copies = []
    for first in range(0, count, CHUNK):
        made = [str(uuid.uuid4()) for _ in range(min(CHUNK, count - first))]

        async def work(tx: Transaction, made: list[str] = made) -> None:
            tables = OURS | dict.fromkeys(LANGGRAPHS[tx.connection.backend], "thread_id")
            head = await tx.events.head()
            renamings = [renaming(request, session_id) for session_id in made]
            for table, key in tables.items():
                rows = await rows_of(tx, table, key, source)
                for number, renamed in enumerate(renamings):
                    for place, row in enumerate(rows):
                        if table == "events":
                            row["seq"] = head + number * len(rows) + place + 1
                        await insert(tx, table, {name: renamed(value) for name, value in row.items()})
                if table == "events":
                    added = len(rows) * len(made)
                    await tx.connection.run(
                        "UPDATE counters SET value = value + :added WHERE name = 'events'", {"added": added}
                    )

        await engine.store.write(work)
        copies += made
        say(f"{len(copies):,} of {count:,} copied")
    return copies


def renaming(request: Request, session_id: str) -> Any:
    """Return what turns any value of a session's rows into that of another session: every id in it is renamed."""
    run_id = f"run_{uuid.uuid4().hex}"
    ours = id_of_request(session_id=session_id, interrupt_id=request.interrupt_id, position=request.position)
    renamed = {request.session_id: session_id, request.run_id: run_id, request.id: ours}
    assert all(len(old) == len(new) for old, new in renamed.items()), "blobs hold lengths"

    def rename(value: Any) -> Any:
        for old, new in renamed.items():
            if isinstance(value, str):
                value = value.replace(old, new)
            elif isinstance(value, bytes):
                value = value.replace(old.encode(), new.encode())
        return value

    return rename


async def rows_of(tx: Transaction, table: str, key: str, session_id: str) -> list[dict[str, Any]]:
    """Return a session's rows as the database has them; the number of a run is the database's own to give."""
    if tx.connection.backend == "sqlite":
        columns = [(row[1], row[2]) for row in await tx.connection.all(f"PRAGMA table_info({table})")]
    else:
        asked = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = :name"
        columns = [(row[0], row[1]) for row in await tx.connection.all(asked, {"name": table})]
    # JSON of PostgreSQL's own kind is copied as text, which it takes back.
    names = {name: f"{name}::text" if kind == "jsonb" else name for name, kind in columns}
    if table == "runs":
        del names["seq"]
    found = await tx.connection.all(
        f"SELECT {', '.join(names.values())} FROM {table} WHERE {key} = :session_id", {"session_id": session_id}
    )
    return [dict(zip(names, row, strict=True)) for row in found]


async def insert(tx: Transaction, table: str, row: dict[str, Any]) -> None:
    document = {"checkpoint", "metadata"} if tx.connection.backend == "postgresql" else set()
    values = (f":{name}::jsonb" if name in document else f":{name}" for name in row)
    await tx.connection.run(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(values)})", row)


async def request_of(engine: Engine, session_id: str) -> Request:
    page = await engine.store.read(lambda tx: tx.requests.list_open(Filter(session_id=session_id), limit=1))
    return page.items[0]


async def resume(engine: Engine, feed: Feed, session_id: str) -> Resumed:
    """Approve what a session waits for, as one who follows the session, and wait until they hear that it is over."""
    request = await request_of(engine, session_id)
    newest = await engine.store.read_one(lambda tx: tx.sessions.last_event_number(session_id))
    async with aclosing(feed.session(session_id, after=newest - 1)) as items:
        await anext(items)
        began = time.perf_counter()
        is_over = asyncio.create_task(until_finished(items))
        await engine.inbox.decide(request.id, Approve(), by=OPERATOR)
        await is_over
        took = time.perf_counter() - began
    events = await engine.store.read(lambda tx: tx.events.of_session(session_id))
    return Resumed(took, tuple(event.fact.name for event in events))


async def until_finished(items: AsyncIterator[Event | Delta]) -> None:
    async for item in items:
        if isinstance(item, Event) and item.fact.name == "run.finished":
            return


async def measure(name: str, url: str, *, count: int, driven: int) -> None:
    async with open_store(url) as store, engine_on(store, url) as engine, Feed(store, engine.deltas) as feed:
        first = await drive(engine, WARM_UP)
        before, objects = resident_kb(), len(gc.get_objects())
        sessions = await drive(engine, driven)
        each, objects = (resident_kb() - before) / driven, len(gc.get_objects()) - objects
        print(
            f"{name:<11} {driven:,} sessions paused by this process: {each:.2f} kB each, "
            f"{objects / driven:.2f} Python objects each",
            flush=True,
        )
        sessions += await copy(engine, first[0], max(0, count - driven - WARM_UP))
        if is_postgres(url):  # what its autovacuum does by itself within a minute
            await store.write(lambda tx: tx.connection.run("ANALYZE"))
        expected = await resume(engine, feed, first[0])
        await asyncio.gather(*(resume(engine, feed, session_id) for session_id in first[1:21]))
        chosen = random.Random(0).sample(sessions, min(RESUMED, len(sessions)))
        cpu, laps = time.process_time(), []
        for start in range(0, len(chosen), LAP):
            say(f"{start:,} of {len(chosen):,} went on")
            before_it = processors()
            took = [await resume(engine, feed, session_id) for session_id in chosen[start : start + LAP]]
            laps.append(Lap(took, taken=taken(before_it, processors())))
        cpu = (time.process_time() - cpu) / len(chosen)
    different = {each.names for lap in laps for each in lap.took} - {expected.names}
    assert not different, f"a session went on differently: {different}, not {expected.names}"
    calm = [lap for lap in laps if lap.taken <= CALM]
    print(
        f"{name:<11} any one of {count:,} goes on: {summed_up(laps)}; {cpu * 1000:.1f} ms of our own CPU each\n"
        f"{name:<11} while others on this host took at most {CALM:.0%} of the processors: {summed_up(calm)}\n"
        f"{name:<11} they took {', '.join(f'{lap.taken:.0%}' for lap in laps)} in the laps of {LAP}",
        flush=True,
    )


def summed_up(laps: list[Lap]) -> str:
    took = sorted(each.seconds for lap in laps for each in lap.took)
    if not took:
        return "never, so nothing can be said"
    p10, p50, p95 = (took[int(len(took) * part)] * 1000 for part in (0.1, 0.5, 0.95))
    return f"p10 {p10:.0f} ms, p50 {p50:.0f} ms, p95 {p95:.0f} ms of {len(took)}"


def processors() -> tuple[int, int]:
    """Return how long the processors have worked, and how long they were kept from it."""
    user, nice, system, _, _, irq, softirq, stolen, *_ = map(int, Path("/proc/stat").read_text().split()[1:9])
    return user + nice + system + irq + softirq, stolen


def taken(before: tuple[int, int], after: tuple[int, int]) -> float:
    """Return the share that the host gave to others: what it took makes every figure longer."""
    worked, stolen = (now - then for now, then in zip(after, before, strict=True))
    return stolen / max(1, worked + stolen)


def resident_kb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4.096


def say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r  {text} ", end="", file=sys.stderr, flush=True)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    driven = min(int(sys.argv[2]) if len(sys.argv) > 2 else 2_000, count)
    with tempfile.TemporaryDirectory() as folder, own_postgres() as postgres:
        for name, url in {"SQLite": f"sqlite:///{folder}/bench.db", "PostgreSQL": postgres}.items():
            with asyncio.Runner(loop_factory=quickest_loop()) as runner:  # as `handraise serve` has it
                runner.run(measure(name, url, count=count, driven=driven))


if __name__ == "__main__":
    main()
