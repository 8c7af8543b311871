"""A message, a gated call, a decision and an answer, as a customer and an operator see them, on both databases."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.running import RunningDemo
from tests.windows import NewContext


@pytest.fixture
def demo(database_url: str) -> Iterator[RunningDemo]:
    with RunningDemo(database_url) as running:
        yield running


def write(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("button", name="Send").click()


def signed_in(demo: RunningDemo, context: BrowserContext) -> Page:
    """Open the console as an operator of the demo, who signs in with one click."""
    page = context.new_page()
    page.goto(f"{demo.address}/console")
    page.get_by_role("button", name="Ada").click()
    page.wait_for_url("**/console")
    return page


def said(page: Page, text: str) -> Locator:
    return page.get_by_role("log", name="Conversation").get_by_text(text)


def test_an_approval_reaches_the_customer(demo: RunningDemo, page: Page, new_context: NewContext) -> None:
    operator = signed_in(demo, new_context())
    expect(operator.get_by_text("Nothing is waiting")).to_be_visible()
    page.goto(demo.address)

    write(page, "I want a refund for order 1001")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()
    request = operator.get_by_role("list", name="Open requests").get_by_role("link").first
    request.click()
    expect(operator.get_by_role("heading", level=2, name="refund_order")).to_be_visible()
    expect(operator.get_by_text("42.5").first).to_be_visible()
    operator.get_by_role("button", name="Approve", exact=True).click()

    expect(said(page, "Done: 42.50 has been refunded to your card.")).to_be_visible()
    expect(page.get_by_test_id("waiting-card")).to_be_hidden()


def test_a_pause_survives_a_stop_between_asking_and_approving(demo: RunningDemo, page: Page) -> None:
    page.goto(demo.address)
    write(page, "I want a refund for order 1002")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()

    demo.stop()
    demo.start()
    operator = signed_in(demo, page.context)
    operator.get_by_role("list", name="Open requests").get_by_role("link").first.click()
    operator.get_by_role("button", name="Approve", exact=True).click()

    expect(said(page, "Done: 128.00 has been refunded to your card.")).to_be_visible()
    page.reload()
    expect(said(page, "Done: 128.00 has been refunded to your card.")).to_be_visible()


def test_the_pages_speak_the_browsers_language(demo: RunningDemo, new_context: NewContext) -> None:
    context = new_context(locale="zh-CN")
    page = context.new_page()
    page.goto(demo.address)

    expect(page.locator("html")).to_have_attribute("lang", re.compile("^zh"))
    page.get_by_role("textbox").fill("我要退款，订单 1001")
    page.get_by_role("textbox").press("Enter")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()
