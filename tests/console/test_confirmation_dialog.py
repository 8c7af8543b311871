"""The confirmation dialog in a real browser: the customer confirms, changes or rejects what the agent wants to do."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.console.chatting import log, write
from tests.service.desk import RunningDesk


def test_a_changed_number_is_checked_and_stays_a_number(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "transfer")
    dialog = page.get_by_role("dialog", name="Please confirm")
    expect(dialog.get_by_role("region", name="transfer")).to_contain_text("requires approval")
    amount = dialog.get_by_role("textbox", name="Amount")
    expect(amount).to_have_value("42.5")
    amount.fill("ten")
    expect(dialog.get_by_text("Write a number.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Approve with changes")).to_be_disabled()

    amount.fill("10")
    with page.expect_request("**/decision") as sent:
        dialog.get_by_role("button", name="Approve with changes").click()
    assert sent.value.post_data_json == {"type": "edit", "args": {"amount": 10}}
    expect(dialog).to_be_hidden()
    expect(log(page)).to_contain_text("transferred 10")
    expect(page.get_by_test_id("tool-card")).to_have_attribute("data-state", "successEdited")


def test_a_screen_reader_hears_that_it_is_the_customers_turn(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "transfer")
    expect(page.get_by_role("dialog", name="Please confirm")).to_be_visible()

    announced = page.locator("[role=status]")
    expect(announced.filter(has_text="Waiting for your confirmation: transfer")).to_have_count(1)
    expect(announced.filter(has_text="A person is checking this")).to_have_count(0)


def test_of_several_calls_one_is_approved_and_one_rejected(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "transfer twice")
    dialog = page.get_by_role("dialog", name="Please confirm 2 actions")
    first = dialog.get_by_role("region", name="transfer").first
    first.get_by_role("button", name="Reject").click()
    first.get_by_role("textbox", name="Why not?").fill("Not this one.")
    first.get_by_role("button", name="Reject").click()
    expect(page.get_by_test_id("tool-card").first).to_have_attribute("data-state", "rejected")

    page.get_by_role("dialog", name="Please confirm").get_by_role("button", name="Approve").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_test_id("tool-card").last).to_have_attribute("data-state", "success")
    expect(page.get_by_test_id("tool-card").first).to_have_attribute("data-state", "rejected")


def test_all_are_approved_at_once_and_a_second_tab_follows(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "transfer twice")
    expect(page.get_by_role("dialog")).to_be_visible()
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.get_by_role("dialog")).to_be_visible()

    page.get_by_role("button", name="Approve all 2").click()
    for tab in (page, second):
        expect(tab.get_by_role("dialog")).to_be_hidden()
        expect(tab.locator("[data-testid=tool-card][data-state=success]")).to_have_count(2)


def test_what_was_put_off_can_be_found_again_after_a_reload(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "transfer")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.reload()
    expect(page.get_by_role("dialog", name="Please confirm")).to_be_visible()


def test_the_customer_is_not_asked_about_what_an_operator_decides(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "transfer and refund")
    dialog = page.get_by_role("dialog", name="Please confirm")
    expect(dialog.get_by_role("region")).to_have_count(1)
    dialog.get_by_role("button", name="Approve").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_test_id("waiting-card")).to_contain_text("A person is checking: refund")
    expect(page.get_by_test_id("tool-card").first).to_have_attribute("data-state", "approved")
