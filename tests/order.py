"""In which order tests run, and which of them stay together on one worker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LONG = {
    "audit/test_attacks.py",
    "audit/test_secrets.py",
    "console/detail/test_looks.py",
    "demo/test_first_run.py",
    "engine/crash/test_crash_points.py",
    "knowledge/test_search_quality.py",
    "walks/test_scenarios_in_two_windows.py",
}
"""Files with tests of many seconds: no worker shall be left with one when the others have ended."""


class Turn(IntEnum):
    """When a test has its turn."""

    LONG = 1
    """What takes long, or starts a service that others share: while there is much else to do beside it."""
    SHORT = 2
    LONG_IN_BROWSER = 3
    """A browser last: once one was driven, no asyncio test can run in that process."""
    IN_BROWSER = 4


@dataclass(frozen=True)
class _Named:
    """A test as xdist is told of it."""

    nodeid: str


@contextmanager
def grouped(session: pytest.Session) -> Iterator[None]:
    """Keep together the tests that share a service, so that no worker starts one that another has.

    `--dist loadgroup` reads a test's group from the end of its name. xdist 3.8 writes it there from a marker, which
    pytest 9 no longer lets it do, without a word: so the names are written here, for as long as it looks.
    """
    items = session.items
    session.items = [_Named(f"{item.nodeid}@{_group_of(item)}") for item in items]  # type: ignore[misc]  # read only
    try:
        yield
    finally:
        session.items = items


def sort(items: list[pytest.Item]) -> None:
    """Let each test have its turn."""
    items.sort(key=_turn_of)


def drives_a_browser(item: pytest.Item) -> bool:
    return "playwright" in fixtures_of(item)


def fixtures_of(item: pytest.Item) -> list[str]:
    """Return every fixture that a test needs, those that others need for it included."""
    return item.fixturenames if isinstance(item, pytest.Function) else []


def _turn_of(item: pytest.Item) -> Turn:
    long = str(item.path.relative_to(HERE)) in LONG
    if drives_a_browser(item):
        return Turn.LONG_IN_BROWSER if long else Turn.IN_BROWSER
    return Turn.LONG if long or shared_by(item) or item.get_closest_marker("real") else Turn.SHORT


def _group_of(item: pytest.Item) -> str:
    shared = shared_by(item)
    if not shared:
        return item.nodeid
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    kinds = " ".join(str(parameters[name]) for name in shared if name in parameters)
    # One running service is for all files of its folder; anything else is for its file.
    service = "desk" if "desk" in parameters else str(item.path)
    return f"{service} on {kinds}, {_turn_of(item).name}"


def shared_by(item: pytest.Item) -> list[str]:
    """Return the fixtures that a test shares with others; those of every test are there once for each worker."""
    if not isinstance(item, pytest.Function):
        return []
    known = item._fixtureinfo.name2fixturedefs
    return sorted(
        name
        for name in item.fixturenames
        if name in known and known[name][-1].scope != "function" and known[name][-1].baseid.startswith(f"{HERE.name}/")
    )
