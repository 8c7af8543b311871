"""What monitors, proxies and browsers meet first: HEAD, and the name under which the service was asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.patience import PATIENCE
from tests.service.serving import serving

pytestmark = pytest.mark.real


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(tmp_path) as (address, _), httpx.AsyncClient(base_url=address, timeout=PATIENCE) as http:
        yield http


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/console", "/openapi.json"])
async def test_head_says_what_get_would_and_sends_nothing(client: httpx.AsyncClient, path: str) -> None:
    head, got = await client.head(path), await client.get(path)

    assert head.status_code == got.status_code
    assert head.headers.get("content-type") == got.headers.get("content-type")
    assert head.headers.get("content-security-policy") == got.headers.get("content-security-policy")
    assert head.content == b""


@pytest.mark.parametrize("path", ["/api/v1/info", "/chat", "/metrics", "/human-agent/pending-requests"])
async def test_what_is_no_page_takes_no_head(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.head(path)).status_code == 405


async def test_a_name_that_the_service_is_not_known_by_is_a_problem_like_any_other(client: httpx.AsyncClient) -> None:
    refused = await client.get("/api/v1/info", headers={"Host": "evil.example:80"})

    assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json")
    assert (refused.json()["code"], refused.json()["detail"]) == (
        "unknown_host",
        "This service is not known as 'evil.example:80'.",
    )
    assert refused.json()["fix"]
    assert refused.headers["content-security-policy"]
    for malformed in ("", "127.0.0.1:80:80", "127.0.0.1@evil.example"):
        assert (await client.get("/api/v1/info", headers={"Host": malformed})).status_code == 400


async def test_a_socket_is_not_opened_under_another_name(client: httpx.AsyncClient) -> None:
    url = f"ws://127.0.0.1:{client.base_url.port}/api/v1/live/ws"
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url.replace("127.0.0.1", "evil.example"), host="127.0.0.1"):
            pass

    assert refused.value.response.status_code == 400
