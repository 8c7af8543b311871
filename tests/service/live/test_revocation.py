"""A live feed ends when its reader signs out, is removed, or their key is revoked, whichever process did it."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect as connect_waiting
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from handraise.core.actors import Actor
from handraise.core.log.chain import INSTALLATION
from handraise.core.log.facts import RequestOpened
from handraise.core.log.installation import KeyRevoked
from handraise.engine.engine import Engine
from handraise.service.live import feed
from handraise.service.live.sockets import LET_OUT
from handraise.store.store import Transaction
from handraise.store.tables.people import new_secret
from tests.patience import PATIENCE
from tests.service.desk import RunningDesk
from tests.service.serving import serving
from tests.service.talking import chat
from tests.store.samples import a_request, add_sessions

pytestmark = pytest.mark.real

SOCKETS = ["/api/v1/live/ws", "/human-agent/ws"]


def add_operator(desk: RunningDesk) -> tuple[str, str]:
    """Add an operator; return their id and the secret of their link."""
    name = f"op-{uuid.uuid4().hex[:8]}"
    [secret] = re.findall(r"/sign-in/(\S+)", desk.run("operators", "add", name))
    return name, secret


def add_key(desk: RunningDesk, *whose: str) -> tuple[str, str]:
    """Make a key; return its id and its secret."""
    told = desk.run("keys", "add", "a test", *whose, and_errors=True)
    return re.findall(r"key_\w+", told)[0], re.findall(r"hrk_\S+", told)[0]


@pytest.fixture
def signed_in(desk: RunningDesk) -> Iterator[httpx.Client]:
    """A browser in which a new operator is signed in."""
    _, link = add_operator(desk)
    with desk.visitor() as browser:
        assert browser.get(f"/sign-in/{link}").status_code == 303
        yield browser


@contextmanager
def following(desk: RunningDesk, path: str, **headers: str) -> Iterator[ClientConnection]:
    """Connect to a socket and read its snapshot, if it has one: the next frame is about something new."""
    with connect(desk.address.replace("http", "ws") + path, additional_headers=headers) as socket:
        if path == "/api/v1/live/ws":
            assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "snapshot"
        yield socket


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def ask(desk: RunningDesk) -> str:
    """Let an agent ask the operators something, and return the session."""
    with desk.visitor() as customer:
        return chat(customer, "refund")[0]


def how_it_ended(socket: ClientConnection) -> tuple[list[Any], int | None]:
    """Return the frames about requests that still came, and the code that the socket was closed with."""
    frames = []
    with suppress(ConnectionClosed):
        while True:
            frame = json.loads(socket.recv(timeout=PATIENCE))
            frames += [] if frame.get("type") == "heartbeat" else [frame]
    return frames, socket.close_code


@pytest.mark.parametrize("path", SOCKETS)
def test_a_socket_ends_when_its_operator_signs_out(desk: RunningDesk, signed_in: httpx.Client, path: str) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in signed_in.cookies.items())
    with following(desk, path, Cookie=cookies, Origin=desk.address) as socket:
        assert signed_in.post("/api/v1/sign-out").status_code == 204
        ask(desk)

        assert how_it_ended(socket) == ([], LET_OUT)


@pytest.mark.parametrize("path", SOCKETS)
def test_a_socket_ends_when_its_operator_is_removed_from_the_command_line(desk: RunningDesk, path: str) -> None:
    operator_id, _ = add_operator(desk)
    _, secret = add_key(desk, "--operator", operator_id)
    with following(desk, path, **bearer(secret)) as socket:
        desk.run("operators", "remove", operator_id)
        ask(desk)

        assert how_it_ended(socket) == ([], LET_OUT)


@pytest.mark.parametrize("path", SOCKETS)
def test_a_socket_ends_when_its_key_is_revoked_and_nobody_elses_does(desk: RunningDesk, path: str) -> None:
    key_id, secret = add_key(desk, "--scope", "inbox")
    with following(desk, path, **bearer(secret)) as socket, following(desk, path, **bearer(desk.key)) as another:
        desk.run("keys", "revoke", key_id)
        session_id = ask(desk)

        assert how_it_ended(socket) == ([], LET_OUT)
        assert session_id in str(another.recv(timeout=PATIENCE))


@pytest.mark.parametrize("kind", ["inbox", "session"])
def test_a_stream_breaks_off_when_its_key_is_revoked(desk: RunningDesk, kind: str) -> None:
    key_id, secret = add_key(desk, "--scope", "inbox")
    path = {"inbox": "/api/v1/live", "session": f"/api/v1/sessions/{ask(desk)}/events"}[kind]
    with desk.program(secret) as program:
        with program.stream("GET", path) as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line.startswith("data:"))
            desk.run("keys", "revoke", key_id)
            with pytest.raises(httpx.RemoteProtocolError):
                for _ in lines:
                    pass

        assert program.get(path).status_code == 401


def test_a_customers_stream_goes_on_whoever_signs_out(desk: RunningDesk, signed_in: httpx.Client) -> None:
    with desk.visitor() as customer:
        session = customer.post("/api/v1/sessions", json={}).json()
        path = f"/api/v1/sessions/{session['id']}"
        with customer.stream("GET", f"{path}/events") as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line.startswith("data:"))
            signed_in.post("/api/v1/sign-out")
            customer.post(f"{path}/messages", json={"text": "still there?"})

            assert next(line for line in lines if "You said: still there?" in line)


async def revoke_while_following(folder: Path) -> list[str]:
    """Revoke a key whose socket is open, then open a request; return what the socket gets: types, or how it ends."""
    async with serving(folder) as (address, engine):
        await add_sessions(engine.store, "s1")
        key_id, secret = await _key(engine)
        url = f"{address.replace('http', 'ws')}/api/v1/live/ws"
        async with connect_waiting(url, additional_headers=bearer(secret)) as socket:
            heard = [json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["type"]]
            await engine.store.write(lambda tx: _revoke(tx, key_id))
            await engine.store.write(_open)
            try:
                heard.append(json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["type"])
            except ConnectionClosed as closed:
                heard.append(str(closed.rcvd.code if closed.rcvd else None))
    return heard


async def _key(engine: Engine) -> tuple[str, str]:
    secret = new_secret("key")
    return await engine.store.write(lambda tx: tx.people.issue("key", scopes=("inbox",), secret=secret)), secret


async def _revoke(tx: Transaction, key_id: str) -> None:
    await tx.people.end(key_id)
    tx.events.append(INSTALLATION, KeyRevoked(key_id=key_id), by=Actor(kind="operator", id="ada"))


async def _open(tx: Transaction) -> None:
    request = a_request("r1")
    await tx.requests.open(request)
    tx.events.append(request.session_id, RequestOpened(request=request), by=Actor(kind="agent", id="shop"))


async def test_without_the_check_a_revoked_key_goes_on_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked, unchecked = tmp_path / "checked", tmp_path / "unchecked"
    checked.mkdir()
    unchecked.mkdir()
    with_it = await revoke_while_following(checked)
    monkeypatch.setattr(feed, "ENDS_ACCESS", ())

    assert with_it == ["snapshot", str(LET_OUT)]
    assert await revoke_while_following(unchecked) == ["snapshot", "event"]
