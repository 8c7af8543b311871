"""A session that waits for a person is rows in the database: the process that paused it keeps nothing of it."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from pathlib import Path

from handraise.core.log.facts import Event
from handraise.core.requests import Request
from handraise.core.runs import Run
from handraise.core.sessions import Session
from handraise.engine.engine import Engine
from handraise.engine.runs.ledger import RunLedger
from handraise.engine.runs.recording import Recording
from handraise.service.live.feed import Feed
from handraise.store.store import Transaction
from tests.engine.world import Bank, ask, asked, paying_agent, running
from tests.patience import patiently

KEPT_BY_NONE = (Run, RunLedger, Recording, Request, Session, Event, Transaction)


ROOM = 8
"""A loop may hold the last thing it read, but nothing may grow with those who wait."""


async def idle(engine: Engine) -> None:
    """Wait until nothing is queued or running, and this process has let go of what it ran: a moment later."""
    busy = "SELECT COUNT(*) FROM runs WHERE status IN ('queued', 'running')"
    for _ in patiently():
        row = await engine.store.read(lambda tx: tx.connection.one(busy))
        driven = [task for task in asyncio.all_tasks() if task.get_name().startswith("handraise-run_")]
        if row is not None and not row[0] and not driven:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came to rest")


async def let_wait(engine: Engine, sessions: int) -> None:
    """Let some more sessions come to their pause."""
    for _ in range(sessions):
        await ask(engine)
    await idle(engine)


def kept() -> Counter[str]:
    """Count what is alive."""
    gc.collect()
    kinds = Counter(map(type, gc.get_objects()))
    alive = Counter({kind.__name__: count for kind, count in kinds.items() if issubclass(kind, KEPT_BY_NONE)})
    alive["tasks"] = len(asyncio.all_tasks())
    return alive


def grown(few: Counter[str], many: Counter[str]) -> set[str]:
    return {name for name, count in (many - few).items() if count >= ROOM}


async def test_a_process_keeps_nothing_of_the_sessions_that_wait(database_url: str, tmp_path: Path) -> None:
    async with (
        running(database_url, paying_agent(Bank(tmp_path / "payments"))) as engine,
        Feed(engine.store, engine.deltas),
    ):
        await let_wait(engine, 4)
        few = kept()
        await let_wait(engine, 2 * ROOM)
        for _ in patiently():
            # The loops look once more and then wait; what is kept for a session stays for good.
            if not grown(few, many := kept()):
                break
            await asyncio.sleep(0.1)

        assert not grown(few, many), f"with 4 sessions {few}, with {4 + 2 * ROOM} {many}"


async def test_what_would_be_kept_is_counted(database_url: str, tmp_path: Path) -> None:
    """The control: a process that remembers the sessions it paused is found out."""
    async with running(database_url, paying_agent(Bank(tmp_path / "payments"))) as engine:
        await let_wait(engine, 2)
        few = kept()
        remembered = [(await asked(engine, await ask(engine)))[0] for _ in range(2 * ROOM)]
        await idle(engine)

        assert "Request" in grown(few, kept())
    assert len(remembered) == 2 * ROOM
