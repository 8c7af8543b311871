"""Editing a call in a real browser: what is wrong is said where it is wrong, and what is sent is what runs."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.console.detail.counter import CALL
from tests.console.detail.operating import Desk, button, decision, outcome

SEND = "Approve with these arguments"


def edited(at_desk: Desk) -> tuple[dict[str, object], Page]:
    request = at_desk.asks("pay", CALL)
    page = at_desk.open(request)
    button(page, "Edit").click()
    return request, page


def test_a_wrong_value_is_refused_where_it_is_and_a_number_stays_a_number(at_desk: Desk) -> None:
    request, page = edited(at_desk)
    amount = page.get_by_role("textbox", name="amount")
    expect(amount).to_have_value("42.5")
    amount.fill("ten")
    expect(page.get_by_text("This cannot be read yet.")).to_be_visible()
    amount.fill("1000")
    expect(page.get_by_text("This is too large.")).to_be_visible()
    button(page, SEND).click()
    expect(page.get_by_text("Correct what is marked, then send it.")).to_be_visible()
    assert at_desk.request(request)["status"] == "open"

    amount.fill("10")
    expect(page.get_by_role("region", name="What changes")).to_contain_text("amount42.5number10number")
    with page.expect_request("**/decision") as sent:
        button(page, SEND).click()
    assert sent.value.post_data_json == {"type": "edit", "args": {**CALL, "amount": 10}}
    expect(outcome(page)).to_contain_text("Approved with changes")
    expect(outcome(page)).to_contain_text("by you")
    # On the tool's side: a number, and nothing lost that the schema does not name.
    assert json.loads(at_desk.result(request).partition("paid ")[2]) == {**CALL, "amount": 10}


def test_the_form_and_the_json_stay_in_step(at_desk: Desk) -> None:
    request, page = edited(at_desk)
    page.get_by_role("textbox", name="city").fill("Bonn")
    page.get_by_role("combobox", name="method").select_option("cash")
    page.get_by_role("button", name="Add an item").click()
    page.get_by_role("textbox", name="Item 2").fill("fragile")
    page.get_by_role("checkbox", name="express").check()

    page.get_by_role("tab", name="JSON").click()
    text = page.get_by_role("textbox", name="Arguments as JSON")
    wanted = {
        **CALL,
        "method": "cash",
        "express": True,
        "tags": ["gift", "fragile"],
        "address": {"city": "Bonn", "floor": 3},
    }
    assert json.loads(text.input_value()) == wanted
    text.fill(json.dumps({**wanted, "amount": 7.25, "address": {"city": "Bonn", "floor": 4}})[:-1])
    expect(page.get_by_text("This is not JSON")).to_be_visible()
    text.press("End")
    text.press("Control+End")
    text.press("}")

    page.get_by_role("tab", name="Form").click()
    expect(page.get_by_role("textbox", name="amount")).to_have_value("7.25")
    expect(page.get_by_role("textbox", name="floor")).to_have_value("4")
    page.get_by_role("button", name="Remove item 1").click()
    page.keyboard.press("Control+Enter")
    expect(outcome(page)).to_be_visible()
    ran = json.loads(at_desk.result(request).partition("paid ")[2])
    assert ran == {**wanted, "amount": 7.25, "tags": ["fragile"], "address": {"city": "Bonn", "floor": 4}}


def test_what_only_the_service_finds_wrong_is_shown_at_its_field(at_desk: Desk) -> None:
    _, page = edited(at_desk)
    refusal = {
        "code": "invalid_decision",
        "detail": "The arguments do not fit pay.",
        "details": {"fields": [{"field": "address.city", "message": "There is no such city."}]},
    }
    page.route("**/decision", lambda route: route.fulfill(status=422, json=refusal))
    page.get_by_role("textbox", name="amount").fill("5")
    button(page, SEND).click()
    expect(page.get_by_role("alert").first).to_contain_text("Nothing was decided")
    expect(page.get_by_role("textbox", name="city")).to_have_accessible_description("There is no such city.")
    expect(page.get_by_role("textbox", name="amount")).to_have_value("5")


def test_a_draft_survives_other_requests_live_changes_and_a_reload(at_desk: Desk) -> None:
    request, page = edited(at_desk)
    other = at_desk.asks("pay", {**CALL, "order_id": "other"})
    page.get_by_role("textbox", name="amount").fill("12.5")
    expect(decision(page)).to_contain_text("You are on it")

    page.get_by_role("list", name="Open requests").locator(f"a[href$='{other['id']}']").click()
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    page.goto(at_desk.address(request))
    expect(page.get_by_role("textbox", name="amount")).to_have_value("12.5")
    button(page, "Cancel").click()
    expect(page.get_by_role("textbox", name="amount")).to_be_hidden()
    page.keyboard.press("e")
    expect(page.get_by_role("textbox", name="amount")).to_have_value("12.5")
    button(page, "Start over").click()
    expect(page.get_by_role("textbox", name="amount")).to_have_value("42.5")
