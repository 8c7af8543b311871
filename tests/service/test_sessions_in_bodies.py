"""Routes that learn the session from their body: the same row of the table, applied once the body is read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI, Request
from pydantic import BaseModel

from handraise.service.auth.authentication import IdentityHere, admit_to_session
from handraise.service.auth.permissions import PERMISSIONS, Row
from tests.patience import PATIENCE
from tests.service.serving import serving

pytestmark = pytest.mark.real


class Body(BaseModel):
    thread_id: str = ""


def add_route(app: FastAPI) -> None:
    @app.post("/talk")
    async def talk(body: Body, request: Request, identity: IdentityHere) -> str:
        return (await admit_to_session(request, body.thread_id) if body.thread_id else identity).role


@pytest.fixture
async def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    monkeypatch.setitem(PERMISSIONS, "POST /talk", Row.of("anon yes 404 403 403 403 chat"))
    async with (
        serving(tmp_path, add_routes=add_route) as (address, _),
        httpx.AsyncClient(base_url=address, timeout=PATIENCE) as http,
    ):
        http.headers["Origin"] = address
        yield http


async def test_the_session_in_the_body_is_for_its_own_customer(client: httpx.AsyncClient) -> None:
    own, other = [(await client.post("/api/v1/sessions", json={})).json() for _ in range(2)]
    by_cookie = await client.post("/talk", json={"thread_id": own["id"]})
    missing = await client.post("/talk", json={"thread_id": "no-such-session"})
    client.cookies.clear()

    async def talk(token: str | None, thread_id: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return await client.post("/talk", json={"thread_id": thread_id}, headers=headers)

    assert (by_cookie.status_code, by_cookie.json()) == (200, "customer")
    assert missing.status_code == 404
    assert (await talk(own["token"], own["id"])).json() == "customer"
    assert (await talk(other["token"], own["id"])).status_code == 404
    assert (await talk(None, own["id"])).status_code == 401, "anonymous customers start sessions; they do not join one"
    assert (await talk(None, "")).json() == "nobody"
