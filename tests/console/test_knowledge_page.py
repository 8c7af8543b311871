"""The knowledge page in a real browser: write an entry, publish it, find it as an agent does, change and retire it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.console.watching import LOCALES, faults, is_too_wide
from tests.service.desk import RunningDesk

Open = Callable[..., Page]


def draft(page: Page, question: str, answer: str) -> None:
    page.get_by_role("button", name="New entry").click()
    page.get_by_role("textbox", name="Question").fill(question)
    page.get_by_role("textbox", name="Answer").fill(answer)
    page.get_by_role("button", name="Save").click()


def card(page: Page, text: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=text).first


def test_an_entry_is_written_published_found_changed_and_retired(open_console: Open) -> None:
    page = open_console("/console/knowledge")
    draft(page, "Do you ship violins abroad?", "Yes, <b>insured</b>.")
    entry = card(page, "violins")
    entry.get_by_role("button", name="Publish").click()
    expect(entry).to_be_hidden()
    page.get_by_text("Published", exact=True).click()
    expect(entry).to_contain_text("Yes, <b>insured</b>.")

    with page.expect_response("**/knowledge/search*"):
        page.get_by_role("searchbox").fill("can a violin be sent to another country, shipped abroad")
    expect(entry).to_be_visible()
    entry.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Answer").fill("Yes, insured up to 500.")
    page.get_by_role("button", name="Save").click()
    expect(entry).to_contain_text("insured up to 500")
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("can a violin be sent to another country, shipped abroad")
    entry.get_by_role("button", name="Retire").click()
    page.get_by_text("Retired", exact=True).click()
    expect(entry).to_contain_text("insured up to 500")


def test_a_second_entry_that_asks_the_same_is_kept_only_when_both_are_wanted_and_can_be_merged(
    open_console: Open,
) -> None:
    page = open_console("/console/knowledge")
    draft(page, "How long is the warranty on drums?", "Two years.")
    card(page, "Two years.").get_by_role("button", name="Publish").click()
    expect(card(page, "Two years.")).to_be_hidden()
    draft(page, "How long is the warranty on drums?", "Three years.")
    expect(page.get_by_role("alert")).to_contain_text("already answers")
    page.get_by_role("button", name="Keep both").click()

    card(page, "Three years.").get_by_role("button", name="Merge, with this answer").click()
    expect(card(page, "Three years.")).to_be_hidden()
    page.get_by_text("Published", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text="drums")).to_have_count(1)
    expect(card(page, "drums")).to_contain_text("Three years.")


@pytest.fixture(scope="module")
def twins(desk: RunningDesk) -> None:
    """Two drafts that ask the same, so that each shows the other."""
    with desk.program() as operator:
        for answer in ("Unopened ones.", "All but opened ones."):
            entry = {"question": "May I return strings?", "answer": answer, "even_if_similar": True}
            assert operator.post("/api/v1/knowledge", json=entry).status_code == 201


@pytest.mark.usefixtures("twins")
@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_it(open_console: Open, locale: str) -> None:
    page = open_console("/console/knowledge", locale=locale, viewport={"width": 390, "height": 800})
    expect(page.get_by_role("group")).to_have_count(2)
    page.get_by_role("button", name="New entry" if locale == "en-US" else "新建条目").click()
    expect(page.get_by_role("region")).to_be_visible()
    assert faults(page) == []
    assert not is_too_wide(page)
    page.goto(page.url.partition("?")[0] + "?status=retired&q=zzzz")
    expect(page.get_by_role("heading", level=2)).to_be_visible()
    assert faults(page) == []
