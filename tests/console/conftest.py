"""A real browser on a real service with the tests' own agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.console.listing import QUESTION, alike, fill, is_live, sign_in, waiting
from tests.running import RunningDemo
from tests.service.desk import RunningDesk
from tests.windows import NewContext


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDesk]:
    """The running service, one for the tests of a page; each test has sessions of its own."""
    with RunningDesk(f"sqlite:///{tmp_path_factory.mktemp('desk') / 'handraise.db'}") as running:
        yield running


@pytest.fixture(scope="module")
def signed_in(desk: RunningDesk, browser: Browser) -> list[Any]:
    """The cookies of a browser in which an operator has followed the sign-in link, which works once."""
    context = browser.new_context()
    context.new_page().goto(desk.sign_in_link)
    cookies = context.cookies()
    context.close()
    return [*cookies]


@pytest.fixture
def open_console(desk: RunningDesk, new_context: NewContext, signed_in: list[Any]) -> Callable[..., Page]:
    """Open a page of the console as an operator; further arguments are the browser context's."""

    def open_at(path: str, **settings: Any) -> Page:
        context = new_context(**settings)
        context.add_cookies(signed_in)
        page = context.new_page()
        page.goto(f"{desk.address}{path}")
        return page

    return open_at


@pytest.fixture(scope="session")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDemo]:
    """The demo with an inbox in which every test has requests of its own, told apart by their tool."""
    url = f"sqlite:///{tmp_path_factory.mktemp('inbox') / 'handraise.db'}"
    fill(
        url,
        [
            *alike("ship_parcel", 3, agent="orders"),
            waiting("urgent", **QUESTION, urgency="high", agent="orders"),
            *alike("hold_me", 1),
            *alike("stay_put", 40, hours=2),
            *alike("pack_parcel", 4),
            *alike("issue_refund", 10),
            *alike("print_label", 3),
            *(waiting(f"question-{number}", **QUESTION, context={"order": "7"}) for number in range(3)),
            waiting("another", **QUESTION, context={"order": "8"}),
        ],
    )
    with RunningDemo(url) as running:
        yield running


@pytest.fixture
def open_inbox(inbox: RunningDemo, new_context: NewContext) -> Callable[..., Page]:
    """Open the inbox as an operator of the demo, each time in a browser of its own."""

    def open_at(path: str = "/console", operator: str = "ada", init: str = "", **settings: Any) -> Page:
        page = new_context(**settings).new_page()
        if init:
            page.add_init_script(init)
        sign_in(page, inbox, operator)
        page.goto(f"{inbox.address}{path}")
        is_live(page)
        return page

    return open_at
