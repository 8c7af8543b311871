"""The control: what the tests of looks rely on finds something."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.console.watching import faults

SHOWN = '<html lang="en"><title>A page</title><main><h1>A page</h1>{}</main></html>'
NAMELESS = '<img src="data:,">'


def test_an_image_without_a_name_is_found_wherever_one_looks(page: Page) -> None:
    page.set_content(SHOWN.format(f"{NAMELESS}<article>A text</article>"))

    assert faults(page) == faults(page) == [f"light, image-alt: {NAMELESS}"], "however often one looks"
    assert faults(page, "article") == []

    page.set_content(SHOWN.format("Nothing else"))
    assert faults(page) == []


def test_a_text_that_cannot_be_read_in_one_colour_scheme_is_found_there(page: Page) -> None:
    dark = "@media (prefers-color-scheme: dark) { p { color: #222; background: #111 } }"
    page.set_content(SHOWN.format(f"<style>p {{ transition: color 0.3s }} {dark}</style><p>A text</p>"))

    assert faults(page) == ["dark, color-contrast: <p>A text</p>"]
