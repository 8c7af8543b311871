"""Finds a Chromium or Chrome for the browser tests, and fetches one where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

# The first is the same engine without windows: the tests take a quarter less time in it.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
HELP = """\
The browser tests need Chromium or Chrome, and none could be found or fetched. Install one of them:
  Debian, Ubuntu   sudo apt-get install chromium fonts-wqy-microhei
  Fedora           sudo dnf install chromium wqy-microhei-fonts
  macOS            brew install --cask chromium
or name the program of one that you have: HANDRAISE_BROWSER=/path/to/chrome make test
"""


def find_browser() -> str | None:
    """Return the path of a browser, or None."""
    named = os.environ.get("HANDRAISE_BROWSER")
    candidates = iter([named]) if named else _candidates()
    return next((path for path in candidates if path and os.access(path, os.X_OK)), None)


def _candidates() -> Iterator[str | None]:
    yield from (shutil.which(name) for name in NAMES)
    yield from PLACES
    # Asked last: it takes a second and a process.
    yield _playwrights_own()


def _playwrights_own() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _ways() -> list[list[list[str]]]:
    """Return the ways to get a browser, each as commands; the first that works is enough."""
    as_root = [] if os.name != "nt" and os.geteuid() == 0 else ["sudo", "--non-interactive"]
    ways = []
    if shutil.which("apt-get") and (not as_root or shutil.which("sudo")):
        apt = [*as_root, "apt-get"]
        install = [*apt, "install", "-q", "-y", "--no-install-recommends", "fonts-wqy-microhei"]
        # Not every distribution has the first.
        ways.append([[*apt, "update", "-q"], [*install, "chromium-headless-shell"]])
        ways.append([[*install, "chromium"]])
    if shutil.which("dnf") and (not as_root or shutil.which("sudo")):
        ways.append([[*as_root, "dnf", "install", "-y", "chromium", "wqy-microhei-fonts"]])
    ways.append([[sys.executable, "-m", "playwright", "install", "chromium"]])
    return ways


def main() -> int:
    """Make sure that there is a browser, or say what to install."""
    for way in _ways():
        if find_browser():
            return 0
        sys.stderr.write(f"No browser found; trying: {' '.join(way[-1])}\n")
        for command in way:
            if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
                break
    if find_browser():
        return 0
    sys.stderr.write(HELP)
    return 1


if __name__ == "__main__":
    sys.exit(main())
