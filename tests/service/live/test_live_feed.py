"""The operators' live feed: what a snapshot leaves to the list, cursors that cannot be used, and signs of life."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from handraise.engine.engine import Engine
from handraise.service.first_run import welcome
from handraise.service.live.heartbeats import with_heartbeats
from handraise.service.routes import live
from handraise.service.settings.settings import Settings
from tests.patience import PATIENCE
from tests.service.serving import serving
from tests.store.samples import a_request, add_sessions, open_requests, say

pytestmark = pytest.mark.real


async def first_frame(address: str, key: dict[str, str], query: str = "") -> dict[str, Any]:
    url = f"{address.replace('http', 'ws')}/api/v1/live/ws{query}"
    async with connect(url, additional_headers=key) as socket:
        frame: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        return frame


async def a_key(engine: Engine) -> dict[str, str]:
    given = await welcome(engine.store, Settings(), demo=True)
    assert given is not None
    return {"Authorization": f"Bearer {given.key}"}


async def fill(engine: Engine, count: int) -> list[str]:
    ids = [f"r{number:04}" for number in range(count)]
    await add_sessions(engine.store, "s1")
    await open_requests(engine.store, *map(a_request, ids))
    return ids


async def test_a_snapshot_says_how_many_are_open_and_where_the_list_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SNAPSHOT", 3)
    async with serving(tmp_path) as (address, engine):
        ids = await fill(engine, 8)
        key = await a_key(engine)
        snapshot = await first_frame(address, key)
        found = [request["id"] for request in snapshot["requests"]]
        cursor = snapshot["next_cursor"]
        async with httpx.AsyncClient(base_url=address, headers=key, timeout=PATIENCE) as operator:
            while cursor:
                page = (await operator.get("/api/v1/requests", params={"limit": 2, "cursor": cursor})).json()
                found += [request["id"] for request in page["items"]]
                cursor = page["next_cursor"]

    assert snapshot["open"] == 8
    assert found == ids


async def test_a_cursor_that_cannot_be_used_is_answered_with_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "REPLAYED", 5)
    async with serving(tmp_path) as (address, engine):
        await fill(engine, 1)
        await say(engine.store, "s1", *(str(number) for number in range(10)))
        key = await a_key(engine)
        head = await engine.store.read(lambda tx: tx.events.head())

        too_old = await first_frame(address, key, f"?after={head - 6}")
        from_elsewhere = await first_frame(address, key, f"?after={head + 1}")
        monkeypatch.setattr(live, "HEARTBEAT", 0.05)
        usable = await first_frame(address, key, f"?after={head - 5}")

    assert [too_old["type"], from_elsewhere["type"]] == ["snapshot", "snapshot"]
    assert usable["type"] == "heartbeat", "nothing about a request happened since, so there is nothing to tell"


async def test_heartbeats_fill_the_silence_and_lose_nothing() -> None:
    go_on = asyncio.Event()
    closed = False

    async def slow() -> AsyncGenerator[int, None]:
        nonlocal closed
        try:
            yield 1
            await go_on.wait()
            yield 2
            await asyncio.Event().wait()
        finally:
            closed = True

    beating = with_heartbeats(slow(), every=0.01)
    heard = [await anext(beating), await anext(beating)]
    go_on.set()
    heard += [await anext(beating), await anext(beating)]
    await beating.aclose()

    assert heard == [1, None, 2, None]
    assert closed
