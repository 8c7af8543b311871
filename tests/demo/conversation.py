"""A customer and the operators of a running demo, over its native API. All HTTP of these tests is in this file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Self

import httpx

from tests.running import RunningDemo


class Service:
    """A running demo from outside, with the clients that its pages would use."""

    def __init__(self, demo: RunningDemo) -> None:
        self._demo = demo
        self._open: list[httpx.Client] = []
        self.operators = self._keep(demo.browser())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._open:
            client.close()

    def info(self) -> dict[str, Any]:
        return _json(self.operators.get("/api/v1/info"))

    def waiting(self) -> list[dict[str, Any]]:
        """Return every request in the inbox."""
        items: list[dict[str, Any]] = _json(self.operators.get("/api/v1/requests"))["items"]
        return items

    def entries(self, status: str) -> list[dict[str, Any]]:
        """Return the entries of the knowledge base."""
        items: list[dict[str, Any]] = _json(self.operators.get("/api/v1/knowledge", params={"status": status}))["items"]
        return items

    def publish(self, entry_id: str) -> None:
        _json(self.operators.post(f"/api/v1/knowledge/{entry_id}/publish", json={}))

    def customer(self) -> Customer:
        """Let a new customer in, with a browser of their own."""
        browser = self._keep(self._demo.visitor())
        return Customer(_json(browser.post("/api/v1/sessions", json={}))["id"], browser, self.operators)

    def customer_of(self, session_id: str) -> Customer:
        """Return to a conversation, as an operator reads it, up to where it stands."""
        customer = Customer(session_id, self.operators, self.operators)
        customer.reads()
        return customer

    def _keep(self, client: httpx.Client) -> httpx.Client:
        self._open.append(client)
        return client


class Customer:
    """One conversation: what the customer writes and reads, and what an operator does about it."""

    def __init__(self, session_id: str, browser: httpx.Client, operators: httpx.Client) -> None:
        self.id = session_id
        self.pieces: list[str] = []
        self.facts: list[dict[str, Any]] = []
        self._browser = browser
        self._operators = operators
        self._seen = 0

    def writes(self, text: str) -> list[str]:
        """Write, and return what the agent wrote until it waits for a person or has nothing more to say."""
        return self._follow(after=lambda: self.sends(text))

    def sends(self, text: str) -> None:
        _json(self._browser.post(f"/api/v1/sessions/{self.id}/messages", json={"text": text}))

    def reads(self) -> list[str]:
        """Return what the agent writes until it rests."""
        return self._follow(after=lambda: None)

    def asked(self) -> list[dict[str, Any]]:
        """Return the open requests of this conversation, as an operator sees them."""
        answer = self._operators.get("/api/v1/requests", params={"session_id": self.id})
        items: list[dict[str, Any]] = _json(answer)["items"]
        return items

    def the_request(self) -> dict[str, Any]:
        """Return the one open request."""
        [request] = self.asked()
        return request

    def is_decided(self, *decisions: dict[str, Any]) -> list[str]:
        """Decide the open requests in the order of their tool calls, and return what the customer reads then."""
        # What a decorated tool asks does not name its call; nothing else is asked beside it.
        requests = sorted(self.asked(), key=lambda request: str(request["created_at"]))
        for request, decision in zip(requests, decisions, strict=True):
            _json(self._operators.post(f"/api/v1/requests/{request['id']}/decision", json=decision))
        return self.reads()

    def confirms(self, decision: dict[str, Any]) -> httpx.Response:
        """Let the customer decide the open request in person."""
        return self._browser.post(f"/api/v1/requests/{self.the_request()['id']}/decision", json=decision)

    def status(self) -> str:
        return str(_json(self._browser.get(f"/api/v1/sessions/{self.id}"))["status"])

    def _follow(self, *, after: Callable[[], None]) -> list[str]:
        """Follow the conversation from where it was left, from before `after` is done on."""
        said: list[str] = []
        path, headers = f"/api/v1/sessions/{self.id}/events", {"Last-Event-ID": str(self._seen)}
        with self._browser.stream("GET", path, headers=headers) as stream:
            after()
            for frame in (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")):
                if frame["type"] == "delta":
                    self.pieces.append(frame["text"])
                    continue
                fact = frame["event"]["fact"]
                self._seen = frame["event"]["session_seq"]
                self.facts.append(fact)
                if fact["name"] == "message.sent":
                    said.append(fact["text"])
                if fact["name"] == "run.finished" or fact.get("status") == "waiting_for_human":
                    return said
        raise AssertionError("the stream ended before the agent came to rest")


class ShopRecords:
    """What is in the shop's own database, read past the demo."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def order(self, customer: Customer, number: str) -> str:
        """Return an order's status."""
        [(status,)] = self._rows("SELECT status FROM orders WHERE customer = ? AND number = ?", customer.id, number)
        return str(status)

    def refunds(self, customer: Customer) -> list[tuple[str, int]]:
        """Return the order and the cents of every refund that was paid."""
        sql = "SELECT number, cents FROM refunds WHERE customer = ? AND status = 'paid' ORDER BY number"
        return [(str(number), int(cents)) for number, cents in self._rows(sql, customer.id)]

    def keys(self, customer: Customer) -> list[str]:
        """Return the idempotency keys that the refunds were paid under."""
        sql = "SELECT idempotency_key FROM refunds WHERE customer = ? AND status = 'paid'"
        return [str(key) for (key,) in self._rows(sql, customer.id)]

    def unpaid(self, customer: Customer) -> list[str]:
        sql = "SELECT number FROM orders WHERE customer = ? AND status = 'pending' ORDER BY number"
        return [str(number) for (number,) in self._rows(sql, customer.id)]

    def address(self, customer: Customer, number: str) -> str:
        [(address,)] = self._rows("SELECT address FROM orders WHERE customer = ? AND number = ?", customer.id, number)
        return str(address)

    def points(self, customer: Customer) -> int:
        [(points,)] = self._rows("SELECT points FROM memberships WHERE customer = ?", customer.id)
        return int(points)

    def _rows(self, sql: str, *values: str) -> list[Any]:
        with closing(sqlite3.connect(self._file)) as connection:
            return connection.execute(sql, values).fetchall()


def _json(answer: httpx.Response) -> dict[str, Any]:
    assert answer.is_success, answer.text
    body = answer.json()
    assert isinstance(body, dict)
    return body
