"""Ten thousand open requests in a real browser: all are there, and few are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.console.listing import alike, fill, ids_in, is_live, listed, rows, sign_in
from tests.running import RunningDemo

MANY = 10_000
IN_SIGHT = 60
"""More rows than any window shows, with those drawn beyond its edges."""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[RunningDemo]:
    """The demo with a very full inbox."""
    url = f"sqlite:///{tmp_path / 'handraise.db'}"
    fill(url, alike("issue_refund", MANY))
    with RunningDemo(url) as running:
        yield running


def test_ten_thousand_are_all_there_and_few_are_drawn(demo: RunningDemo, page: Page) -> None:
    sign_in(page, demo)
    page.goto(f"{demo.address}/console")
    is_live(page)
    expect(page.get_by_text("10,000 open requests", exact=True)).to_be_visible()
    drawn: list[int] = []
    scroller = page.get_by_role("list", name="Open requests").locator("..")
    for place in (0, 0.25, 0.5, 0.75, 1):
        scroller.evaluate("(pane, place) => { pane.scrollTop = place * pane.scrollHeight }", place)
        expect(page.locator("li[data-index]").nth(5)).to_be_visible()
        drawn.append(page.locator("li[data-index]").count())
    with demo.program() as operator:
        every = listed(operator)
    expect(page.locator(f"[href*='{every[-1]}']")).to_be_in_viewport()
    assert max(drawn) <= IN_SIGHT
    drawn_last = ids_in(page)
    assert drawn_last == every[-len(drawn_last) :], "the end of the list is the end of the service's list"

    page.keyboard.press("/")
    page.keyboard.type("A-09999")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text("1 of 10,000")).to_be_visible()
