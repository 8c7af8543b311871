"""An inbox with requests in it, and what an operator sees in its list, in the tests' own words."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from handraise.core.actors import SERVICE
from handraise.core.log.facts import RequestOpened
from handraise.core.requests import Request
from handraise.store.opening import open_store
from handraise.store.store import Transaction
from tests.running import RunningDemo
from tests.store.samples import a_request, a_session

SESSION = "d9415369-0bc8-4646"
QUESTION = {
    "kind": "question",
    "tool": "ask_human_agent",
    "args": {},
    "digest": "",
    "allowed": ("respond",),
    "question": "May we take back an opened box?",
    "question_type": "decision_required",
}


def waiting(id: str, **changes: Any) -> Request:
    """Return a request that came in a moment ago."""
    given = {"session_id": SESSION, "run_id": f"run-{id}", "created_at": datetime.now(UTC), "customer": "Grace"}
    return a_request(id, **{**given, **changes})


def alike(tool: str, count: int, *, hours: float = 1, **changes: Any) -> list[Request]:
    """Return several requests of one tool that came in some hours ago, the oldest first."""
    first = datetime.now(UTC) - timedelta(hours=hours)
    return [
        waiting(
            f"{tool}-{number:05}",
            tool=tool,
            created_at=first + timedelta(milliseconds=number),
            **{"args": {"order_id": f"A-{number:05}", "amount": number + 0.5}, **changes},
        )
        for number in range(count)
    ]


def fill(database_url: str, requests: Iterable[Request]) -> None:
    """Store open requests before a service starts on the database."""

    async def work() -> None:
        async with open_store(database_url) as store:

            async def add(tx: Transaction) -> None:
                await tx.sessions.add(a_session(SESSION, customer="Grace"))
                for request in requests:
                    await tx.requests.open(request)
                    if request.kind == "question":
                        # Who else asks the same is read from the record.
                        tx.events.append(SESSION, RequestOpened(request=request), by=SERVICE)

            await store.write(add)

    # Playwright has a loop of its own in this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work()).result()


def sign_in(page: Page, demo: RunningDemo, operator: str = "ada") -> None:
    """Be one of the demo's operators, without the page on which a person says so."""
    answer = page.context.request.post(
        f"{demo.address}/sign-in", form={"operator": operator}, headers={"Origin": demo.address}, max_redirects=0
    )
    assert answer.headers["location"] == "/console"


def rows(page: Page) -> Locator:
    """The rows of the list that can be opened."""
    return page.get_by_role("list", name=re.compile("^(Open requests|待处理请求)$")).get_by_role("link")


def ids_in(page: Page) -> list[str]:
    """Return the ids of the rows that are drawn, from the top."""
    links: list[str] = page.evaluate("""() =>
      [...document.querySelectorAll("li[data-index]")]
        .sort((a, b) => a.dataset.index - b.dataset.index)
        .flatMap((row) => [...row.querySelectorAll("a")].map((link) => link.pathname.split("/").pop()))
    """)
    return links


def ask(customer: httpx.Client, order: str = "1001", *, text: str = "") -> str:
    """Let a customer of the demo ask for a refund, or for something else; return the id of the request that waits."""
    message = {"message": text or f"I want a refund for order {order}"}
    answer = customer.post("/chat", json=message, headers={"Accept": "application/json"})
    [asked] = [message for message in answer.json()["messages"] if message["type"] == "waiting"]
    return str(asked["request_id"])


def listed(operator: httpx.Client, **filters: str) -> list[str]:
    """Return the ids of all open requests, as the service lists them."""
    found: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        params = {"limit": "200", **filters, **({"cursor": cursor} if cursor else {})}
        page = operator.get("/api/v1/requests", params=params).raise_for_status().json()
        found += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
    return found


def is_live(page: Page) -> None:
    """Wait until the page has loaded its inbox and follows it."""
    expect(page.locator("li[data-index], h2").first).to_be_visible()
