"""Prints the table of holes into `gate.md`, from what the tests declare."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "gate.md"
BEGIN, END = "<!-- holes -->", "<!-- /holes -->"


def printed(page: str) -> str:
    """Return the page with its table as it is now."""
    from tests.agents.gate import test_holds  # noqa: F401 - importing it declares the holes
    from tests.agents.gate.holes import table

    between = re.compile(f"{BEGIN}.*{END}", re.DOTALL)
    return between.sub(lambda _: f"{BEGIN}\n{table()}\n{END}", page)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(printed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
