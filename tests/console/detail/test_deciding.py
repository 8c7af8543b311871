"""Deciding in a real browser: by keyboard, beside others, and when somebody or the clock is quicker."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.console.detail.counter import CALL
from tests.console.detail.operating import Desk, button, deafen, decision, outcome, question

CHOICE = question(
    "The box was opened. What shall we do?",
    question_type="decision_required",
    options=[{"id": "A", "label": "Refund in full"}, {"id": "B", "label": "Refund half"}],
)


def test_two_operators_race_and_the_loser_is_told_who_what_and_when(at_desk: Desk) -> None:
    request = at_desk.asks("pay", CALL)
    ada, bo = at_desk.open(request), at_desk.open(request, operator="bo")
    expect(button(bo, "Approve")).to_be_enabled()
    # Bo decides on what he still sees.
    deafen(bo)
    button(ada, "Reject").click()
    ada.get_by_role("textbox", name="Reason").fill("Not without a receipt.")
    ada.keyboard.press("Control+Enter")
    expect(outcome(ada)).to_contain_text("by you")

    bo.keyboard.press("a")
    told = r"Somebody was first.*Rejected.*by admin · \w+ \d+, 20\d\d.*Not without a receipt\."
    expect(outcome(bo)).to_contain_text(re.compile(told, re.DOTALL))
    assert at_desk.request(request)["decision"]["type"] == "reject"


def test_a_claim_is_seen_by_others_who_cannot_decide_until_it_is_released(at_desk: Desk) -> None:
    request = at_desk.asks("pay", CALL)
    ada, bo = at_desk.open(request), at_desk.open(request, operator="bo")
    expect(button(ada, "Approve")).to_be_enabled()
    expect(button(bo, "Approve")).to_be_enabled()
    ada.keyboard.press("c")
    expect(decision(ada)).to_contain_text("You are on it")
    expect(decision(bo)).to_contain_text(re.compile(r"admin is on it until .*You can decide when they release it"))
    expect(button(bo, "Approve")).to_be_disabled()
    bo.keyboard.press("a")
    bo.keyboard.press("r")
    expect(bo.get_by_role("textbox", name="Reason")).to_be_hidden()
    assert at_desk.request(request)["status"] == "open"

    ada.keyboard.press("c")
    expect(button(bo, "Approve")).to_be_enabled()
    # Opening a form claims without a word, and leaving it gives it back.
    bo.keyboard.press("r")
    expect(decision(ada)).to_contain_text("bo is on it")
    bo.keyboard.press("Escape")
    expect(decision(ada)).to_contain_text("Nobody is on it")


def test_a_choice_is_made_by_keyboard_alone(at_desk: Desk) -> None:
    approval, choice = at_desk.asks("pay", CALL), at_desk.asks("ask_human_agent", CHOICE)
    page = at_desk.open(choice)
    expect(page.get_by_role("radio", name="Refund half")).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="Refund half")).to_be_checked()
    page.keyboard.press("Control+Enter")
    expect(outcome(page)).to_contain_text("Refund half")
    assert "Refund half" in at_desk.result(choice)

    page.goto(at_desk.address(approval))
    expect(button(page, "Approve")).to_be_visible()
    page.keyboard.press("r")
    page.keyboard.type("a no, e and r are letters here")
    page.keyboard.press("Escape")
    expect(button(page, "Approve")).to_be_visible()
    page.keyboard.press("e")
    amount = page.get_by_role("textbox", name="amount")
    expect(page.get_by_role("textbox", name="order_id")).to_be_focused()
    page.keyboard.press("Tab")
    expect(amount).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("9")
    page.keyboard.press("Control+Enter")
    expect(outcome(page)).to_contain_text("Approved with changes")
    assert '"amount": 9,' in at_desk.result(approval)


def test_an_answer_in_a_form_is_checked_here_and_by_the_service(at_desk: Desk) -> None:
    request = at_desk.asks("ask_slot", question("When shall the courier come?"))
    page = at_desk.open(request)
    page.get_by_role("textbox", name="day").fill("Monday")
    button(page, "Send the answer").click()
    expect(page.get_by_text("This is needed.")).to_be_visible()
    page.get_by_role("textbox", name="hour").fill("7")
    expect(page.get_by_text("This is too small.")).to_be_visible()
    page.get_by_role("textbox", name="hour").fill("9")
    button(page, "Send the answer").click()
    expect(outcome(page)).to_contain_text("Answered")
    assert '"response": {"day": "Monday", "hour": 9}' in at_desk.result(request)


def test_a_past_answer_is_used_again_and_one_answer_serves_all_who_ask_the_same(at_desk: Desk) -> None:
    gap = question(
        "How long do gift cards last?",
        question_type="knowledge_gap",
        context={"user_question": "How long do gift cards last?"},
    )
    at_desk.decides(at_desk.asks("ask_human_agent", gap), type="respond", text="Three years.")
    first, second, third = (at_desk.asks("ask_human_agent", gap) for _ in range(3))
    page = at_desk.open(first)
    before = page.get_by_role("region", name="Answered before")
    expect(before).to_contain_text("Three years.")
    before.get_by_role("button", name="Use this answer").click()
    expect(page.get_by_role("textbox", name="Answer")).to_have_value("Three years.")

    page.get_by_role("checkbox", name="Also answer 2 others that ask the same").check()
    preview = page.get_by_role("region", name="Also answer 2 others that ask the same")
    left_out = preview.get_by_role("checkbox", name="How long do gift cards last?").last
    left_out.uncheck()
    button(page, "Send to all 2").click()
    expect(outcome(page)).to_contain_text("Three years.")
    expect(outcome(page)).to_contain_text("The same answer went to one other who asked it.")
    states = [at_desk.request(each)["status"] for each in (first, second, third)]
    assert states[0] == "decided"
    assert sorted(states[1:]) == ["decided", "open"]


def test_what_expires_or_is_withdrawn_while_one_writes_says_so_and_keeps_the_words(at_desk: Desk) -> None:
    page = at_desk.open()
    expect(page.get_by_role("searchbox")).to_be_visible()
    request = at_desk.asks("ask_human_agent", question("Quick, may I?"))
    page.get_by_role("list", name="Open requests").locator(f"a[href$='{request['id']}']").click()
    page.get_by_role("textbox", name="Answer").fill("Yes, you may.")
    at_desk.lets_time_pass(request)
    expect(outcome(page)).to_contain_text("The deadline passed before anyone decided")
    expect(outcome(page)).to_contain_text("Yes, you may.")

    other = at_desk.asks("pay", CALL)
    page.goto(at_desk.address(other))
    expect(button(page, "Approve")).to_be_visible()
    at_desk.stops(other)
    expect(outcome(page)).to_contain_text("Withdrawn: the agent no longer waits for it")


def lose_first_answer(page: Page) -> None:
    """Let the first decision arrive, but not its answer."""
    lost: list[str] = []

    def pass_on(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.request.url)
        route.fetch()
        route.abort()

    page.route("**/decision", pass_on)


def test_without_a_connection_nothing_is_lost_and_trying_again_decides_once(at_desk: Desk) -> None:
    request = at_desk.asks("pay", CALL)
    page = at_desk.open(request)
    lose_first_answer(page)  # long before: a browser takes a moment to stop its calls
    button(page, "Reject").click()
    page.get_by_role("textbox", name="Reason").fill("Too much.")
    expect(decision(page)).to_contain_text("You are on it")
    deafen(page)
    page.keyboard.press("Control+Enter")
    unsure = page.get_by_text("It is not known whether this was decided; trying again is safe")
    expect(unsure).to_be_visible()
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("Too much.")
    assert at_desk.request(request)["status"] == "decided"
    page.keyboard.press("Control+Enter")
    expect(outcome(page)).to_contain_text("Too much.")
    expect(outcome(page)).not_to_contain_text("Somebody was first")


@pytest.mark.parametrize(
    ("status", "told"),
    [(401, "You are signed out; nothing was decided"), (403, "You may not decide this")],
)
def test_who_may_not_decide_is_told_so_and_keeps_what_was_typed(at_desk: Desk, status: int, told: str) -> None:
    page = at_desk.open(at_desk.asks("pay", CALL))
    page.route("**/decision", lambda route: route.fulfill(status=status, json={"code": "no", "detail": "No."}))
    button(page, "Reject").click()
    page.get_by_role("textbox", name="Reason").fill("Too much.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text(told)
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("Too much.")


def test_the_conversation_is_beside_it_live_with_earlier_decisions_and_a_way_to_step_in(at_desk: Desk) -> None:
    earlier = at_desk.asks("pay", {**CALL, "order_id": "first"})
    at_desk.decides(earlier, type="reject", reason="No receipt.")
    at_desk.result(earlier)
    request = at_desk.asks("pay", CALL, session=earlier["session_id"])
    page = at_desk.open(request)
    conversation = page.get_by_role("region", name="The conversation", exact=True)
    expect(conversation).to_contain_text("One moment.")
    expect(page.get_by_role("region", name="Earlier in this conversation")).to_contain_text(
        re.compile("pay.*order_id first.*Rejected.*admin", re.DOTALL)
    )
    conversation.get_by_role("button", name="Take over").click()
    conversation.get_by_role("textbox", name="Message to the customer").fill("A person here.")
    conversation.get_by_role("button", name="Send").click()
    expect(conversation.get_by_role("log")).to_contain_text("A person here.")
    conversation.get_by_role("button", name="Hand back").click()
    expect(conversation.get_by_role("button", name="Take over")).to_be_visible()
