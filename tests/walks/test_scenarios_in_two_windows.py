"""Four help-desk scenarios as a customer and an operator see them, each in their own window, on both databases.

Both windows are reloaded while the customer waits: nothing may depend on a page that stays open.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.console.listing import sign_in
from tests.running import RunningDemo
from tests.service.talking import until
from tests.windows import NewContext


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDemo]:
    """The demo on each database in turn, one for all scenarios."""
    url = f"sqlite:///{tmp_path_factory.mktemp('walk') / 'handraise.db'}"
    if request.param == "postgres":
        server = request.getfixturevalue("postgres_server")
        server.execute("CREATE DATABASE two_windows")
        url = server.url("two_windows")
    with RunningDemo(url) as running:
        yield running


@pytest.fixture
def operator(demo: RunningDemo, new_context: NewContext) -> Page:
    """The operator's window, at the inbox."""
    context = new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    sign_in(page, demo)
    page.goto(f"{demo.address}/console")
    return page


@pytest.fixture
def customer(demo: RunningDemo, new_context: NewContext) -> Page:
    """The customer's window, at the chat."""
    context = new_context()
    page = context.new_page()
    page.goto(demo.address)
    return page


def write(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("button", name="Send").click()


def said(page: Page, text: str) -> Locator:
    return page.get_by_role("log", name="Conversation").get_by_role("article").filter(has_text=text).first


def ask(customer: Page, operator: Page, text: str, question: str) -> None:
    """Let the customer ask and wait, reload both windows, and leave the operator at the question."""
    write(customer, text)
    expect(customer.get_by_test_id("waiting-card")).to_be_visible()
    operator.get_by_role("list", name="Open requests").get_by_role("link").filter(has_text=question).click()
    heading = operator.get_by_role("heading", level=2).filter(has_text=question)
    expect(heading).to_be_visible()

    customer.reload()
    operator.reload()
    expect(customer.get_by_test_id("waiting-card")).to_be_visible()
    expect(said(customer, text)).to_be_visible()
    expect(heading).to_be_visible()
    # Beside the question stands what the customer wrote, word for word.
    conversation = operator.get_by_role("region", name="The conversation", exact=True)
    expect(conversation.get_by_role("log")).to_contain_text(text)


def options(operator: Page) -> Locator:
    return operator.get_by_role("region", name="Decision").get_by_role("radio")


def answered(customer: Page, operator: Page, final: str) -> None:
    expect(operator.get_by_test_id("outcome")).to_contain_text("Answered")
    expect(said(customer, final)).to_be_visible()
    expect(customer.get_by_test_id("waiting-card")).to_be_hidden()
    customer.reload()
    expect(said(customer, final)).to_be_visible()


def test_information_that_only_a_person_has(customer: Page, operator: Page) -> None:
    ask(customer, operator, "When was order #12345 shipped?", "Please look up when order #12345 was shipped")
    operator.get_by_role("textbox", name="Answer").fill("On 2025-12-20, SF123456")
    operator.keyboard.press("Control+Enter")
    answered(customer, operator, "Here is what I found: On 2025-12-20, SF123456")


def test_a_decision_between_options(customer: Page, operator: Page) -> None:
    ask(customer, operator, "I want a refund, but I have opened the box", "1004")
    expect(options(operator)).to_have_count(3)
    operator.keyboard.press("2")
    operator.keyboard.press("Control+Enter")
    answered(customer, operator, "Your request was approved with 50 % of order 1004.")


def test_a_risk_that_is_confirmed(customer: Page, operator: Page) -> None:
    ask(customer, operator, "Cancel all my pending orders", "5000.00")
    options(operator).first.check()
    operator.get_by_role("button", name="Send the answer").click()
    answered(customer, operator, "Done: 5 orders are cancelled: 1005, 1006, 1007, 1008, 1009.")


def test_a_gap_that_is_filled_once(demo: RunningDemo, customer: Page, operator: Page, new_context: NewContext) -> None:
    answer = "Yes, tick it at the checkout."
    ask(customer, operator, "Do you offer gift wrapping?", "Do you offer gift wrapping?")
    operator.get_by_role("textbox", name="Answer").fill(answer)
    operator.get_by_role("button", name="Send the answer").click()
    answered(customer, operator, answer)

    api = f"{demo.address}/api/v1/knowledge"
    # The event log is read for answers a moment after it is written.
    [draft] = until(lambda: operator.request.get(api, params={"status": "draft"}).json()["items"])
    published = operator.request.post(f"{api}/{draft['id']}/publish", data={}, headers={"Origin": demo.address})
    assert published.ok, published.text()
    context = new_context()
    following = context.new_page()
    following.goto(demo.address)
    write(following, "is there any gift wrapping you offer")
    expect(said(following, answer)).to_be_visible()
    expect(following.get_by_test_id("waiting-card")).to_be_hidden()
