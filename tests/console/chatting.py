"""What a customer does on the chat page, in the tests' own words."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import Locator, Page

from tests.service.desk import RunningDesk
from tests.service.talking import until


def write(page: Page, text: str) -> None:
    """Type a message and send it."""
    field = page.get_by_role("textbox", name="Message")
    field.fill(text)
    field.press("Enter")


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="Conversation")


def session_of(page: Page) -> str:
    """Return the session in the page's address."""
    page.wait_for_url("**/chat/*")
    return page.url.rpartition("/")[2]


def waiting_request(operator: httpx.Client, session_id: str) -> dict[str, Any]:
    """Return what a session waits for, as soon as it does."""

    def ask() -> Any:
        return operator.get("/api/v1/requests", params={"session_id": session_id}).json()["items"]

    found: dict[str, Any] = until(ask)[0]
    return found


def decide(desk: RunningDesk, page: Page, **decision: Any) -> None:
    """Decide what a page's session waits for, as an operator elsewhere does."""
    with desk.program() as operator:
        request = waiting_request(operator, session_of(page))
        operator.post(f"/api/v1/requests/{request['id']}/decision", json=decision).raise_for_status()
