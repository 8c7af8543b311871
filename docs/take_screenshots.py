"""Takes the pictures of the main pages: the demo on a database of its own, played once, in a real browser.

Run: make screenshots
Those that the README shows go to docs/images; the others, in both languages, both colour schemes and on a phone, to
docs/images/all, which is not kept.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from tests.conftest import QUIET
from tests.console.listing import sign_in
from tests.obtain_browser import find_browser
from tests.running import RunningDemo

IMAGES = Path(__file__).parent / "images"
COLOURS = 256
"""A page of text has few; the picture is half the size, and looks the same."""

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
KEPT = {"inbox-en-light-desk": "inbox.png", "inbox-zh-dark-desk": "inbox-zh-dark.png"}


class PlayedDemo(RunningDemo):
    """The demo with its first run."""

    command: ClassVar[list[str]] = ["demo"]


@dataclass(frozen=True)
class Look:
    locale: str
    scheme: str
    device: str

    def __str__(self) -> str:
        return f"{self.locale[:2]}-{self.scheme}-{self.device}"


LOOKS = [
    Look(locale, scheme, device)
    for locale in ("en-US", "zh-CN")
    for scheme in ("light", "dark")
    for device in ("desk", "phone")
]


def chat(page: Page, address: str) -> None:
    page.goto(address)
    field = page.get_by_role("textbox").first
    chinese = page.locator("html[lang^=zh]").count() > 0
    field.fill("我要退款，订单 1001" if chinese else "I want a refund for order 1001")
    field.press("Enter")
    page.get_by_test_id("waiting-card").wait_for()


def inbox(page: Page, address: str) -> None:
    page.goto(f"{address}/console")
    wanted = page.locator("li a").filter(has_text="refund_order").first
    wanted.click()
    page.get_by_role("heading", level=2).wait_for()
    # The conversation comes by a stream of its own, after the request.
    page.locator("article[data-from=customer]").first.wait_for()


def listing(page: Page, address: str) -> None:
    page.goto(f"{address}/console")
    page.locator("li a").first.wait_for()


def below(name: str) -> Callable[[Page, str], None]:
    def visit(page: Page, address: str) -> None:
        page.goto(f"{address}/console/{name}")
        page.get_by_role("heading", level=1).wait_for()
        page.get_by_role("listitem").first.wait_for()

    return visit


def insights(page: Page, address: str) -> None:
    page.goto(f"{address}/console/insights")
    page.locator(".recharts-surface").first.wait_for()


PAGES: dict[str, Callable[[Page, str], None]] = {
    "inbox": inbox,
    "list": listing,
    "sessions": below("sessions"),
    "knowledge": below("knowledge"),
    "tickets": below("tickets"),
    "audit": below("audit"),
    "insights": insights,
    # Last, for it asks for one more refund.
    "chat": chat,
}


def main() -> None:
    program = find_browser()
    if program is None:
        sys.exit("There is no browser to take pictures with; `make browser` fetches one or says what to install.")
    (IMAGES / "all").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, PlayedDemo(f"sqlite:///{folder}/handraise.db") as demo:
        take_all(demo, program)


def take_all(demo: RunningDemo, program: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=QUIET)
        for name, visit in PAGES.items():
            for look in LOOKS:
                picture = take(browser, demo, visit, look)
                kept = KEPT.get(f"{name}-{look}")
                file = IMAGES / kept if kept else IMAGES / "all" / f"{name}-{look}.png"
                file.write_bytes(small(picture))
                print(f"{file.relative_to(IMAGES.parent)}: {file.stat().st_size // 1024} kB")
        browser.close()


def take(browser: Browser, demo: RunningDemo, visit: Callable[[Page, str], None], look: Look) -> bytes:
    context = browser.new_context(
        locale=look.locale,
        color_scheme="dark" if look.scheme == "dark" else "light",
        viewport=DESK if look.device == "desk" else PHONE,  # type: ignore[arg-type]  # both are sizes
        reduced_motion="reduce",
    )
    page = context.new_page()
    if visit is not chat:
        sign_in(page, demo)
    visit(page, demo.address)
    page.wait_for_load_state("networkidle")
    picture = page.screenshot(animations="disabled")
    context.close()
    return picture


def small(picture: bytes) -> bytes:
    """Return a picture with few colours, packed as tightly as PNG can."""
    full = Image.open(io.BytesIO(picture)).convert("RGB")
    # Maximum coverage: a red word in a grey page is rare, and must stay red.
    image = full.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    image.save(packed, "PNG", optimize=True)
    return packed.getvalue()


if __name__ == "__main__":
    main()
