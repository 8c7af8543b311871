"""Prints the table of search quality into `knowledge.md`, measured on both databases."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "knowledge.md"
BEGIN, END = "<!-- quality -->", "<!-- /quality -->"


async def measured(postgres_url: str) -> str:
    """Return the table and what was missed."""
    from tests.knowledge.quality.corpus import entries, questions, unanswered
    from tests.knowledge.quality.measure import compared, report, scores, wrongly_answered

    with tempfile.TemporaryDirectory() as folder:
        async with compared(f"sqlite:///{folder}/quality.db", postgres_url, entries()) as methods:
            found = await scores(methods, questions())
            wrong = await wrongly_answered(methods["ours, SQLite"], unanswered())
            return report(found, questions(), wrong, unanswered())


def printed(page: str) -> str:
    """Return the page with its table as it is now."""
    from benchmarks.store import own_postgres

    with own_postgres() as url:
        table = asyncio.run(measured(url))
    between = re.compile(f"{BEGIN}.*{END}", re.DOTALL)
    return between.sub(lambda _: f"{BEGIN}\n{table}{END}", page)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(printed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
