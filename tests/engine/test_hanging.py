"""Nothing waits forever: what stands still, an agent, a tool or a process, holds up neither a stop nor the others."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool

from handraise.core.errors import Unavailable
from handraise.engine.runs import worker
from handraise.engine.runs.deltas import Deltas
from handraise.service.live.feed import Cut, Feed
from handraise.store.drivers import postgres
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from handraise.store.tables.events import Events
from tests.engine.world import ask, paying_model, running
from tests.patience import PATIENCE
from tests.store.samples import a_session, add_sessions

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
HANG = PATIENCE
"""Seconds after which something that should have ended counts as hanging."""


async def test_an_agent_that_will_not_be_cancelled_does_not_hold_up_a_stop(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "LAST_WORDS", 0.1)
    at_work, free = asyncio.Event(), asyncio.Event()

    @tool
    async def pay(amount: float) -> str:
        """Pay an amount, whatever anybody says."""
        at_work.set()
        while not free.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await free.wait()
        return f"paid {amount}"

    async with asyncio.timeout(HANG):
        async with running(sqlite_url, create_agent(paying_model(1.0), [pay])) as engine:
            session_id = await ask(engine)
            await at_work.wait()
        async with open_store(sqlite_url) as store:
            [run] = await store.read(lambda tx: tx.runs.unfinished(session_id))

    free.set()
    assert run.status == "queued"


STUCK = """
import sys, threading
from langchain.agents import create_agent
from langchain_core.tools import tool
from tests.engine.world import paying_model

@tool
def pay(amount: float) -> str:
    "Never come back."
    print("at work", flush=True)
    threading.Event().wait()

agent = create_agent(paying_model(1.0), [pay])

if __name__ == "__main__":
    from handraise.cli import main
    from handraise.commands import process
    process.LEAVE_AFTER = 0.2
    main()
"""


def test_a_process_ends_although_a_tool_never_returns_from_its_thread(tmp_path: Path) -> None:
    import httpx

    (tmp_path / "stuck.py").write_text(STUCK)
    with subprocess.Popen(
        [sys.executable, "stuck.py", "serve", "stuck:agent", "--port", "0"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            address = next(line.split()[1] for line in process.stdout if line.startswith("Chat"))
            with httpx.stream("POST", f"{address}chat", json={"message": "pay"}, timeout=HANG):
                assert any("at work" in line for line in process.stdout)
                process.send_signal(signal.SIGTERM)
                out, err = process.communicate(timeout=HANG)
        finally:
            process.kill()

    assert process.returncode == 0, out + err
    assert "Ended although 1 threads are still at work in tools." in err


async def test_a_store_closes_although_every_thread_of_the_loop_is_busy(sqlite_url: str) -> None:
    free = threading.Event()
    loop = asyncio.get_running_loop()
    busy = [loop.run_in_executor(None, free.wait) for _ in range(40)]
    try:
        async with asyncio.timeout(HANG), open_store(sqlite_url) as store:
            await add_sessions(store, "s1")
    finally:
        free.set()
        await asyncio.gather(*busy)


@contextlib.asynccontextmanager
async def frozen_in_a_transaction(url: str, *, idle: str) -> AsyncIterator[asyncio.Task[None]]:
    """Begin a transaction as another process would, write, and never go on. It alone is ended after so long."""
    began, never = asyncio.Event(), asyncio.Event()

    async def work(tx: Transaction) -> None:
        await tx.sessions.lock("s1")
        began.set()
        await never.wait()

    async with contextlib.AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(postgres, "_PATIENCE", f"SET idle_in_transaction_session_timeout = '{idle}'")
            other = await stack.enter_async_context(open_store(url))
            frozen = asyncio.create_task(other.write(work))
            await began.wait()
        try:
            yield frozen
        finally:
            never.set()
            await asyncio.wait({frozen})


@pytest.mark.parametrize("mechanism", ["on", "off"])
async def test_a_process_frozen_in_a_transaction_does_not_hold_up_the_others(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, mechanism: str
) -> None:
    idle, patience = {"on": ("1s", f"{HANG:g}s"), "off": ("0", "2s")}[mechanism]
    monkeypatch.setattr(postgres, "_PATIENCE", f"SET lock_timeout = '{patience}'")
    async with open_store(postgres_url) as store:
        await add_sessions(store, "s1")
        async with asyncio.timeout(HANG), frozen_in_a_transaction(postgres_url, idle=idle) as frozen:
            writing = store.write(lambda tx: tx.sessions.lock("s1"))
            if mechanism == "off":
                with pytest.raises(Unavailable, match="lock timeout"):
                    await writing
                return
            assert (await writing).id == "s1"
    with pytest.raises(Unavailable):
        frozen.result()


async def test_readers_are_cut_off_when_the_feed_cannot_go_on_and_those_who_come_back_read_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    since = Events.since

    async def broken(*_: Any, **__: Any) -> Any:
        raise ValueError("an event of a kind that this version does not know")

    async with asyncio.timeout(HANG), Feed(store, Deltas()) as feed:
        await add_sessions(store, "s1")
        reader = feed.session("s1", after=0)
        waiting = asyncio.ensure_future(anext(reader))
        await asyncio.sleep(0)
        monkeypatch.setattr(Events, "since", broken)
        await store.write(_note_something)
        # What the first page still found, and then the cut.
        with contextlib.suppress(StopAsyncIteration):
            while not isinstance((await asyncio.wait({waiting}))[0].pop().exception(), Cut):
                waiting = asyncio.ensure_future(anext(reader))

        monkeypatch.setattr(Events, "since", since)
        again = feed.session("s1", after=1)
        waiting = asyncio.ensure_future(anext(again))
        await asyncio.sleep(0)
        await store.write(_note_something)
        event = await waiting
    assert getattr(event, "session_seq", 0) == 2


async def _note_something(tx: Transaction) -> None:
    from handraise.core.actors import SERVICE
    from handraise.core.log.facts import SessionCreated

    tx.events.append("s1", SessionCreated(session=a_session("s1")), by=SERVICE)
