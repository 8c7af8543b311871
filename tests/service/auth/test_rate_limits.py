"""Limits: what one client may take, and what happens to one that takes more."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI, WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from handraise.core.errors import TooManyRequests
from handraise.engine.runs.deltas import Deltas
from handraise.service.auth import rate_limits as limits
from handraise.service.auth.permissions import PERMISSIONS, Row
from handraise.service.auth.rate_limits import Rates
from handraise.service.live.feed import ROOM, Cut, Feed, FeedListener
from handraise.service.settings.settings import ClientLimits, Settings
from handraise.store.store import Store
from handraise.store.tables.people import new_secret
from handraise.testing import Clock
from tests.patience import PATIENCE
from tests.service.serving import serving
from tests.store.samples import add_sessions, say

pytestmark = pytest.mark.real


def settings(**changes: int) -> Settings:
    return Settings(limits=ClientLimits.model_validate(changes))


async def opened(client: httpx.AsyncClient) -> tuple[str, dict[str, str]]:
    """Open a session and return its path and the headers that carry its token."""
    session = (await client.post("/api/v1/sessions", json={})).json()
    client.cookies.clear()
    return f"/api/v1/sessions/{session['id']}", {"Authorization": f"Bearer {session['token']}"}


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_over_the_limit_is_refused_announced_or_not(tmp_path: Path, announced: bool) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b"x" * 64 * 1024

    async with serving(tmp_path) as (address, _), httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
        body = b"x" * (256 * 1024 + 1) if announced else pieces()
        refused = await client.post("/api/v1/sessions", content=body, headers={"Content-Type": "application/json"})
        still = await client.post("/api/v1/sessions", content=b"{}".ljust(256 * 1024))

    assert refused.status_code == 413
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["code"] == "too_large"
    assert refused.headers["content-security-policy"]
    assert still.status_code in {201, 422}, "exactly the limit is let in"


async def test_a_session_that_asks_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    hasty = settings(session_requests_per_minute=5)
    async with (
        serving(tmp_path, hasty) as (address, _),
        httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client,
    ):
        path, token = await opened(client)
        answers = [await client.get(path, headers=token) for _ in range(7)]
        other_path, other = await opened(client)
        another = await client.get(other_path, headers=other)
        public = await client.get("/healthz", headers=token)

    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    assert answers[-1].json()["code"] == "too_many_requests"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 12
    assert another.status_code == 200, "one session's haste is not another's"
    assert public.status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/sessions", "/chat"])
async def test_the_token_of_one_session_does_not_pay_for_opening_the_next(tmp_path: Path, path: str) -> None:
    hasty = settings(session_requests_per_minute=5)
    async with (
        serving(tmp_path, hasty) as (address, _),
        httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client,
    ):
        _, token = await opened(client)
        statuses = []
        for _ in range(6):
            answer = await client.post(
                path, json={"message": "hello"}, headers={**token, "Accept": "application/json"}, timeout=PATIENCE
            )
            client.cookies.clear()
            statuses.append(answer.status_code)
            token = {"Authorization": f"Bearer {answer.json()['token']}"} if answer.is_success else token

    assert [status // 100 for status in statuses] == [2] * 4 + [4] * 2, "the first one was the fifth"
    assert statuses[-1] == 429
    assert "from address 127.0.0.1" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/api/v1/sessions", "/chat"])
async def test_where_sessions_are_opened_for_customers_they_open_none_themselves(tmp_path: Path, path: str) -> None:
    key = new_secret("key")
    body = {"message": "hello"}
    async with (
        serving(tmp_path, anonymous=False) as (address, engine),
        httpx.AsyncClient(base_url=address, headers={"Accept": "application/json"}, timeout=PATIENCE) as client,
    ):
        await engine.store.write(lambda tx: tx.people.issue("key", scopes=("chat",), secret=key))
        by_program = (await client.post(path, json=body, headers={"X-Api-Key": key})).json()
        client.cookies.clear()
        customer = {"Authorization": f"Bearer {by_program['token']}"}
        refused = await client.post(path, json=body, headers=customer)
        unknown = await client.post(path, json=body)
        thread_id = by_program.get("thread_id", by_program.get("id"))
        own = await client.post("/chat", json={**body, "thread_id": thread_id}, headers=customer)

    assert (refused.status_code, refused.json()["code"]) == (403, "not_permitted")
    assert unknown.status_code == 401
    assert own.status_code == 200, "in the session that was opened for them they write as before"


def test_a_rate_recovers_steadily_and_idle_clients_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLIENTS", 10)
    clock = Clock()
    rates = Rates(clock=clock.seconds)
    for _ in range(60):
        rates.take("busy", per_minute=60)
    with pytest.raises(TooManyRequests) as refused:
        rates.take("busy", per_minute=60)
    assert refused.value.retry_after == 1

    clock.turn(timedelta(seconds=1))
    rates.take("busy", per_minute=60)
    for number in range(100):
        clock.turn(timedelta(seconds=1))
        rates.take(f"client {number}", per_minute=60)

    assert len(rates._buckets) <= 11


async def test_one_connection_too_many_is_refused_and_a_closed_one_makes_room(tmp_path: Path) -> None:
    two = settings(connections_per_client=2)
    async with serving(tmp_path, two) as (address, _), httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
        path, token = await opened(client)
        events = f"{path}/events"
        async with client.stream("GET", events, headers=token) as first:
            async with client.stream("GET", events, headers=token) as second:
                refused = await client.get(events, headers=token)
                statuses = (first.status_code, second.status_code, refused.status_code)
            again = 429
            while again == 429:  # the server notices the closed one a moment later
                async with client.stream("GET", events, headers=token) as third:
                    again = third.status_code

    assert statuses == (200, 200, 429)
    assert refused.headers["retry-after"] == "5"
    assert again == 200


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PERMISSIONS, "WS /echo", Row.of("401 yes 404 yes yes yes any"))


def add_echo(app: FastAPI) -> None:
    @app.websocket("/echo")
    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        while True:
            await socket.send_text(str(len(await socket.receive_text())))


@pytest.mark.usefixtures("echo")
async def test_a_frame_over_the_limit_closes_the_socket(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, add_routes=add_echo) as (address, _),
        httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client,
    ):
        _, token = await opened(client)
        async with connect(f"ws{address[4:]}/echo", additional_headers=token) as ws:
            await ws.send("x" * 64 * 1024)
            assert await ws.recv() == str(64 * 1024)
            await ws.send("x" * (64 * 1024 + 1))
            with pytest.raises(ConnectionClosedError) as closed:
                await ws.recv()

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


@pytest.mark.usefixtures("echo")
@pytest.mark.parametrize("credentials", ["token", "cookie", "none"])
@pytest.mark.parametrize("origin", ["ours", "theirs", "none"])
async def test_a_socket_opens_only_for_our_own_pages_and_for_programs(
    tmp_path: Path, credentials: str, origin: str
) -> None:
    async with (
        serving(tmp_path, add_routes=add_echo) as (address, _),
        httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client,
    ):
        session = (await client.post("/api/v1/sessions", json={})).json()
        headers = {
            "token": {"Authorization": f"Bearer {session['token']}"},
            "cookie": {"Cookie": f"handraise_session_{session['id']}={session['token']}"},
            "none": {},
        }[credentials] | {"ours": {"Origin": address}, "theirs": {"Origin": "https://evil.example"}, "none": {}}[origin]
        status = 101
        try:
            async with connect(f"ws{address[4:]}/echo", additional_headers=headers):
                pass
        except InvalidStatus as refused:
            status = refused.response.status_code

    allowed = {("token", "ours"), ("token", "none"), ("cookie", "ours")}
    expected = 101 if (credentials, origin) in allowed else 401 if credentials == "none" else 403
    assert status == expected


async def test_a_listener_that_falls_behind_is_cut_and_keeps_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_sessions(store, "s1")
    async with Feed(store, Deltas()) as feed:
        reader = feed.session("s1", after=0)
        await say(store, "s1", "first")
        await anext(reader)
        [listener] = feed._listeners
        cut, cutting = asyncio.Event(), listener.cut

        def cut_and_tell() -> None:
            cutting()
            cut.set()

        monkeypatch.setattr(listener, "cut", cut_and_tell)
        for start in range(0, ROOM + 500, 500):
            await say(store, "s1", *(f"{start + number}" for number in range(500)))
        await say(store, "s1", "last")
        await asyncio.wait_for(cut.wait(), PATIENCE)

        assert listener._items.qsize() == 1, "what it did not read is let go; only the end mark is left"
        with pytest.raises(Cut):
            async for _ in reader:
                pass


def test_what_comes_after_the_cut_is_not_kept() -> None:
    listener = FeedListener(lambda _: True, None)
    listener.cut()
    for _ in range(3 * ROOM):
        listener.put(object())  # type: ignore[arg-type]  # what it is does not matter

    assert listener._items.qsize() == 1


async def test_a_long_stream_is_cut_so_that_its_reader_proves_again_who_it_is(tmp_path: Path) -> None:
    read: list[str] = []

    async def read_and_say() -> None:
        """Follow a session, and say something in it after each event."""
        async with client.stream("GET", f"{path}/events", headers=token) as stream:
            async for line in stream.aiter_lines():
                read.append(line)
                if line.startswith("data:"):
                    await asyncio.sleep(0.4)
                    await say(engine.store, path.rpartition("/")[2], f"message {len(read)}")

    short = settings(stream_seconds=3)
    async with (
        serving(tmp_path, short) as (address, engine),
        httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client,
    ):
        path, token = await opened(client)
        with pytest.raises(httpx.RemoteProtocolError):
            await read_and_say()

    assert any("session.created" in line for line in read)


async def test_a_reader_that_takes_nothing_is_cut_off(tmp_path: Path) -> None:
    """The reader's window and the server's buffer fill up; then the server lets go, in place of waiting forever."""
    async with serving(tmp_path, settings(stall_seconds=1)) as (address, engine):
        async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
            path, token = await opened(client)
        session_id = path.rpartition("/")[2]
        with socket.socket() as lazy:
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            lazy.setblocking(False)
            loop = asyncio.get_running_loop()
            host = urlsplit(address)
            await loop.sock_connect(lazy, (host.hostname, host.port))
            ask = (
                f"GET {path}/events HTTP/1.1\r\nHost: {host.netloc}\r\nAuthorization: {token['Authorization']}\r\n\r\n"
            )
            await loop.sock_sendall(lazy, ask.encode())
            assert (await loop.sock_recv(lazy, 12)) == b"HTTP/1.1 200"
            streams = [task for task in asyncio.all_tasks() if "RequestResponseCycle" in repr(task.get_coro())]
            for _ in range(12):
                await say(engine.store, session_id, *(f"{number}" + "x" * 30_000 for number in range(20)))
            assert len(streams) == 1
            # Not wait_for: it would cancel the stream, and take its end for success.
            done, _ = await asyncio.wait(streams, timeout=PATIENCE)
            assert done, "the server still waits for the reader"
