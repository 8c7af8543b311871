"""Windows of a browser, as clean as new ones: in a new one a page takes half as much again, since nothing is loaded.

A window that was given back has neither cookies nor storage nor open pages; what it keeps is its process, with the
console's files in it. A page of its own keeps that process alive.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Frame, Page

NewContext = Callable[..., BrowserContext]
"""What opens a window; its arguments are the settings of one."""
SPARE = 4
"""How many are kept for later; each is a process of its own."""
KEEPER = "http://127.0.0.1/"
"""An address that nobody asks for, on the same site as every service under test."""


class Window:
    """A browser context that can be used again by whoever wants the same settings."""

    def __init__(self, browser: Browser, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.context = browser.new_context(**settings)
        self._visited: set[str] = set()
        self._keeper = self.context.new_page()
        self._keeper.route(KEEPER, lambda route: route.fulfill(body="", content_type="text/html"))
        self._keeper.goto(KEEPER)
        self._control = self.context.new_cdp_session(self._keeper)
        self.context.on("page", self._watch)

    def clean(self) -> None:
        """Close its pages, and forget what they kept."""
        for page in self.context.pages:
            if page != self._keeper:
                page.close()
        self.context.clear_cookies()
        for origin in self._visited:
            self._control.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self._visited.clear()

    def close(self) -> None:
        self.context.close()

    def _watch(self, page: Page) -> None:
        page.on("framenavigated", self._remember)

    def _remember(self, frame: Frame) -> None:
        address = urlsplit(frame.url)
        if address.scheme in ("http", "https"):
            self._visited.add(f"{address.scheme}://{address.netloc}")


class Windows:
    """The windows of one browser that wait to be used again."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._spare: deque[Window] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._spare:
            self._spare.pop().close()

    def take(self, settings: dict[str, Any]) -> Window:
        """Return one with these settings, which nobody else has."""
        for window in self._spare:
            if window.settings == settings:
                self._spare.remove(window)
                return window
        return Window(self._browser, settings)

    def give_back(self, window: Window) -> None:
        """Clean one for the next who wants it."""
        window.clean()
        self._spare.append(window)
        while len(self._spare) > SPARE:
            self._spare.popleft().close()
