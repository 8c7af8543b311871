"""`/readyz` says that a process can work, and for each reason why it cannot, which one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from handraise.engine.engine import Engine
from handraise.runtime.tasks import cancel_and_wait
from handraise.service.routes import readiness
from handraise.store.migrations import MIGRATIONS
from handraise.store.store import Store
from tests.patience import PATIENCE
from tests.service.serving import serving

pytestmark = pytest.mark.real

FINE = {"database": "ok", "migrations": "ok", "worker": "ok", "sweeper": "ok"}


async def asked(address: str) -> tuple[int, dict[str, str]]:
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}, "the process answers all the same"
        answer = await client.get("/readyz")
    body = answer.json()
    assert body["status"] == ("ready" if answer.status_code == 200 else "not ready")
    return answer.status_code, body["parts"]


async def test_a_process_is_ready_until_something_keeps_it_from_working(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "PATIENCE", PATIENCE)
    async with serving(tmp_path) as (address, engine):
        assert await asked(address) == (200, FINE)
        await newer_schema(engine.store, add=True)
        newer = len(MIGRATIONS) + 1
        said = f"the schema is {newer}, and this version works with {len(MIGRATIONS)}"
        assert await asked(address) == (503, {**FINE, "migrations": said})
        await newer_schema(engine.store, add=False)
        await a_database_that_hangs(address, monkeypatch)
        await a_database_that_is_away(address, engine, monkeypatch)
        await without(address, engine, "worker")
        await without(address, engine, "sweeper")


async def newer_schema(store: Store, *, add: bool) -> None:
    number = len(MIGRATIONS) + 1
    sql = f"INSERT INTO handraise_migrations VALUES ({number}, 0)"
    await store.write(
        lambda tx: tx.connection.run(sql if add else f"DELETE FROM handraise_migrations WHERE number = {number}")
    )


async def a_database_that_hangs(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(readiness, "PATIENCE", 0.05)
        patch.setattr(Store, "read", hang)
        status, parts = await asked(address)
    assert (status, parts["database"], parts["migrations"]) == (503, "does not answer within 0.05 s", "cannot be read")


async def a_database_that_is_away(address: str, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(engine.store._driver, "_readers", None)  # as after the store was closed
        status, parts = await asked(address)
    assert (status, parts["database"]) == (503, "is not available; the log says why")


async def without(address: str, engine: Engine, part: str) -> None:
    names = {"worker": "handraise-worker", "sweeper": "handraise-deadlines"}
    [task] = [task for task in asyncio.all_tasks() if task.get_name() == names[part]]
    await cancel_and_wait(task)
    status, parts = await asked(address)
    assert (status, parts[part]) == (503, "does not run; start this process again")
