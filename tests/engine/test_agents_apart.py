"""Processes that serve different agents on one database: each runs its own, and a run that nobody serves waits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from handraise.engine.engine import Engine, Pace
from handraise.engine.runs.worker import Worker
from handraise.store.opening import open_store
from tests.engine.world import CUSTOMER, Bank, paying_agent, said, until

QUICK = Pace(lease=timedelta(seconds=0.3))


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "payments")


@asynccontextmanager
async def serving(url: str, bank: Bank, *names: str) -> AsyncIterator[Engine]:
    """Serve agents as another process would: with a store of its own."""
    async with (
        open_store(url) as store,
        Engine(store=store, database_url=url, agents={n: paying_agent(bank) for n in names}, pace=QUICK) as engine,
    ):
        yield engine


async def write_to(engine: Engine, agent: str) -> str:
    session_id = (await engine.conversations.create(agent=agent)).id
    await engine.conversations.send(session_id, "hello", by=CUSTOMER)
    return session_id


async def test_two_processes_serve_different_agents_and_each_runs_its_own(postgres_url: str, bank: Bank) -> None:
    async with serving(postgres_url, bank, "sales") as sales, serving(postgres_url, bank, "support") as support:
        for _ in range(5):
            for engine, agent in ((sales, "sales"), (support, "support")):
                events = await until(engine, await write_to(engine, agent), "run.finished")

                assert said(events) == ["You said: hello"]
                assert {event.actor.id for event in events if event.actor.kind == "agent"} == {agent}
                assert "run.failed" not in {event.fact.name for event in events}


async def test_a_run_whose_agent_nobody_serves_waits_and_is_told_of_once(database_url: str, bank: Bank) -> None:
    async with open_store(database_url) as store:
        # A process that took the message and was stopped before it could answer.
        stopped: Any = Engine(store=store, database_url=database_url, agents={"old": paying_agent(bank)})
        session_id = await write_to(stopped, "old")

    with capture_logs() as logs:
        async with serving(database_url, bank, "new") as engine:
            with engine.store.watch("runs") as watch:
                while len(told := [line for line in logs if line["event"] == "runs.unserved"]) < 1:
                    await watch.wait(at_most=0.05)
            await until(engine, await write_to(engine, "new"), "run.finished")
            [run] = await engine.store.read(lambda tx: tx.runs.unfinished(session_id))

    assert (run.status, run.attempts, run.epoch) == ("queued", 0, 0)
    assert [(line["agent"], line["runs"]) for line in told] == [("old", 1)]
    assert told[0]["fix"] == "Serve it here or elsewhere, e.g. handraise serve MODULE:ATTRIBUTE --name old."

    async with serving(database_url, bank, "new", "old") as engine:
        assert said(await until(engine, session_id, "run.finished")) == ["You said: hello"]


async def test_a_worker_that_claims_what_it_cannot_run_fails_it(sqlite_url: str, bank: Bank) -> None:
    """The control: this is what claiming by agent is for."""
    async with open_store(sqlite_url) as store:
        stopped: Any = Engine(store=store, database_url=sqlite_url, agents={"old": paying_agent(bank)})
        session_id = await write_to(stopped, "old")
    made = Worker.__init__

    def claiming_all(worker: Any, **settings: Any) -> None:
        made(worker, **settings)
        worker._agents = ["new", "old"]

    with patch.object(Worker, "__init__", claiming_all):
        async with serving(sqlite_url, bank, "new") as engine:
            assert await until(engine, session_id, "run.failed")
