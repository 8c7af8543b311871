"""Hostile texts in messages and tool results: shown as text, nothing runs, nothing leaves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.console.chatting import decide, log, write
from tests.console.hostile import HOSTILE
from tests.console.watching import strangers
from tests.service.desk import RunningDesk

AT_ONCE = 30


@pytest.mark.parametrize("start", range(0, len(HOSTILE), AT_ONCE))
def test_hostile_words_stay_words(desk: RunningDesk, page: Page, start: int) -> None:
    texts = HOSTILE[start : start + AT_ONCE]
    left = strangers(page, desk.address)
    page.goto(desk.address)
    write(page, "hello")
    expect(log(page)).to_contain_text("You said: hello")
    session = page.url.rpartition("/")[2]
    for text in texts:
        sent = page.request.post(
            f"{desk.address}/api/v1/sessions/{session}/messages",
            data={"text": text},
            headers={"Origin": desk.address},
        )
        assert sent.status == 202, text
    answers = log(page).locator("[data-from=agent][aria-busy=false]")
    expect(answers).to_have_count(len(texts) + 1)

    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    assert "hacked" not in page.title()
    assert log(page).locator("script, img, iframe, object, video, form, style, link, svg[onload]").count() == 0
    hrefs = log(page).locator("a").evaluate_all("all => all.map(a => [a.protocol, a.rel, a.target])")
    assert all(rel == "noopener noreferrer nofollow" and target == "_blank" for _, rel, target in hrefs)
    assert {protocol for protocol, _, _ in hrefs} <= {"http:", "https:", "mailto:"}
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert left == []


def test_a_hostile_tool_result_is_shown_as_text(desk: RunningDesk, page: Page) -> None:
    left = strangers(page, desk.address)
    page.goto(desk.address)
    write(page, "refund")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()
    hostile = "<img src=https://evil.example/x onerror=window.hacked=1> pay\u202eee ![x](https://evil.example/p.png)"
    decide(desk, page, type="edit", args={"order_id": hostile})

    card = page.get_by_test_id("tool-card")
    expect(card).to_have_attribute("data-state", "success")
    card.get_by_text("Details").click()
    expect(card).to_contain_text("refunded <img src=https://evil.example/x onerror=window.hacked=1> payU+202Eee")
    assert page.evaluate("window.hacked") is None
    assert left == []
