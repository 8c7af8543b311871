"""What customers cause and operators do, in the tests' own words. Everything is found by its role and name."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import httpx
from playwright.sync_api import BrowserContext, Locator, Page

from tests.console.detail.counter import RunningCounter
from tests.patience import PATIENCE
from tests.service.talking import until

Json = dict[str, Any]


class Desk:
    """A customer's side by HTTP, an operator's side in a browser."""

    def __init__(
        self,
        counter: RunningCounter,
        visitor: httpx.Client,
        program: httpx.Client,
        open_context: Callable[[str, dict[str, Any]], BrowserContext],
    ) -> None:
        self.counter = counter
        self._visitor = visitor
        self._program = program
        self._open_context = open_context

    def asks(self, tool: str, args: Json, *, session: str | None = None) -> Json:
        """Let an agent want to call a tool, and return the request that comes of it."""
        if session is None:
            session = self._visitor.post("/api/v1/sessions", json={}).raise_for_status().json()["id"]
        text = f"call {tool} {json.dumps(args)}"
        self._visitor.post(f"/api/v1/sessions/{session}/messages", json={"text": text}).raise_for_status()
        return self.waiting(session)

    def waiting(self, session: str) -> Json:
        """Return what a session waits for, as soon as it does."""
        found: Json = until(lambda: self._read("/api/v1/requests", session_id=session)["items"])[0]
        return found

    def request(self, request: Json) -> Json:
        """Return a request as it is now."""
        return self._read(f"/api/v1/requests/{request['id']}")

    def decides(self, request: Json, **decision: Any) -> Json:
        """Decide as a program does, whose operator is the first one."""
        answer = self._program.post(f"/api/v1/requests/{request['id']}/decision", json=decision)
        decided: Json = answer.raise_for_status().json()
        return decided

    def claims(self, request: Json) -> None:
        """Claim as the first operator."""
        self._program.post(f"/api/v1/requests/{request['id']}/claim").raise_for_status()

    def writes(self, request: Json, text: str) -> None:
        """Let the customer write while a request waits."""
        path = f"/api/v1/sessions/{request['session_id']}/messages"
        self._visitor.post(path, json={"text": text}).raise_for_status()

    def stops(self, request: Json) -> None:
        """Let the customer stop what the request is part of."""
        self._visitor.post(f"/api/v1/sessions/{request['session_id']}/stop").raise_for_status()

    def lets_time_pass(self, request: Json) -> None:
        """Let the time that a request had be over, in the database; the service's clock finds it there."""
        hour = "3600000000"
        over = f"UPDATE requests SET deadline = deadline - {hour}, due = due - {hour} WHERE id = ?"
        with closing(sqlite3.connect(self.counter.database_url.removeprefix("sqlite:///"), timeout=PATIENCE)) as file:
            file.execute(over, [request["id"]])
            file.commit()

    def result(self, request: Json) -> str:
        """Return what the tool's side answered, once the agent told the customer."""

        def told() -> str:
            page = self._program.get(f"/api/v1/sessions/{request['session_id']}/chat", headers=_AS_JSON).json()
            return str("".join(frame.get("content", "") for frame in page["messages"] if frame["type"] == "content"))

        return str(until(lambda: (text := told()) and "Result: " in text and text))

    def open(self, request: Json | None = None, *, operator: str = "admin", **settings: Any) -> Page:
        """Open the console as an operator, at a request if one is named; further arguments are the context's."""
        page = self.window(operator, **settings)
        page.goto(self.address(request) if request else f"{self.counter.address}/console")
        return page

    def window(self, operator: str = "admin", **settings: Any) -> Page:
        """Return a page on which an operator has opened nothing yet."""
        page = self._open_context(operator, settings).new_page()
        page.add_init_script(_DEAFEN)
        return page

    def address(self, request: Json) -> str:
        """Return where the console shows a request."""
        return f"{self.counter.address}/console/requests/{request['id']}"

    def _read(self, path: str, **params: str) -> Json:
        answer: Json = self._program.get(path, params=params).raise_for_status().json()
        return answer


_DEAFEN = """
for (const name of ["EventSource", "WebSocket"]) {
  const Real = window[name], open = [];
  window[name] = class extends Real { constructor(...all) { super(...all); open.push(this); } };
  addEventListener("deafen", () => {
    open.forEach((one) => one.close());
    window[name] = class { close() {} send() {} };
  });
}
"""


def deafen(page: Page) -> None:
    """Cut a page off from everything that is told live; it can still call."""
    page.evaluate("dispatchEvent(new Event('deafen'))")


def follow_link(page: Page, request: Json) -> None:
    """Go from one request to another within the console, as a link there does, and wait until the first is gone."""
    first = page.locator("article").first.element_handle()
    page.evaluate(
        "path => { history.pushState({}, '', path); dispatchEvent(new PopStateEvent('popstate')); }",
        f"/console/requests/{request['id']}",
    )
    page.wait_for_function("element => !element.isConnected", arg=first)


_AS_JSON = {"Accept": "application/json", "Last-Event-ID": "0"}


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def outcome(page: Page) -> Locator:
    return page.get_by_test_id("outcome")


def decision(page: Page) -> Locator:
    """The part of the page where one decides."""
    return page.get_by_role("region", name="Decision")


def question(text: str, **more: Any) -> Json:
    """Return the arguments of a question to a person."""
    return {"question": text, "question_type": "information_query", "context": {}, **more}
