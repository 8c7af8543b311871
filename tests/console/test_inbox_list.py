"""The inbox's list in a real browser: arrivals, filters, presence, stability, and a server that goes away."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, WebSocket, expect

from tests.console.listing import ask, ids_in, is_live, listed, rows
from tests.running import RunningDemo
from tests.service.talking import until

Open = Callable[..., Page]

RECORD_NOTICES = """
  window.notices = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title) { window.notices.push(title); }
    close() {}
  };
  document.hasFocus = () => false;
"""


def test_what_arrives_is_listed_counted_and_told_to_those_who_chose_so(inbox: RunningDemo, open_inbox: Open) -> None:
    page = open_inbox("/console?tool=refund_order", init=RECORD_NOTICES)
    with inbox.visitor() as customer:
        quiet = ask(customer)
        expect(rows(page).and_(page.locator(f"[href*='{quiet}']"))).to_contain_text("order_id 1001")
        assert page.evaluate("window.notices") == [], "nobody asked to be told"

        page.get_by_role("button", name="Alerts are off").click()
        page.get_by_role("switch", name="desktop notification").check()
        page.keyboard.press("Escape")
        page.reload()
        is_live(page)
        expect(page).to_have_title(re.compile(r"^\(\d+\)"))
        before = int(page.title().split(")")[0].strip("("))
        ask(customer, "1002")
        until(lambda: page.evaluate("window.notices.length"))
    assert page.evaluate("window.notices") == ["Waiting: refund_order"], "the choice survived the reload"
    expect(page).to_have_title(f"({before + 1}) Inbox · Handraise")
    icon = page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile(f"%3E{before + 1}%3C%2Ftext"))


def test_filters_and_search_are_in_the_address_and_survive_a_reload(open_inbox: Open) -> None:
    page = open_inbox()
    page.get_by_role("button", name="Filter (0 active)").click()
    page.get_by_role("combobox", name="Agent").select_option("orders")
    page.keyboard.press("Escape")
    expect(rows(page)).to_have_count(4)
    page.keyboard.press("/")
    page.keyboard.type("a-00001 SHIP")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Enter")
    page.reload()
    is_live(page)
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("searchbox")).to_have_value("a-00001 SHIP")
    assert "agent=orders" in page.url

    rows(page).click()
    expect(page.get_by_role("heading", level=2, name="ship_parcel")).to_be_visible()
    assert "agent=orders" in page.url, "an open request keeps the filter"
    page.goto(f"{page.url.split('/console')[0]}/console?q=nothing+like+it")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_role("button", name="Clear the filters").click()
    expect(rows(page).first).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_two_operators_see_each_others_claims(inbox: RunningDemo, open_inbox: Open) -> None:
    ada, lin = open_inbox("/console?tool=hold_me"), open_inbox("/console?tool=hold_me", operator="lin")
    program = inbox.browser("lin")
    program.post("/api/v1/requests/hold_me-00000/claim").raise_for_status()
    expect(rows(ada)).to_contain_text("held by lin")
    expect(rows(lin)).to_contain_text("held by you")
    ada.get_by_role("radiogroup", name="Whose").get_by_text("Unclaimed").click()
    expect(ada.get_by_role("heading", name="Nothing matches")).to_be_visible()
    program.post("/api/v1/requests/hold_me-00000/release").raise_for_status()
    program.close()
    expect(rows(ada)).to_have_count(1)
    expect(rows(lin)).not_to_contain_text("held by")


def test_rows_keep_their_place_under_the_pointer_while_others_come_and_go(inbox: RunningDemo, open_inbox: Open) -> None:
    page = open_inbox()
    target = page.locator("[href*='stay_put-00006']")
    target.hover()
    before = target.bounding_box()
    with inbox.program() as operator, inbox.visitor() as customer:
        for number in range(3):
            path = f"/api/v1/requests/stay_put-{number:05}/decision"
            operator.post(path, json={"type": "reject", "reason": ""}).raise_for_status()
        expect(page.get_by_text("rejected by ada")).to_have_count(3)
        assert target.bounding_box() == before, "what was settled stays while somebody points at the list"

        urgent = ask(customer, text="Please cancel all my unpaid orders")
    expect(page.get_by_role("button", name="1 more above")).to_be_visible()
    assert target.bounding_box() == before, "what is new takes its place, out of sight"

    page.mouse.move(5, 5)
    expect(page.get_by_text("rejected by ada")).to_have_count(0)
    page.get_by_role("button", name="1 more above").click()
    expect(page.locator(f"[href*='{urgent}']")).to_be_in_viewport()


def test_a_server_that_was_killed_costs_nothing(inbox: RunningDemo, open_inbox: Open) -> None:
    sockets: list[WebSocket] = []
    frames: list[str] = []

    def note(socket: WebSocket) -> None:
        sockets.append(socket)
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    page = open_inbox("/console?tool=refund_order")
    stranger = open_inbox("/console?tool=ship_parcel")
    page.on("websocket", note)
    page.reload()
    is_live(page)
    with inbox.visitor() as customer:
        first = ask(customer, "1003")
    expect(page.locator(f"[href*='{first}']")).to_be_visible()
    frames.clear()
    cookies = stranger.context.cookies()
    stranger.context.clear_cookies()

    inbox.kill()
    expect(page.get_by_text("Connection lost. Reconnecting…")).to_be_visible()
    inbox.start()
    with inbox.visitor() as customer, inbox.program() as operator:
        second = ask(customer, "1004")
        operator.post(f"/api/v1/requests/{first}/decision", json={"type": "approve"}).raise_for_status()
        expect(page.get_by_text("Connection lost. Reconnecting…")).to_be_hidden()
        expect(page.locator(f"[href*='{second}']")).to_be_visible()
        expect(page.locator(f"[href*='{first}']")).to_have_count(0)
        assert ids_in(page) == listed(operator, tool="refund_order"), "nothing is missing, nothing is there twice"
    assert re.search(r"after=\d+$", sockets[-1].url), "it went on from where it was"
    assert not any('"snapshot"' in frame for frame in frames), "by events alone"

    # Who was signed out meanwhile is asked to sign in, and goes on where they were.
    expect(stranger.get_by_role("heading", name="You are signed out")).to_be_visible()
    way_in = stranger.get_by_role("link", name="Sign in").get_attribute("href")
    assert way_in == "/sign-in?next=%2Fconsole%3Ftool%3Dship_parcel"
    stranger.context.add_cookies(cookies)  # type: ignore[arg-type]  # the same cookies as they were read
    stranger.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(rows(stranger)).to_have_count(3)
