"""The sign-in page in both languages and both colour schemes, on a phone: who to be, and how to get a link."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.console.watching import LOCALES, faults, is_too_wide
from tests.running import RunningDemo
from tests.service.desk import RunningDesk
from tests.windows import NewContext

TITLES = {"en-US": "Sign in", "zh-CN": "登录"}


@pytest.fixture(params=LOCALES)
def visit(request: pytest.FixtureRequest, new_context: NewContext) -> Callable[[str], Page]:
    """Open the sign-in page as somebody who is not signed in."""
    locale = request.param
    context = new_context(locale=locale, viewport={"width": 390, "height": 800})

    def open_at(address: str) -> Page:
        page = context.new_page()
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[locale])
        return page

    return open_at


def test_everybody_can_choose_who_to_be_in_the_demo(inbox: RunningDemo, visit: Callable[[str], Page]) -> None:
    page = visit(f"{inbox.address}/console")
    expect(page.get_by_role("button")).not_to_have_count(0)

    assert faults(page) == []
    assert not is_too_wide(page)


def test_everybody_can_read_how_to_get_a_link(desk: RunningDesk, visit: Callable[[str], Page]) -> None:
    page = visit(f"{desk.address}/sign-in")
    expect(page.get_by_text("handraise operators link")).to_be_visible()

    assert faults(page) == []
    assert not is_too_wide(page)


def test_everybody_can_read_that_a_link_was_used(desk: RunningDesk, visit: Callable[[str], Page]) -> None:
    page = visit(f"{desk.address}/sign-in/hrl_used")
    expect(page.get_by_role("alert")).to_be_visible()

    assert faults(page) == []
    assert not is_too_wide(page)
