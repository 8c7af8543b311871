"""What the tests watch a page for: faults of accessibility, width, and anything that leaves for elsewhere."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LOOKS = [(locale, scheme) for locale in ("en-US", "zh-CN") for scheme in ("light", "dark")]
"""Both languages in both colour schemes."""


def faults(page: Page, within: str | None = None) -> list[str]:
    """Return what axe finds wrong, each rule with the element; `within` is a selector, for a part of the page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    # What it finds right is as large as a page, and stays there.
    found: list[str] = page.evaluate(
        """async within => (await axe.run(within ?? document, { resultTypes: ["violations"] })).violations
            .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html}`))""",
        within,
    )
    return found


def is_too_wide(page: Page) -> bool:
    """Return whether the page scrolls sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


def strangers(page: Page, address: str) -> list[str]:
    """Return a list that fills with every request that leaves for another address."""
    left: list[str] = []
    page.on("request", lambda request: None if request.url.startswith(address) else left.append(request.url))
    return left
