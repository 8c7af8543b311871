"""Processes that stop, stand still or are cut off in the middle of a run: the run goes on where it was."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import BaseTool, tool
from structlog.testing import capture_logs

from handraise import effect
from handraise.core.decisions import Approve
from handraise.core.errors import Misconfigured
from handraise.core.runs import Run
from handraise.engine.engine import Pace
from handraise.engine.runs import worker
from handraise.engine.runs.runner import Runner
from handraise.store.store import Store
from tests.engine.world import ANN, Bank, ask, asked, open_requests, paying_agent, paying_model, running, said, until
from tests.patience import patiently
from tests.store.samples import AGENT, add_sessions, enqueue, must_claim


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "payments")


def slow_agent(bank: Bank, *, seconds: float, threaded: bool = False, started: asyncio.Event | None = None) -> Any:
    """Return an agent that pays slowly, without a gate."""

    async def pay(amount: float) -> str:
        """Pay an amount."""
        if started is not None:
            started.set()
        await asyncio.sleep(seconds)
        return bank.pay(amount)

    def pay_in_a_thread(amount: float) -> str:
        """Pay an amount."""
        if started is not None:
            loop.call_soon_threadsafe(started.set)
        time.sleep(seconds)
        return bank.pay(amount)

    loop = asyncio.get_running_loop()
    in_thread: BaseTool = tool("pay")(pay_in_a_thread)
    return create_agent(paying_model(42.5), [effect(in_thread if threaded else pay)])


@pytest.mark.parametrize("threaded", [False, True], ids=["async tool", "tool in a thread"])
async def test_a_process_that_is_told_to_stop_lets_its_tools_finish(
    database_url: str, bank: Bank, threaded: bool
) -> None:
    started = asyncio.Event()
    agent = slow_agent(bank, seconds=0.3, threaded=threaded, started=started)
    async with running(database_url, agent) as engine:
        session_id = await ask(engine)
        await started.wait()

    async with running(database_url, agent) as engine:
        events = await until(engine, session_id, "run.finished")

    assert bank.payments == [42.5]
    assert said(events)[-1] == "paid 42.5"
    assert not [event for event in events if event.fact.name == "request.opened"]


async def test_a_tool_that_does_not_finish_in_time_becomes_a_persons_question(database_url: str, bank: Bank) -> None:
    started = asyncio.Event()
    agent = slow_agent(bank, seconds=30, started=started)
    async with running(database_url, agent, pace=Pace(grace=timedelta(seconds=0.05))) as engine:
        session_id = await ask(engine)
        await started.wait()

    async with running(database_url, agent, pace=Pace(grace=timedelta())) as engine:
        [request] = await asked(engine, session_id)

    assert request.kind == "settlement"
    assert bank.payments == []


async def test_a_process_that_stops_gives_back_every_run_that_it_holds(database_url: str, bank: Bank) -> None:
    async with running(database_url, slow_agent(bank, seconds=30), pace=Pace(grace=timedelta())) as engine:
        sessions = [await ask(engine) for _ in range(8)]
        await asyncio.sleep(0.02)

    async with running(database_url, paying_agent(bank)) as engine:
        for session_id in sessions:
            assert (await engine.store.read(lambda tx, s=session_id: tx.runs.unfinished(s)))[0].attempts == 0  # type: ignore[misc]  # a default is untyped


async def test_a_process_that_stood_still_past_its_lease_keeps_what_nobody_took(database_url: str, bank: Bank) -> None:
    async def pay(amount: float) -> str:
        """Pay an amount."""
        time.sleep(0.8)  # noqa: ASYNC251  # it must block: this is the agent that stops the whole process
        return bank.pay(amount)

    agent = create_agent(paying_model(42.5), [effect(pay)])
    async with running(database_url, agent, pace=Pace(lease=timedelta(seconds=0.3))) as engine:
        session_id = await ask(engine)
        events = await until(engine, session_id, "run.finished")

        assert await open_requests(engine, session_id) == []
    assert bank.payments == [42.5]
    assert said(events)[-1] == "paid 42.5"


async def test_a_run_that_ended_while_leases_are_renewed_is_not_called_lost(
    database_url: str, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    lingered: list[str] = []
    drive = Runner.drive

    async def linger(runner: Runner, run: Run) -> None:
        await drive(runner, run)
        await asyncio.sleep(0.5)  # renewed every tenth of a second
        lingered.append(run.id)

    monkeypatch.setattr(Runner, "drive", linger)
    with capture_logs() as logs:
        async with running(database_url, paying_agent(bank), pace=Pace(lease=timedelta(seconds=0.3))) as engine:
            await asked(engine, await ask(engine))
            for _ in patiently():
                if lingered:
                    break
                await asyncio.sleep(0.05)
    assert lingered
    assert [entry for entry in logs if entry["event"] == "run.lost"] == []


async def test_an_agent_that_cancels_itself_fails_instead_of_running_forever(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "ATTEMPTS", 1)

    @tool
    async def pay(amount: float) -> str:
        """Pay an amount."""
        raise asyncio.CancelledError

    async with running(database_url, create_agent(paying_model(42.5), [pay])) as engine:
        session_id = await ask(engine)
        events = await until(engine, session_id, "run.failed")
        session = await engine.store.read(lambda tx: tx.sessions.get(session_id))

    assert "CancelledError" in next(event.fact.error for event in events if event.fact.name == "run.failed")
    assert session.status == "error"


async def test_being_killed_is_no_failure_of_the_run(store: Store) -> None:
    await add_sessions(store, "s1")
    await enqueue(store, "s1", "run")
    for _ in range(5):
        run = await must_claim(store, lease=timedelta(microseconds=-1))
    assert run.attempts == 0
    await store.write(lambda tx: tx.runs.retry(run, after=timedelta(), error="the model is busy"))
    assert (await must_claim(store)).attempts == 1


async def test_the_next_look_is_when_a_lease_runs_out(store: Store) -> None:
    await add_sessions(store, "s1", "s2")
    await enqueue(store, "s1", "run")
    assert await store.read_one(lambda tx: tx.runs.until_next(agents=["sales"])) is None
    assert await store.read_one(lambda tx: tx.runs.until_next(agents=["sales", AGENT])) == timedelta()
    assert await store.read_one(lambda tx: tx.runs.until_later(agents=[AGENT])) is None

    await must_claim(store, lease=timedelta(seconds=30))

    left = await store.read_one(lambda tx: tx.runs.until_next(agents=[AGENT]))
    later = await store.read_one(lambda tx: tx.runs.until_later(agents=[AGENT]))
    assert later is not None
    assert timedelta(seconds=20) < later <= timedelta(seconds=30, milliseconds=1)
    assert left is not None
    assert timedelta(seconds=20) < left <= timedelta(seconds=30, milliseconds=1)


async def test_a_sqlite_file_has_one_serving_process(sqlite_url: str, bank: Bank) -> None:
    async with running(sqlite_url, paying_agent(bank)):
        with pytest.raises(Misconfigured, match=r"served by another process \(process id \d+\)"):
            async with running(sqlite_url, paying_agent(bank)):
                pass

    async with running(sqlite_url, paying_agent(bank)) as engine:
        await ask(engine)


async def test_a_worker_survives_whatever_its_database_throws(
    database_url: str, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[bool] = []

    async def claim(*_: object, **__: object) -> None:
        raised.append(True)
        raise ZeroDivisionError("a mistake of ours")

    async with running(database_url, paying_agent(bank)) as engine:
        with monkeypatch.context() as patch:
            patch.setattr("handraise.store.tables.runs.Runs.claim", claim)
            patch.setattr("handraise.store.tables.requests.Requests.due", _raise)
            session_id = await ask(engine)
            for _ in patiently():
                if raised:
                    break
                await asyncio.sleep(0.02)
        assert raised
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        await until(engine, session_id, "run.finished")

    assert bank.payments == [42.5]


async def _raise(*_: object, **__: object) -> None:
    raise ZeroDivisionError("a mistake of ours")


async def test_a_stop_while_a_tool_is_being_started_asks_nobody_about_it(
    database_url: str, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = asyncio.Event()

    async def slow_to_say_so(store: Store, work: Any) -> Any:
        result = await write_one(store, work)
        if "RunLedger.start" in work.__qualname__ and not written.is_set():
            written.set()
            await asyncio.sleep(0.1)
        return result

    write_one = Store.write_one
    monkeypatch.setattr(Store, "write_one", slow_to_say_so)
    async with running(database_url, slow_agent(bank, seconds=0)) as engine:
        session_id = await ask(engine)
        await written.wait()
    assert bank.payments == []

    async with running(database_url, slow_agent(bank, seconds=0)) as engine:
        events = await until(engine, session_id, "run.finished")
        assert await open_requests(engine, session_id) == []
    assert bank.payments == [42.5]
    assert said(events)[-1] == "paid 42.5"
