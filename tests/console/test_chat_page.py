"""The chat page in a real browser: waiting, reloading, a second tab, a server that goes away, stopping, retrying."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.console.chatting import decide, log, session_of, waiting_request, write
from tests.service.desk import RunningDesk


def test_a_reload_and_a_second_tab_show_the_same_while_somebody_checks(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "politely refund")
    expect(page.get_by_test_id("waiting-card")).to_contain_text("A person is checking: refund")
    second = page.context.new_page()
    second.goto(page.url)
    page.reload()
    for tab in (page, second):
        expect(tab.get_by_test_id("waiting-card")).to_contain_text("A person is checking: refund")
        expect(tab.get_by_test_id("tool-card")).to_have_attribute("data-state", "waiting")
        expect(log(tab).get_by_role("article")).to_have_count(2)

    decide(desk, page, type="approve")
    for tab in (page, second):
        expect(log(tab)).to_contain_text("Result: refunded 12345")
        expect(tab.get_by_test_id("waiting-card")).to_be_hidden()


def test_what_is_written_while_waiting_is_kept_and_answered_in_order(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "refund")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()
    for text in ("one", "two", "three"):
        write(page, text)
    expect(log(page).get_by_text("three")).to_be_visible()

    decide(desk, page, type="reject", reason="too old")
    expect(log(page)).to_contain_text(re.compile("Result:.*You said: one.*You said: two.*You said: three", re.DOTALL))


def test_a_server_that_was_killed_costs_nothing(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "refund")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()

    desk.kill()
    expect(page.get_by_text("Connection lost. Reconnecting…")).to_be_visible()
    write(page, "first while down")
    expect(page.get_by_text("Not sent yet.")).to_be_visible()
    write(page, "second while down")
    desk.start()

    expect(page.get_by_text("Connection lost. Reconnecting…")).to_be_hidden()
    expect(page.get_by_text("Not sent yet.")).to_be_hidden()
    decide(desk, page, type="approve")
    answered = re.compile("Result: refunded 12345.*You said: first while down.*You said: second while down", re.DOTALL)
    expect(log(page)).to_contain_text(answered)
    page.reload()
    expect(log(page).get_by_text("first while down", exact=True)).to_have_count(1)


def test_stopping_withdraws_what_was_asked_and_asking_again_asks_again(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "refund")
    expect(page.get_by_test_id("waiting-card")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_test_id("waiting-card")).to_be_hidden()
    expect(page.get_by_test_id("tool-card")).to_have_attribute("data-state", "stopped")
    with desk.program() as operator:
        assert operator.get("/api/v1/requests", params={"session_id": session_of(page)}).json()["items"] == []

        page.get_by_role("button", name="Ask again").click()
        waiting_request(operator, session_of(page))
    expect(page.get_by_test_id("waiting-card")).to_be_visible()


def test_a_run_that_fails_says_so_and_can_be_tried_again(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "explode")
    expect(page.get_by_text("The agent could not finish this.")).to_be_visible()
    write(page, "hello")
    expect(log(page)).to_contain_text("You said: hello")


def test_a_person_who_takes_over_is_named_as_one(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "hello")
    expect(log(page)).to_contain_text("You said: hello")
    session = session_of(page)
    with desk.program() as operator:
        operator.post(f"/api/v1/sessions/{session}/takeover").raise_for_status()
        operator.post(f"/api/v1/sessions/{session}/say", json={"text": "This is Ada."}).raise_for_status()
        expect(page.get_by_test_id("divider")).to_contain_text("A person from our team is talking to you now")
        expect(page.locator("[data-from=operator]")).to_contain_text("A person from our team")
        expect(page.locator("[data-from=operator]")).to_contain_text("This is Ada.")
        operator.post(f"/api/v1/sessions/{session}/handback").raise_for_status()
    expect(page.get_by_test_id("divider").last).to_contain_text("The agent is talking to you again")


def test_a_question_that_nobody_answers_becomes_a_ticket_and_its_answer_arrives(desk: RunningDesk, page: Page) -> None:
    page.goto(desk.address)
    write(page, "ticket")
    said = page.locator("[data-purpose=fallback]")
    expect(said).to_contain_text("Your ticket is")
    found = re.search(r"ticket is (\d+)", said.inner_text())
    assert found
    with desk.program() as operator:
        answer = {"text": "It arrives tomorrow."}
        operator.post(f"/api/v1/tickets/{found.group(1)}/answer", json=answer).raise_for_status()
    expect(page.locator("[data-purpose=ticket]")).to_contain_text("It arrives tomorrow.")


def test_nobody_sees_another_customers_conversation(desk: RunningDesk, page: Page) -> None:
    with desk.visitor() as other:
        session = other.post("/api/v1/sessions", json={}).json()["id"]
    page.goto(f"{desk.address}/chat/{session}")
    expect(page.get_by_role("heading", name="There is no such conversation")).to_be_visible()
