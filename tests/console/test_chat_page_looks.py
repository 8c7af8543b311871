"""The chat page and its dialog in both languages and both colour schemes, on a desk and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.console.watching import LOCALES, faults, is_too_wide
from tests.service.desk import RunningDesk
from tests.windows import NewContext


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_it(desk: RunningDesk, new_context: NewContext, locale: str) -> None:
    context = new_context(
        locale=locale,
        viewport={"width": 390, "height": 800},
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(desk.address)
    field = page.get_by_role("textbox").first
    expect(field).to_be_visible()
    assert faults(page) == []

    field.fill("Hello **there**\n\n- [a link](https://shop.example) and `code`")
    field.press("Enter")
    expect(page.locator("[data-from=agent] a")).to_be_visible()
    field.fill("transfer and refund")
    field.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(page) == []
    assert not is_too_wide(page)

    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_test_id("waiting-card")).to_be_visible()
    page.get_by_test_id("tool-card").first.locator("summary").click()
    assert faults(page) == []
    assert not is_too_wide(page)
