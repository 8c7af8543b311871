"""What `make quick` leaves out, and that nothing slow slips in."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import everything
from tests.prepared import run_prepared
from tests.quick import Guard, NotQuick, is_quick


@pytest.fixture
def guard() -> Iterator[Guard]:
    watching = Guard()
    watching.watches = True
    yield watching
    watching.watches = False


@pytest.mark.parametrize(
    "act",
    [
        lambda folder: sqlite3.connect(folder / "handraise.db"),
        lambda folder: subprocess.run([sys.executable, "--version"], cwd=folder, check=True),
        lambda folder: run_prepared("--version", cwd=folder),
    ],
    ids=["a database", "a process", "a prepared process"],
)
def test_a_quick_test_that_opens_or_starts_something_fails_and_says_what_to_do(
    guard: Guard, tmp_path: Path, act: Callable[[Path], object]
) -> None:
    with pytest.raises(NotQuick, match=r"Mark it, or its file, with pytest\.mark\.real\."):
        act(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_what_stays_in_memory_is_quick(guard: Guard, request: pytest.FixtureRequest) -> None:
    sqlite3.connect(":memory:").close()

    assert is_quick(request.node)


def test_a_test_with_a_database_is_not_quick(sqlite_url: str, request: pytest.FixtureRequest) -> None:
    assert sqlite_url
    assert not is_quick(request.node)


@pytest.mark.real
@pytest.mark.parametrize(("checks", "tests"), [(0, 0), (3, 0), (0, 3)])
def test_the_closing_line_of_the_tests_is_last_and_a_failure_of_either_is_one(
    capsys: pytest.CaptureFixture[str], checks: int, tests: int
) -> None:
    def command(words: str, code: int) -> list[str]:
        return [sys.executable, "-c", f"print({words!r}); raise SystemExit({code})"]

    code = everything.main([*command("checked", checks), "--", *command("dots\n3 passed", tests)])

    printed = capsys.readouterr().out.splitlines()
    assert code == (1 if checks or tests else 0)
    assert printed[-1] == "3 passed"
    assert printed.count("checked") == 1
    assert printed[-2].startswith("The checks failed: see above." if checks else "The checks passed.")
