"""The inbox by keyboard alone, several requests at once, and the looks of it all."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.console.listing import listed, rows
from tests.console.watching import LOCALES, faults, is_too_wide
from tests.running import RunningDemo

Open = Callable[..., Page]


def test_the_whole_flow_by_keyboard(inbox: RunningDemo, open_inbox: Open) -> None:
    page = open_inbox("/console?tool=pack_parcel")
    expect(rows(page)).to_have_count(4)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name="pack_parcel")).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_test_id("outcome")).to_contain_text("Approved")
    page.keyboard.press("j")
    expect(page).to_have_url(f"{inbox.address}/console/requests/pack_parcel-00001?tool=pack_parcel")

    page.keyboard.press("?")
    shown = page.get_by_role("dialog", name="Keyboard shortcuts")
    for what in ("Next request", "Approve", "Edit the arguments", "Claim or release", "Choose an option", "Send the"):
        expect(shown.get_by_text(what)).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    expect(shown).to_be_hidden()
    expect(page.get_by_test_id("outcome")).to_be_hidden()

    page.keyboard.press("/")
    page.keyboard.type("A-0000")
    page.keyboard.press("Enter")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_text("2 marked")).to_be_visible()
    page.keyboard.press("Shift+Enter")
    dialog = page.get_by_role("dialog", name="Decide 2 requests together")
    expect(dialog.get_by_role("listitem").first).to_contain_text("A-00001")
    expect(dialog.get_by_role("listitem").last).to_contain_text("2.5")
    page.keyboard.press("Control+Enter")
    expect(dialog.get_by_role("status")).to_contain_text("2 done")
    page.keyboard.press("Escape")
    with inbox.program() as operator:
        assert listed(operator, tool="pack_parcel") == ["pack_parcel-00003"]
        decided = operator.get("/api/v1/requests/pack_parcel-00001").json()
    assert (decided["decision"]["type"], decided["decided_by"]["id"]) == ("approve", "ada")


def test_of_several_each_says_what_became_of_it(inbox: RunningDemo, open_inbox: Open) -> None:
    page = open_inbox("/console?tool=issue_refund")
    expect(rows(page)).to_have_count(10)
    boxes = page.get_by_role("checkbox", name="Mark: issue_refund")
    boxes.nth(0).click()
    boxes.nth(3).click(modifiers=["Shift"])
    expect(page.get_by_text("4 marked")).to_be_visible()
    page.get_by_role("button", name="Decide together…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Reject", exact=True).click()
    dialog.get_by_role("textbox", name="Reason for all").fill("Too old.")

    other = inbox.browser("lin")
    other.post("/api/v1/requests/issue_refund-00000/decision", json={"type": "approve"}).raise_for_status()
    expect(dialog.get_by_role("listitem").nth(0)).to_contain_text("settled meanwhile: approved by lin")
    other.post("/api/v1/requests/issue_refund-00001/claim").raise_for_status()
    other.close()
    dialog.get_by_role("button", name="Reject 3").click()
    expect(dialog.get_by_role("status")).to_contain_text("2 done")
    expect(dialog.get_by_role("status")).to_contain_text("1 refused")
    expect(dialog.get_by_role("listitem").nth(1)).to_contain_text("claimed by lin")
    dialog.get_by_role("button", name="Close").last.click()
    expect(page.get_by_text("1 marked")).to_be_visible()
    with inbox.program() as operator:
        rejected = operator.get("/api/v1/requests/issue_refund-00002").json()
    assert rejected["decision"] == {"type": "reject", "reason": "Too old."}


def test_one_answer_serves_all_who_ask_the_same_and_nobody_else(inbox: RunningDemo, open_inbox: Open) -> None:
    page = open_inbox("/console/requests/question-0?urgency=medium")
    page.get_by_role("heading", level=2).wait_for()
    page.keyboard.press("Shift+X")
    expect(page.get_by_text("3 marked")).to_be_visible()
    page.get_by_role("button", name="Decide together…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Answer 3").click()
    expect(dialog.get_by_text("Write an answer or choose an option.")).to_be_visible()
    dialog.get_by_role("textbox", name="Answer for all").fill("Yes, within 30 days.")
    dialog.get_by_role("button", name="Answer 3").click()
    expect(dialog.get_by_role("status")).to_contain_text("3 done")
    with inbox.program() as operator:
        assert listed(operator, kind="question", urgency="medium") == ["another"]


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_it(open_inbox: Open, locale: str) -> None:
    page = open_inbox(
        "/console?tool=print_label&q=A",
        locale=locale,
        viewport={"width": 390, "height": 800},
        reduced_motion="reduce",
    )
    expect(rows(page).first).to_be_visible()
    assert faults(page) == []
    assert not is_too_wide(page)

    tools = page.get_by_role("searchbox").locator("xpath=ancestor::header").get_by_role("button")
    for position in (-2, -1):
        tools.nth(position).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert faults(page) == []
        assert not is_too_wide(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()

    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(page) == []
    assert not is_too_wide(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()

    page.get_by_role("checkbox").first.check()
    page.keyboard.press("Shift+Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(page) == []
    assert not is_too_wide(page)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert faults(page) == []


def test_the_menu_of_a_phone_leads_to_every_page(open_inbox: Open) -> None:
    page = open_inbox(viewport={"width": 390, "height": 800})
    page.get_by_role("navigation").get_by_role("button", name="Inbox").click()
    expect(page.get_by_role("menuitem", name="Inbox")).to_have_attribute("aria-current", "page")
    assert faults(page) == []
    assert not is_too_wide(page)
    page.get_by_role("menuitem", name="Knowledge").click()
    expect(page.get_by_role("heading", level=1, name="Knowledge")).to_be_visible()
