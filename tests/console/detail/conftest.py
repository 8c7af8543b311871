"""One service for all tests of the detail, and two operators who are signed in to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.console.detail.counter import RunningCounter
from tests.console.detail.operating import Desk
from tests.windows import NewContext


@pytest.fixture(scope="session")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCounter]:
    """The running service; each test has requests of its own."""
    with RunningCounter(f"sqlite:///{tmp_path_factory.mktemp('counter') / 'handraise.db'}") as running:
        yield running


@pytest.fixture(scope="session")
def sign_ins(counter: RunningCounter, browser: Browser) -> dict[str, list[Any]]:
    """The cookies of a browser in which each operator has followed a sign-in link."""
    added = counter.run("operators", "add", "bo")
    found = re.search(r"/sign-in/\S+", added)
    assert found, added
    cookies: dict[str, list[Any]] = {}
    for name, link in (("admin", counter.sign_in_link), ("bo", f"{counter.address}{found.group()}")):
        context = browser.new_context()
        context.new_page().goto(link)
        cookies[name] = [*context.cookies()]
        context.close()
    return cookies


@pytest.fixture
def at_desk(counter: RunningCounter, new_context: NewContext, sign_ins: dict[str, list[Any]]) -> Iterator[Desk]:
    """Customers who ask and operators who look at it; what is opened is closed after the test."""

    def open_context(operator: str, settings: dict[str, Any]) -> BrowserContext:
        context = new_context(**settings)
        context.add_cookies(sign_ins[operator])
        return context

    with counter.visitor() as visitor, counter.program() as program:
        yield Desk(counter, visitor, program, open_context)
