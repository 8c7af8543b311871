"""A window that was used by another test is as clean as a new one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.service.desk import RunningDesk
from tests.windows import Windows

SETTINGS: dict[str, Any] = {"locale": "zh-CN", "viewport": {"width": 400, "height": 300}}
KEPT = """async () => ({
    cookie: document.cookie,
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: typeof caches === "undefined" ? 0 : (await caches.keys()).length,
    window: [window.name, typeof window.left],
})"""
NOTHING = {"cookie": "", "local": 0, "session": 0, "databases": 0, "caches": 0, "window": ["", "undefined"]}


@pytest.fixture
def windows(browser: Browser) -> Iterator[Windows]:
    with Windows(browser) as windows:
        yield windows


def leave_everything(page: Page) -> None:
    page.evaluate("""async () => {
        document.cookie = "left=1";
        localStorage.left = sessionStorage.left = window.name = "left";
        window.left = true;
        await caches.open("left");
        await new Promise(done => { indexedDB.open("left").onsuccess = done; });
    }""")


def test_what_a_test_left_is_gone(desk: RunningDesk, windows: Windows) -> None:
    window = windows.take(SETTINGS)
    page = window.context.new_page()
    page.goto(f"{desk.address}/api/docs")
    leave_everything(page)
    left = page.evaluate(KEPT)
    page.add_init_script("window.left = true")
    page.route("**/*", lambda route: route.abort())
    windows.give_back(window)

    again = windows.take(SETTINGS)
    fresh = again.context.new_page()
    fresh.goto(f"{desk.address}/api/docs")

    assert not [name for name in NOTHING if left[name] == NOTHING[name]], "the control: what was left can be seen"
    assert again is window
    assert page.is_closed()
    assert fresh.evaluate(KEPT) == NOTHING


def test_nobody_gets_a_window_that_somebody_has_or_one_with_other_settings(windows: Windows) -> None:
    first = windows.take(SETTINGS)
    second = windows.take(SETTINGS)
    windows.give_back(first)

    assert second is not first
    assert windows.take({**SETTINGS, "locale": "en-US"}) is not first
    assert windows.take(SETTINGS) is first
