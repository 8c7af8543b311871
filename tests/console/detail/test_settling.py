"""Settling in a real browser: the machine stopped in the middle of a call, and only a person can find out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.console.detail.counter import RunningCounter
from tests.console.detail.operating import Desk, Json, button, outcome
from tests.console.watching import LOCALES, faults, is_too_wide
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def doubts(counter: RunningCounter, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Json, Json]]:
    """Approvals whose outcome a stop has hidden, each with the question about it; one for each answer."""
    folder: Path = tmp_path_factory.mktemp("parcels")
    with counter.visitor() as visitor, counter.program() as program:
        desk = Desk(counter, visitor, program, lambda *_: pytest.fail("no browser is needed"))
        parcel = {"folder": str(folder), "stops_at": 3}
        asked = [desk.asks("send", {"to": name, **parcel}) for name in ("ran", "again", "leave")]
        for request in asked:
            desk.decides(request, type="approve")
        assert counter.process.wait(timeout=PATIENCE) != 0
        counter.revive()
        return [(request, desk.waiting(request["session_id"])) for request in asked]


def test_everybody_can_settle(at_desk: Desk, doubts: list[tuple[Json, Json]]) -> None:
    for locale in LOCALES:
        page = at_desk.open(doubts[0][1], locale=locale, viewport={"width": 390, "height": 800})
        expect(page.get_by_role("radio").first).to_be_visible()
        for key in ("1", "2"):
            page.keyboard.press(key)
            expect(page.get_by_role("radio", checked=True)).to_be_visible()
            assert faults(page, "article") == []
            assert not is_too_wide(page)


def test_it_ran_and_this_is_what_it_returned(at_desk: Desk, doubts: list[tuple[Json, Json]]) -> None:
    approval, settlement = doubts[0]
    page = at_desk.open(settlement)
    expect(page.get_by_text("Find out first whether it ran").first).to_be_visible()
    expect(page.get_by_role("heading", level=2)).to_have_text("send")
    button(page, "Settle").click()
    expect(page.get_by_text("Choose what you found.")).to_be_visible()
    page.keyboard.press("1")
    page.get_by_role("textbox", name="What it returned").fill("sent, says the depot")
    button(page, "Settle: it ran").click()
    expect(outcome(page)).to_contain_text("It ran")
    assert "sent, says the depot" in at_desk.result(approval)


def test_running_it_again_asks_whether_one_has_looked(at_desk: Desk, doubts: list[tuple[Json, Json]]) -> None:
    approval, _ = doubts[1]
    # By the approval's own address, which a colleague may have sent.
    page = at_desk.open(approval)
    page.get_by_role("radio", name="It did not run: run it now").check()
    expect(page.get_by_text("it happens twice")).to_be_visible()
    button(page, "Run it now").click()
    expect(page.get_by_text("Run it again only when you have looked.")).to_be_visible()
    assert at_desk.request(approval)["status"] == "indeterminate"
    page.get_by_role("checkbox", name="I have looked, and it did not run").check()
    button(page, "Run it now").click()
    assert "sent to again" in at_desk.result(approval)
    expect(outcome(page)).to_contain_text("Approved")


def test_it_can_be_left(at_desk: Desk, doubts: list[tuple[Json, Json]]) -> None:
    approval, settlement = doubts[2]
    page = at_desk.open(settlement)
    expect(page.get_by_role("radio", name="Leave it")).to_be_visible()
    page.keyboard.press("3")
    page.keyboard.press("Control+Enter")
    expect(outcome(page)).to_contain_text("Leave it")
    assert "Nobody knows" in at_desk.result(approval)
