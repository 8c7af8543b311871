"""The detail with each form and each ending, in both languages and both colour schemes, on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.console.detail.counter import CALL, RunningCounter
from tests.console.detail.operating import Desk, Json, deafen, follow_link, outcome, question
from tests.console.watching import LOCALES, faults, is_too_wide

CHOICE = question(
    "Which one?",
    question_type="decision_required",
    options=[{"id": "A", "label": "This", "description": "The first"}, {"id": "B", "label": "That"}],
    context={"order": {"id": "7", "lines": [{"sku": "p\u0430y"}]}},
)
# A subject that no other test of this service asks about: what was answered here would be offered there.
GAP = question(
    "Do you wrap presents?", question_type="knowledge_gap", context={"user_question": "Do you wrap presents?"}
)


@dataclass(frozen=True)
class Requests:
    """One of each kind, which no look changes."""

    approval: Json
    choice: Json
    gap: Json
    slot: Json
    held: Json
    ended: list[Json]


@pytest.fixture(scope="module")
def requests(counter: RunningCounter) -> Requests:
    with counter.visitor() as visitor, counter.program() as program:
        desk = Desk(counter, visitor, program, lambda *_: pytest.fail("no browser is needed"))
        ended = [desk.asks("pay", CALL) for _ in range(4)]
        desk.decides(ended[0], type="approve")
        desk.decides(ended[1], type="edit", args={**CALL, "amount": 10, "note": "less"})
        desk.decides(ended[2], type="reject", reason="No.")
        desk.stops(ended[3])
        answered = desk.asks("ask_human_agent", GAP)
        desk.decides(answered, type="respond", text="Yes, there are.")
        desk.asks("ask_human_agent", GAP)
        return Requests(
            approval=desk.asks("pay", {**CALL, "note": "long " * 200}),
            choice=desk.asks("ask_human_agent", CHOICE),
            gap=desk.asks("ask_human_agent", GAP),
            slot=desk.asks("ask_slot", question("When?")),
            held=desk.asks("pay", CALL),
            ended=[*ended, answered],
        )


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_it(at_desk: Desk, requests: Requests, locale: str) -> None:
    settings: dict[str, Any] = {"locale": locale, "viewport": {"width": 390, "height": 800}}
    page = at_desk.open(requests.approval, **settings)
    form = page.locator("form")

    def looks_right(what: str, page: Page = page) -> None:
        assert not is_too_wide(page), what
        assert faults(page, "article") == [], what

    def go_to(request: Json) -> None:
        follow_link(page, request)
        expect(page.get_by_role("log")).to_be_visible()

    expect(page.get_by_role("log")).to_be_visible()
    assert not is_too_wide(page)
    assert faults(page) == []
    for key in ("r", "e"):
        page.keyboard.press(key)
        expect(form.get_by_role("textbox").first).to_be_visible()
        if key == "e":
            page.get_by_role("textbox", name="amount").fill("1000")
        looks_right(f"the form of {key}")
        if key == "e":
            page.get_by_role("tab", name="JSON").click()
            looks_right("the JSON of an edit")
        page.keyboard.press("Escape")
    for name, request in (("options", requests.choice), ("twins", requests.gap), ("a form", requests.slot)):
        go_to(request)
        expect(form.get_by_role("textbox").first).to_be_visible()
        if name == "twins":
            form.get_by_role("checkbox").first.check()
        page.keyboard.press("Control+Enter")
        looks_right(name)
    # Somebody else is on it: the first operator claims it, for two minutes.
    at_desk.claims(requests.held)
    bo = at_desk.open(requests.held, operator="bo", **settings)
    expect(bo.get_by_role("status").filter(has_text="admin")).to_be_visible()
    looks_right("somebody else's", bo)
    # Bo decides on what he still sees, after somebody else has.
    race = at_desk.asks("pay", CALL)
    late = at_desk.open(race, operator="bo", **settings)
    expect(late.get_by_role("log")).to_be_visible()
    deafen(late)
    at_desk.decides(race, type="reject", reason="Not without a receipt.")
    late.keyboard.press("a")
    expect(outcome(late)).to_contain_text({"en-US": "Somebody was first", "zh-CN": "已有人先处理"}[locale])
    expect(outcome(late)).to_contain_text("admin")
    expect(outcome(late).locator("time")).to_be_visible()
    looks_right("a lost race", late)
    for request in requests.ended:
        go_to(request)
        expect(outcome(page)).to_be_visible()
        looks_right(f"the end of {request['id']}")
