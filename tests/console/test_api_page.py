"""The API's documentation in a real browser: readable without a network, in both languages, with no script at all."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.console.watching import LOCALES, faults, is_too_wide, strangers
from tests.service.desk import RunningDesk
from tests.windows import NewContext


@pytest.mark.parametrize("locale", LOCALES)
def test_the_documentation_needs_nothing_from_another_site(
    desk: RunningDesk, new_context: NewContext, locale: str
) -> None:
    context = new_context(locale=locale, viewport={"width": 390, "height": 800})
    page = context.new_page()
    left, said = strangers(page, desk.address), []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{desk.address}/api/docs")

    chat = page.locator("details", has=page.locator("summary", has_text="POST /continue_thread"))
    chat.locator("summary").click()
    expect(chat.get_by_role("link", name="ChatAnswer")).to_be_visible()
    expect(chat.get_by_role("heading", name="Answers" if locale == "en-US" else "响应")).to_be_visible()
    chat.get_by_role("link", name="Continuation").click()
    expect(page.locator("#schema-Continuation")).to_be_in_viewport()
    assert (left, said) == ([], [])
    assert page.locator("script").count() == 0
    assert faults(page) == []
    assert not is_too_wide(page)


def test_every_operation_is_shown(desk: RunningDesk) -> None:
    with desk.visitor() as visitor:
        document = visitor.get("/openapi.json").json()
        page = visitor.get("/api/docs").text

    for path, methods in document["paths"].items():
        for method in methods:
            assert f"<b>{method.upper()}</b> <code>{path}</code>" in page


def test_the_contents_name_every_group_and_lead_to_its_heading(desk: RunningDesk) -> None:
    with desk.visitor() as visitor:
        page = visitor.get("/api/docs", headers={"Accept-Language": "en"}).text

    contents = re.findall(r'<a href="#([^"]+)">([^<]+)</a>', page.partition("</nav>")[0])
    assert ("chat-routes", "Chat routes") in contents
    assert ("help-desk-routes", "Help-desk routes") in contents
    assert contents == re.findall(r'<h2 id="([^" ]+)">([^<]+)</h2>', page)
