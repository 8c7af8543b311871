"""`pytest --quick`: the tests that need no database, no browser and no process. `make quick` runs them.

Which those are is seen from the fixtures that a test uses; a test that makes its own says so with the marker
`real`. None can be forgotten: a quick test that opens a database or starts a process fails, and says what to do.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.order import drives_a_browser, fixtures_of, shared_by

HERE = Path(__file__).parent
NEVER = {HERE / "console", HERE / "walks"}
"""Where no test is quick, and reading them takes seconds: they are not even collected."""
MADE = {"sqlite_url", "postgres_server", "postgres_url", "empty_postgres_url", "database_url", "new_database"}
"""Fixtures that make a database. What tests share is a service, which is a process."""
FORBIDDEN = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "handraise.tests.prepared"}


class NotQuick(RuntimeError):
    """A test that was taken for a quick one does what only others may."""

    def __init__(self, what: str) -> None:
        super().__init__(f"A quick test must not {what}. Mark it, or its file, with pytest.mark.real.")


def is_quick(item: pytest.Item) -> bool:
    """Return whether a test needs no database, no browser and no process."""
    if drives_a_browser(item) or shared_by(item) or item.get_closest_marker("real"):
        return False
    return MADE.isdisjoint(fixtures_of(item))


class Guard:
    """Watches what the process does while a quick test runs."""

    def __init__(self) -> None:
        self.watches = False
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.watches:
            return
        if event in FORBIDDEN:
            raise NotQuick(f"start a process ({event})")
        if event == "sqlite3.connect" and arguments[0] != ":memory:":
            raise NotQuick(f"open a database ({arguments[0]!r})")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Any:
        return (yield from self._watching())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Any:
        return (yield from self._watching())

    def _watching(self) -> Any:
        self.watches = True
        try:
            return (yield)
        finally:
            self.watches = False

    @pytest.hookimpl
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if collection_path in NEVER else None

    @pytest.hookimpl
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        others = [item for item in items if not is_quick(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if is_quick(item)]
