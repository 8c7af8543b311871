"""The insights page in a real browser: its numbers are the API's, each leads to its list, and it prints."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.console.watching import LOCALES, faults, is_too_wide
from tests.service.desk import RunningDesk
from tests.service.talking import chat, only, until

Open = Callable[..., Page]
PAGE = "/console/insights?zone=UTC&days=7"


@pytest.fixture(scope="module", autouse=True)
def asked(desk: RunningDesk) -> dict[str, Any]:
    """Let something be asked, answered, rejected, left open and timed out; return the report on it."""
    with desk.visitor() as customer, desk.program() as operator:
        answers = {
            "我的订单什么时候发货?": {"type": "respond", "text": "Tomorrow."},
            "refund": {"type": "reject", "reason": "Too old."},
        }
        for words, decision in answers.items():
            request_id = only(chat(customer, words)[1], "waiting")["request_id"]
            operator.post(f"/api/v1/requests/{request_id}/decision", json=decision)
        for words in ("refund", "please ticket", "hello"):
            chat(customer, words)
        until(lambda: operator.get("/api/v1/insights").json()["total"]["lapses"]["ticket"] == 1)
        until(lambda: operator.get("/api/v1/insights").json()["behind"] == 0)
        report: dict[str, Any] = operator.get("/api/v1/insights", params={"by": "tool"}).json()
        return report


def shown(page: Page, tile: str, name: str) -> int:
    """Return the number that a tile shows under a name."""
    number = page.get_by_role("region", name=tile, exact=True).get_by_role("link", name=f"{name}: ").first
    return int(number.get_attribute("data-value") or "-1")


def test_the_numbers_are_those_of_the_api(asked: dict[str, Any], open_console: Open) -> None:
    page = open_console(PAGE)
    total = asked["total"]
    expect(page.get_by_role("region", name="Decided", exact=True)).to_be_visible()

    assert total["decisions"] == {"approve": 0, "edit": 0, "reject": 1, "respond": 1}
    assert shown(page, "Decided", "Decided") == total["decided"] == 2
    assert shown(page, "Decided", "Rejected") == 1
    assert shown(page, "Timed out", "Became a ticket") == total["lapses"]["ticket"] == 1
    assert shown(page, "Assist rate", "Sessions that asked a person") == total["assisted"] == 4
    assert shown(page, "Response time (P95)", "Within 60 s") == total["response"]["in_time"]
    assert shown(page, "What people are asked for", "Risk") == asked["types"]["risk_confirmation"]
    by_tool = page.get_by_role("region", name="By tool")
    for group in asked["groups"]:
        name = group["name"] or "(question)"
        number = by_tool.get_by_role("link", name=f"{name} Opened: {group['figures']['opened']}", exact=True)
        expect(number).to_be_visible()


@pytest.mark.parametrize(
    ("region", "number"),
    [("Decided", "Rejected: 1"), ("Timed out", "Became a ticket: 1"), ("By tool", "(question) Answered: 1")],
)
def test_a_number_leads_to_the_requests_behind_it(open_console: Open, region: str, number: str) -> None:
    page = open_console(PAGE)
    page.get_by_role("region", name=region, exact=True).get_by_role("link", name=number, exact=True).click()

    listed = page.get_by_role("list", name="Requests in this figure").get_by_role("listitem")
    expect(listed).to_have_count(1)
    listed.get_by_role("link").click()
    expect(page).to_have_url(re.compile("/console/requests/req_"))


def test_the_range_and_the_zone_are_in_the_address(open_console: Open) -> None:
    page = open_console(PAGE)
    page.get_by_label("Time zone").select_option("Australia/Adelaide")
    page.get_by_label("Period").select_option("30")

    expect(page).to_have_url(re.compile("zone=Australia%2FAdelaide.*days=30|days=30.*zone=Australia%2FAdelaide"))
    expect(page.get_by_text("Australia/Adelaide", exact=False).first).to_be_visible()
    page.get_by_label("From").fill("2001-01-01")
    page.get_by_label("To", exact=True).fill("2001-01-02")
    expect(page.get_by_role("heading", name="Nothing happened in this time")).to_be_visible()
    assert faults(page) == []


def test_the_table_behind_the_charts_has_their_numbers(asked: dict[str, Any], open_console: Open) -> None:
    page = open_console(PAGE)
    trend = page.get_by_role("region", name="Day by day")
    trend.get_by_text("Show as a table").click()

    today = f"{datetime.now(UTC):%-m/%-d}"
    number = trend.get_by_role("link", name=f"{today} Opened: {asked['total']['opened']}", exact=True)
    expect(number).to_be_visible()


def test_it_prints_without_what_is_only_for_clicking(open_console: Open) -> None:
    page = open_console(PAGE, color_scheme="dark")
    expect(page.locator(".recharts-surface").first).to_be_visible()
    page.emulate_media(media="print")

    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.get_by_role("banner")).to_be_hidden()
    expect(page.locator(".recharts-surface").first).to_be_visible()
    page.wait_for_function(
        "document.querySelector('#content').scrollHeight <= document.querySelector('#content').clientHeight"
    )
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_it(open_console: Open, locale: str) -> None:
    look = {"locale": locale, "viewport": {"width": 390, "height": 800}}
    page = open_console(PAGE, **look)
    expect(page.locator(".recharts-surface").first).to_be_visible()
    page.locator("summary").click()
    assert faults(page) == []
    assert not is_too_wide(page)


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_the_requests_that_a_figure_counts(open_console: Open, locale: str) -> None:
    page = open_console(PAGE, locale=locale, viewport={"width": 390, "height": 800})
    tile, title, nothing = {
        "en-US": ("Decided", "Requests in this figure", "No requests match"),
        "zh-CN": ("已决定", "该数据对应的请求", "没有符合条件的请求"),
    }[locale]
    page.get_by_role("region", name=tile).get_by_role("link").first.click()
    # By its name: the address changes a moment before the page does.
    listed = page.get_by_role("list", name=title).get_by_role("listitem")
    expect(listed.first).to_be_visible()
    expect(page.locator("dl")).to_be_visible()
    assert faults(page) == []
    assert not is_too_wide(page)
    page.goto(f"{page.url}&tool=no_such_tool")
    expect(page.get_by_role("heading", name=nothing)).to_be_visible()
    assert faults(page) == []
    assert not is_too_wide(page)
