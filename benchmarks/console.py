"""How soon the inbox answers a key, with 10,000 open requests and with 100, in a real browser.

Run: python benchmarks/console.py
Each inbox has a service of its own on SQLite. A figure is the time from a key press until what it changes is painted,
measured by the browser: `j` opens the next request, a letter in the search filters the list and counts it.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright
from tests.conftest import QUIET
from tests.console.listing import alike, fill, is_live, sign_in
from tests.obtain_browser import find_browser
from tests.running import RunningDemo
from tests.service.talking import until

FEW, MANY = 100, 10_000
PRESSES = 40
SEARCHES = ("97", "86", "75", "42", "31", "20", "98")
"""Each letter of them makes the list shorter: neither is in what all requests have in common."""

# A key's own time stamp is when it went down. What it changes is awaited, then the frame that shows it.
WATCH = """
  window.taken = [];
  let pressed = null;
  document.addEventListener("keydown", ({ timeStamp }) => { pressed = timeStamp }, { capture: true });
  window.watch = (changes) => {
    const among = ({ target }) => (target.closest ? target : target.parentElement)?.closest(changes);
    const seen = new MutationObserver((mutations) => {
      if (pressed === null || !mutations.some(among)) return;
      const since = pressed;
      pressed = null;
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => window.taken.push(performance.now() - since);
        painted.port2.postMessage(null);
      });
    });
    const what = { childList: true, characterData: true, attributeFilter: ["aria-current"] };
    seen.observe(document.body, { subtree: true, ...what });
  };
"""


def main() -> None:
    few, many = measure(FEW), measure(MANY)
    print(f"{'ms from key to paint, median (worst)':<40}{FEW:>16,}{MANY:>18,}{'ratio':>9}")
    for what in few:
        ratio = statistics.median(many[what]) / statistics.median(few[what])
        print(f"{what:<40}{_told(few[what]):>16}{_told(many[what]):>18}{ratio:>7.1f} x")


def measure(count: int) -> dict[str, list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'handraise.db'}"
        fill(url, alike("issue_refund", count))
        program = find_browser()
        with RunningDemo(url) as demo, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=QUIET)
            page = browser.new_page(locale="en-US", viewport={"width": 1280, "height": 800})
            page.add_init_script(WATCH)
            sign_in(page, demo)
            is_live(page)
            page.get_by_text(f"{count:,} open requests", exact=True).wait_for(timeout=120_000)
            page.keyboard.press("j")
            page.get_by_role("heading", level=2).wait_for()
            page.evaluate("watch('[aria-current=true]')")
            moving = [_press(page, "j") for _ in range(PRESSES)]
            page.reload()
            page.get_by_text(f"{count:,} open requests", exact=True).wait_for(timeout=120_000)
            page.evaluate("watch('header [role=status]')")
            typing: list[float] = []
            for search in SEARCHES:
                page.keyboard.press("/")
                typing += [_press(page, letter) for letter in search]
                page.keyboard.press("Escape")
                page.get_by_text(f"{count:,} open requests", exact=True).wait_for()
                page.keyboard.press("Escape")
            browser.close()
            return {"j: the next request": moving, "a letter in the search": typing}


def _press(page: Page, key: str) -> float:
    page.evaluate("window.taken = []")
    page.keyboard.press(key)
    return float(until(lambda: page.evaluate("window.taken[0]")))


def _told(times: list[float]) -> str:
    return f"{statistics.median(times):.1f} ({max(times):.0f})"


if __name__ == "__main__":
    main()
