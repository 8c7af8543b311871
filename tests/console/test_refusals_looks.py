"""What the pages say in place of what is not there or not for the reader, in both languages and both colour schemes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.console.watching import LOCALES, faults, is_too_wide
from tests.running import RunningDemo

Open = Callable[..., Page]
PHONE = {"width": 390, "height": 800}


def looks_right(page: Page, words: dict[str, str], locale: str) -> None:
    expect(page.get_by_role("heading", name=words[locale])).to_be_visible()
    assert faults(page) == []
    assert not is_too_wide(page)


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_read_that_there_is_no_such_page(open_console: Open, locale: str) -> None:
    words = {"en-US": "There is no such page", "zh-CN": "没有这个页面"}
    for path in ("/console/no/such/page", "/no-such-page"):
        page = open_console(path, locale=locale, viewport=PHONE)
        looks_right(page, words, locale)


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_read_that_a_page_is_not_for_their_role(
    inbox: RunningDemo, open_inbox: Open, locale: str
) -> None:
    page = open_inbox(operator="lin", locale=locale, viewport=PHONE)
    page.goto(f"{inbox.address}/console/audit")

    looks_right(page, {"en-US": "This page is not for your role", "zh-CN": "您的角色不能查看此页面"}, locale)


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_read_that_they_are_signed_out_as_soon_as_they_are(
    inbox: RunningDemo, open_inbox: Open, locale: str
) -> None:
    page = open_inbox(operator="lin", locale=locale, viewport=PHONE)
    page.context.request.post(f"{inbox.address}/api/v1/sign-out", headers={"Origin": inbox.address})

    looks_right(page, {"en-US": "You are signed out", "zh-CN": "您已退出登录"}, locale)


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_read_that_the_inbox_is_not_theirs(inbox: RunningDemo, open_inbox: Open, locale: str) -> None:
    page = open_inbox(operator="lin", locale=locale, viewport=PHONE)
    # As the service answers a program's key, which no browser sends by itself.
    page.route("**/api/v1/me", lambda route: route.fulfill(json={"role": "service", "id": "key_1", "name": "a key"}))
    page.context.request.post(f"{inbox.address}/api/v1/sign-out", headers={"Origin": inbox.address})

    looks_right(page, {"en-US": "The inbox is not open to you", "zh-CN": "您无权查看收件箱"}, locale)
