"""The sessions pages in a real browser: find a conversation, read it, take it over, hand it back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.console.chatting import log, session_of, write
from tests.console.watching import LOCALES, faults, is_too_wide
from tests.service.desk import RunningDesk

Open = Callable[..., Page]


def test_an_operator_takes_over_talks_and_hands_back(desk: RunningDesk, page: Page, open_console: Open) -> None:
    page.goto(desk.address)
    write(page, "politely refund")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()
    operator = open_console("/console/sessions?status=waiting_for_human")
    operator.get_by_role("list", name="Conversations").get_by_role("link", name=session_of(page)).click()
    expect(operator.get_by_role("log")).to_contain_text("One moment.")
    expect(operator.get_by_test_id("tool-card")).to_have_attribute("data-state", "waiting")

    operator.get_by_role("button", name="Take over").click()
    operator.get_by_role("textbox", name="Message to the customer").fill("This is Ada.")
    operator.get_by_role("button", name="Send").click()
    expect(page.locator("[data-from=operator]")).to_contain_text("This is Ada.")
    expect(operator.get_by_role("log")).to_contain_text("This is Ada.")
    operator.get_by_role("button", name="Hand back").click()
    expect(page.get_by_test_id("divider").last).to_contain_text("The agent is talking to you again")
    expect(operator.get_by_role("button", name="Take over")).to_be_visible()


def test_a_lead_hands_back_and_takes_over_what_somebody_else_has(
    desk: RunningDesk, page: Page, open_console: Open
) -> None:
    page.goto(desk.address)
    write(page, "hello")
    expect(log(page)).to_contain_text("You said: hello")
    path = f"/api/v1/sessions/{session_of(page)}/takeover"
    with desk.program(desk.run("keys", "add", "a colleague", "--scope", "inbox").strip()) as colleague:
        holder = colleague.post(path).json()["taken_by"]
        lead = open_console(f"/console/sessions/{session_of(page)}")
        expect(lead.get_by_text(f"with {holder}").last).to_be_visible()
        lead.get_by_role("button", name="Hand back").click()
        expect(lead.get_by_text("The agent is talking to the customer.")).to_be_visible()
        colleague.post(path).raise_for_status()
        expect(lead.get_by_role("button", name="Hand back")).to_be_visible()
        lead.get_by_role("button", name="Take over").click()
        expect(lead.get_by_role("textbox", name="Message to the customer")).to_be_visible()


def test_the_events_are_shown_as_they_are_stored(desk: RunningDesk, page: Page, open_console: Open) -> None:
    page.goto(desk.address)
    write(page, "<b>hello</b>")
    expect(log(page)).to_contain_text("You said:")
    operator = open_console(f"/console/sessions/{session_of(page)}?view=events")
    events = operator.get_by_role("list", name="Events")
    received = events.get_by_role("listitem").filter(has_text="message.received")
    expect(received.locator("summary")).to_contain_text("Customer wrote")
    received.locator("summary").click()
    expect(received).to_contain_text('"text": "<b>hello</b>"')


def test_a_customer_is_sent_to_sign_in(desk: RunningDesk, page: Page) -> None:
    page.goto(f"{desk.address}/console/sessions")
    expect(page).to_have_url(re.compile("/sign-in"))


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_them(desk: RunningDesk, page: Page, open_console: Open, locale: str) -> None:
    page.goto(desk.address)
    write(page, "politely refund")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()
    operator = open_console("/console/sessions", locale=locale, viewport={"width": 390, "height": 800})
    expect(operator.get_by_role("link", name=session_of(page))).to_be_visible()
    assert faults(operator) == []
    assert not is_too_wide(operator)
    for view in ("", "?view=events"):
        operator.goto(f"{desk.address}/console/sessions/{session_of(page)}{view}")
        expect(operator.get_by_text("message.received" if view else "One moment.", exact=True)).to_be_visible()
        assert faults(operator) == []
        assert not is_too_wide(operator)
