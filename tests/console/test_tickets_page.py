"""The tickets page in a real browser: a question that nobody answered is answered later, once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.console.chatting import write
from tests.console.watching import LOCALES, faults, is_too_wide
from tests.service.desk import RunningDesk

Open = Callable[..., Page]


def open_ticket(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "ticket")
    expect(page.locator("[data-purpose=fallback]")).to_contain_text("Your ticket is")


def test_an_answer_reaches_the_customer_and_a_second_one_is_told_who_was_first(
    desk: RunningDesk, page: Page, open_console: Open
) -> None:
    open_ticket(desk, page)
    first, second = open_console("/console/tickets"), open_console("/console/tickets")
    for operator, text in ((first, "It arrives tomorrow."), (second, "I do not know.")):
        operator.get_by_role("textbox", name="Answer to ticket").first.fill(text)
    first.get_by_role("button", name="Send the answer").first.click()
    expect(page.locator("[data-purpose=ticket]")).to_contain_text("It arrives tomorrow.")

    second.get_by_role("button", name="Send the answer").first.click()
    expect(second.get_by_role("alert")).to_contain_text("Somebody was first")
    first.get_by_text("Answered", exact=True).click()
    expect(first.get_by_role("list", name="Tickets")).to_contain_text("It arrives tomorrow.")


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_it(desk: RunningDesk, page: Page, open_console: Open, locale: str) -> None:
    open_ticket(desk, page)
    operator = open_console("/console/tickets", locale=locale, viewport={"width": 390, "height": 800})
    expect(operator.get_by_role("textbox").first).to_be_visible()
    assert faults(operator) == []
    assert not is_too_wide(operator)
    operator.goto(f"{desk.address}/console/tickets?status=answered")
    expect(operator.get_by_role("heading").first).to_be_visible()
    assert faults(operator) == []
