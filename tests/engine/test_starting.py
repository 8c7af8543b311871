"""What a service refuses to start with, in one sentence each."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from handraise.core.errors import Misconfigured
from handraise.engine.engine import Engine
from handraise.store.drivers.sqlite import SqliteDriver
from handraise.store.store import Store
from tests.engine.world import Bank, paying_agent, running

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("seconds", [-60, -2, 2, 3600])
async def test_a_clock_that_differs_from_the_databases_is_refused(tmp_path: Path, seconds: int) -> None:
    driver = SqliteDriver(tmp_path / "handraise.db", clock=lambda: time.time_ns() // 1000 + seconds * 1_000_000)
    agent = paying_agent(Bank(tmp_path / "payments"))
    async with Store(driver) as store:
        with pytest.raises(Misconfigured, match=r"clock and the database's differ by \d+\.\d seconds"):
            async with Engine(store=store, database_url=str(driver.path), agents={"teller": agent}):
                pass


async def test_a_postgres_clock_that_differs_is_refused(postgres_url: str, tmp_path: Path) -> None:
    import psycopg

    agent = paying_agent(Bank(tmp_path / "payments"))
    async with running(postgres_url, agent) as engine:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(
                "CREATE OR REPLACE FUNCTION now_us() RETURNS bigint LANGUAGE sql STABLE AS "
                "$$ SELECT (extract(epoch FROM statement_timestamp()) * 1000000)::bigint - 3600000000 $$"
            )
        with pytest.raises(Misconfigured, match=r"differ by 3[56]\d\d\.\d seconds"):
            async with Engine(store=engine.store, database_url=postgres_url, agents={"teller": agent}):
                pass


async def test_a_service_without_an_agent_is_refused(sqlite_url: str) -> None:
    from handraise.store.opening import open_store

    async with open_store(sqlite_url) as store:
        with pytest.raises(Misconfigured, match="no agent"):
            async with Engine(store=store, database_url=sqlite_url, agents={}):
                pass


def test_checkpoints_that_could_run_code_are_refused(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from tests.engine.world import Bank, paying_agent, running\n"
        "async def main():\n"
        "    async with running(sys.argv[1], paying_agent(Bank(Path(sys.argv[2])))): print('it started')\n"
        "asyncio.run(main())\n"
    )
    environment = {**os.environ, "LANGGRAPH_STRICT_MSGPACK": "false", "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}

    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "handraise.db"), str(tmp_path / "payments")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert ran.returncode == 1
    assert "Misconfigured: LangGraph was loaded without strict checkpoints" in ran.stderr
    assert "it started" not in ran.stdout
