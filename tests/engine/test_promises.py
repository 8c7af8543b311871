"""The page of promises names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "promises.md"
NAMED = re.findall(r"\[`(test_\w+)`\]\((.*?)\)", PAGE.read_text(encoding="utf-8"))


def test_every_test_that_the_page_names_exists() -> None:
    assert len(NAMED) >= 20
    for name, path in NAMED:
        file = (PAGE.parent / path).resolve()
        assert f"def {name}(" in file.read_text(encoding="utf-8"), f"{path} has no {name}"


def test_every_promise_has_a_mechanism_a_test_and_a_control() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| G\d", line)]
    assert [row.split("|")[1].strip() for row in rows] == [f"G{number}" for number in range(1, 9)]
    for row in rows:
        assert all(cell.strip() for cell in row.split("|")[1:-1]), row
        assert "test_" in row.split("|")[4], row
