"""Hostile texts wherever an agent can put them: shown as text, nothing runs, nothing leaves."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.console.detail.operating import Desk, Json, button, decision, question
from tests.console.hostile import HOSTILE
from tests.console.watching import is_too_wide, strangers
from tests.service.talking import until

AT_ONCE = 30
BATCHES = [range(start, start + AT_ONCE) for start in range(0, len(HOSTILE), AT_ONCE)]
PLAIN = re.compile(r"[\n\t\x20-\x7e\u4e00-\u9fff]*")
LIVE = "script, img, iframe, object, video, form, style, link, svg[onload], math, meta, base"


def test_there_are_120_of_them() -> None:
    assert len(set(HOSTILE)) == 120


def harmless(page: Page, left: list[str]) -> None:
    assert page.evaluate("window.hacked") is None
    assert "hacked" not in page.title()
    within = page.get_by_role("article").first
    # The forms in which one decides are ours.
    assert within.locator(LIVE).and_(page.locator(":not([aria-label])")).count() == 0
    assert within.locator("a:not([href^='/'])").evaluate_all("all => all.map(a => a.protocol)") == []
    assert not is_too_wide(page)
    assert left == []


def unfold(page: Page) -> None:
    """Show everything that is folded."""
    folded = page.get_by_role("button", name=re.compile("^Show (all|the)"))
    while folded.count():
        folded.first.click()


def shown(page: Page, text: str) -> bool:
    """Return whether a text stands somewhere as it is, or with its odd characters named."""
    if PLAIN.fullmatch(text):
        everything: str = page.get_by_role("article").first.evaluate("one => one.textContent")
        return text in everything
    odd = next(character for character in text if not PLAIN.fullmatch(character))
    return page.get_by_text(f"U+{ord(odd):04X}").count() > 0 or page.get_by_text(odd).count() > 0


def opened(at_desk: Desk, request: Json) -> tuple[Page, list[str]]:
    page = at_desk.window()
    left = strangers(page, at_desk.counter.address)
    page.goto(at_desk.address(request))
    expect(page.get_by_role("log")).to_be_visible()
    expect(decision(page)).to_be_visible()
    unfold(page)
    return page, left


def test_a_page_that_shows_markup_as_markup_would_be_found_out(at_desk: Desk) -> None:
    page, left = opened(at_desk, at_desk.asks("say", {"text": "hello", "why": "because"}))
    harmless(page, left)
    page.get_by_role("article").first.evaluate("one => one.innerHTML += '<img src=https://evil.example/x>'")
    with pytest.raises(AssertionError):
        harmless(page, left)


def written(number: int) -> str:
    """Stand for a text that the agent spells out."""
    return f"@hostile {number}@"


@pytest.mark.parametrize("numbers", BATCHES, ids=str)
def test_in_arguments_names_and_descriptions(at_desk: Desk, numbers: range) -> None:
    texts = [HOSTILE[number] for number in numbers]
    values = {f"value {number}": written(number) for number in numbers}
    names = {written(number): number for number in numbers}
    why = "\n".join(map(written, numbers))
    request = at_desk.asks("say", {"text": "hello", "why": why, "values": values, "names": names})
    page, left = opened(at_desk, request)
    arguments = page.get_by_label("Arguments, in full")
    for text in texts:
        until(partial(shown, page, text))
    expect(arguments.locator("dd dd")).to_have_count(len(values) + len(names))
    harmless(page, left)

    button(page, "Edit").click()
    expect(page.get_by_role("textbox", name="text", exact=True)).to_be_visible()
    page.get_by_role("textbox", name="text", exact=True).fill(texts[0])
    page.get_by_role("tab", name="JSON").click()
    expect(page.get_by_role("textbox", name="Arguments as JSON")).to_be_visible()
    harmless(page, left)


@pytest.mark.parametrize("numbers", BATCHES, ids=str)
def test_in_questions_options_context_and_messages(at_desk: Desk, numbers: range) -> None:
    texts = [HOSTILE[number] for number in numbers]
    options = [{"id": str(number), "label": written(number), "description": written(number)} for number in numbers]
    context = {str(number): written(number) for number in numbers}
    words = "\n".join(map(written, numbers))
    asked = question(words, question_type="decision_required", options=options, context=context)
    request = at_desk.asks("ask_human_agent", asked)
    for text in texts:
        at_desk.writes(request, text)
    page, left = opened(at_desk, request)
    for text in texts:
        until(partial(shown, page, text))
    expect(decision(page).get_by_role("radio")).to_have_count(len(texts))
    expect(page.get_by_role("log").locator("[data-from=customer]")).to_have_count(len(texts) + 1)
    harmless(page, left)
