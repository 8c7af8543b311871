"""The table of permissions, walked over real HTTP: every route, by everyone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

import httpx
import pytest
from fastapi import FastAPI
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from handraise.core.errors import Misconfigured
from handraise.core.people import Scope
from handraise.service.auth.permissions import EVERYONE, PERMISSIONS, Column, Row, check_permissions
from handraise.store.opening import open_store
from handraise.store.store import Transaction
from handraise.store.tables.people import new_secret
from tests.patience import PATIENCE
from tests.running import UNUSED, RunningDemo
from tests.store.samples import a_request

CELLS = [(key, column) for key in PERMISSIONS for column in get_args(Column) if not key.startswith("MOUNT")]
"""A mounted folder has no route of its own; all are public, and one file of it is as good as another."""

NAMED_IN_THE_BODY = {"POST /chat", "POST /continue_thread"}
"""Routes that learn their session from the body; without one /chat opens a new session for anybody."""


@dataclass(frozen=True)
class World:
    """A running service, a secret for each column of the table, and what the paths name."""

    demo: RunningDemo
    secrets: dict[str, str]
    ids: dict[str, str]

    def path(self, key: str) -> str:
        return re.sub(r"\{(\w+)(:\w+)?\}", lambda name: self.ids.get(name[1], "nothing"), key.partition(" ")[2])

    def headers(self, column: str) -> dict[str, str]:
        secret = self.secrets.get(column)
        # Where a request comes from is another test's matter.
        return {"Origin": self.demo.address} | ({"Authorization": f"Bearer {secret}"} if secret else {})

    def status(self, key: str, headers: dict[str, str]) -> int:
        """Return the status of a route's answer; a stream is left at once."""
        method, path = key.partition(" ")[0], self.path(key)
        if method == "WS":
            return self._socket_status(path, headers)
        body: dict[str, str | bool] | None = None if method == "GET" else {}
        if key in NAMED_IN_THE_BODY and "Authorization" in headers:
            body = {"thread_id": self.ids["session_id"], "message": "hello", "approved": True}
        with httpx.stream(
            method, self.demo.address + path, headers=headers, json=body, timeout=PATIENCE, verify=UNUSED
        ) as answer:
            return answer.status_code

    def _socket_status(self, path: str, headers: dict[str, str]) -> int:
        try:
            with connect(f"ws{self.demo.address[4:]}{path}", additional_headers=headers):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    url = f"sqlite:///{tmp_path_factory.mktemp('permissions') / 'handraise.db'}"
    with RunningDemo(url) as demo, demo.visitor() as visitor:
        own, other = (visitor.post("/api/v1/sessions", json={}).json() for _ in range(2))
        keys = {column: new_secret("key") for column in ("operator", "lead", "admin", "service")}

        async def set_up(tx: Transaction) -> None:
            await tx.people.add_operator("boss", name="Boss", role="admin")
            await tx.people.issue("key", operator_id="lin", secret=keys["operator"])
            await tx.people.issue("key", operator_id="ada", secret=keys["lead"])
            await tx.people.issue("key", operator_id="boss", secret=keys["admin"])
            await tx.people.issue("key", scopes=get_args(Scope), secret=keys["service"])
            await tx.requests.open(a_request("r1", session_id=own["id"], audience="customer"))
            await tx.requests.open(a_request("r2", session_id=own["id"], audience="operator"))

        async def write() -> None:
            async with open_store(url) as store:
                await store.write(set_up)

        asyncio.run(write())
        secrets = {"own": own["token"], "other": other["token"], **keys}
        yield World(demo, secrets, {"session_id": own["id"], "request_id": "r1"})


@pytest.mark.parametrize(("key", "column"), CELLS, ids=[f"{key}-{column}" for key, column in CELLS])
def test_every_route_answers_everyone_as_the_table_says(world: World, key: str, column: Column) -> None:
    answer = PERMISSIONS[key].answers[column]

    status = world.status(key, world.headers(column))

    if answer in {"yes", "anon", "open"}:
        refused = {401, 403, 429, 500}
        names_only_what_exists = "nothing" not in world.path(key)
        assert status not in (refused | {404} if names_only_what_exists else refused)
    else:
        assert status == int(answer)


@pytest.mark.parametrize("key", [key for key, row in PERMISSIONS.items() if not row.is_public])
def test_a_guarded_route_refuses_a_secret_that_nobody_issued(world: World, key: str) -> None:
    assert world.status(key, {"X-Api-Key": new_secret("key")}) == 401


@pytest.mark.parametrize("key", [key for key, row in PERMISSIONS.items() if row.answers["service"] == "yes"])
def test_a_key_does_only_what_its_scopes_are_for(world: World, key: str) -> None:
    row = PERMISSIONS[key]
    if row.is_public:
        return
    secret = new_secret("key")
    without = tuple(scope for scope in get_args(Scope) if scope not in row.scopes)

    async def write() -> None:
        async with open_store(world.demo.database_url) as store:
            await store.write(lambda tx: tx.people.issue("key", scopes=without, secret=secret))

    asyncio.run(write())

    assert world.status(key, {"X-Api-Key": secret}) == 403


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_customer_never_sees_or_decides_an_operators_request(world: World, method: str) -> None:
    path = "/api/v1/requests/{id}" + ("/decision" if method == "POST" else "")
    with world.demo.program(world.secrets["own"]) as customer:
        answers = [
            customer.request(method, path.format(id=request_id), json={"type": "approve"})
            for request_id in ("r2", "no-such-request")
        ]

    there, missing = ({**answer.json(), "detail": ""} for answer in answers)
    assert [answer.status_code for answer in answers] == [404, 404]
    assert {**there, "details": {}} == {**missing, "details": {}}


def test_a_customers_own_request_is_theirs_to_decide(world: World) -> None:
    with world.demo.program(world.secrets["own"]) as customer:
        shown = customer.get("/api/v1/requests/r1")

    assert shown.json()["audience"] == "customer"


def test_a_route_without_a_row_is_refused_at_start() -> None:
    app = FastAPI(openapi_url=None)

    @app.get("/forgotten")
    async def forgotten() -> None: ...

    with pytest.raises(Misconfigured, match="GET /forgotten is in no row of the permissions"):
        check_permissions(app)


def test_a_route_that_cannot_be_guarded_must_be_public(monkeypatch: pytest.MonkeyPatch) -> None:
    app = FastAPI(openapi_url=None)
    app.mount("/private", FastAPI())
    monkeypatch.setitem(PERMISSIONS, "MOUNT /private", Row.of("401 403 403 yes yes yes any"))

    with pytest.raises(Misconfigured, match="MOUNT /private cannot be guarded"):
        check_permissions(app)


@pytest.mark.parametrize(
    "text", ["yes", "yes yes yes yes yes yes", "yes yes yes yes yes maybe any", f"{'yes ' * 6}all"]
)
def test_a_row_that_is_no_row_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no row|names no scope"):
        Row.of(text)


def test_the_rows_are_what_they_look_like() -> None:
    row = Row.of("401 yes 404 403 yes yes chat,inbox")

    assert dict(row.answers) == {
        "nobody": "401",
        "own": "yes",
        "other": "404",
        "operator": "403",
        "lead": "yes",
        "admin": "yes",
        "service": "yes",
    }
    assert row.scopes == {"chat", "inbox"}
    assert EVERYONE.is_public
    assert not row.is_public
