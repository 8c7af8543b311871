"""The audit page in a real browser: the trail with filters in its address, what an edit changed, and the seal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from handraise.audit.files import check_file
from tests.console.watching import LOCALES, faults, is_too_wide
from tests.service.desk import RunningDesk
from tests.service.talking import chat, only, until

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def edited(desk: RunningDesk) -> str:
    """A session in which an operator edited a refund, and everything is sealed."""
    with desk.visitor() as customer, desk.program() as operator:
        session_id, frames = chat(customer, "refund")
        request_id = only(frames, "waiting")["request_id"]
        operator.post(f"/api/v1/requests/{request_id}/decision", json={"type": "edit", "args": {"order_id": "777"}})
        until(lambda: _finished(operator, session_id))
    return session_id


def _finished(operator: httpx.Client, session_id: str) -> bool:
    page = operator.get("/api/v1/audit", params={"session_id": session_id, "name": "run.finished"})
    return bool(page.json()["items"])


def test_a_lead_finds_what_an_edit_changed_and_takes_the_trail_away(
    edited: str, open_console: Open, tmp_path: Path
) -> None:
    page = open_console("/console/audit")
    page.get_by_label("What").select_option("request.decided")
    page.get_by_label("Conversation").fill(edited)
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(f"name=request.decided.*{edited}"))
    row = page.locator("li[data-name]")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("refund · edit")
    row.locator("summary").click()
    expect(page.get_by_label("Proposed")).to_contain_text("12345")
    expect(page.get_by_label("Decided")).to_contain_text("777")
    page.reload()
    expect(page.locator("li[data-name]")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as JSON Lines").click()
    file = tmp_path / "trail.jsonl"
    download.value.save_as(file)
    lines = file.read_text().splitlines(keepends=True)
    assert check_file(lines).intact
    assert [json.loads(line)["name"] for line in lines[1:-1]] == ["request.decided"]
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("li[data-name='trail.exported']").first).to_be_visible()
    expect(page.get_by_test_id("sealed")).to_contain_text("Seal")


def test_nothing_fits_and_not_allowed_are_said(desk: RunningDesk, open_console: Open) -> None:
    page = open_console("/console/audit?actor=nobody-of-that-name")
    expect(page.get_by_text("No event fits these filters.")).to_be_visible()
    # As the service answers an operator; the table of permissions has its own tests.
    page.route("**/api/v1/audit**", lambda route: route.fulfill(status=403, json={"code": "not_permitted"}))
    page.goto(f"{desk.address}/console/audit")
    expect(page.get_by_text("This page is not for your role")).to_be_visible()


@pytest.mark.parametrize("locale", LOCALES)
def test_everybody_can_use_it(edited: str, open_console: Open, locale: str) -> None:
    page = open_console(
        f"/console/audit?name=request.decided&session_id={edited}",
        locale=locale, viewport={"width": 390, "height": 800},
    )  # fmt: skip
    page.locator("summary").first.click()
    expect(page.locator("li[data-name] pre")).to_be_visible()
    words = {"en-US": "Request decided", "zh-CN": "请求已决定"}[locale]
    expect(page.locator("li[data-name] summary")).to_contain_text(f"{words} request.decided")
    expect(page.locator("select option:checked")).to_have_text(f"{words} · request.decided")
    assert faults(page) == []
    assert not is_too_wide(page)
