"""The table of dialects in docs/library.md says what each of them is and can say."""

from __future__ import annotations

from pathlib import Path

from handraise.core.decisions import DECISION_KINDS
from handraise.dialects.registry import DIALECTS

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def rows_of_table() -> list[dict[str, str]]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("| dialect |"))
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[first:] if line.startswith("|")]
    rows = cells[: lines[first:].index("")]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[2:]]


def test_every_dialect_is_in_the_table_in_the_order_in_which_it_is_asked() -> None:
    assert [row["dialect"] for row in rows_of_table()] == [f"`{dialect.name}`" for dialect in DIALECTS]


def test_the_table_has_a_word_for_each_decision_that_a_dialect_speaks_and_none_for_another() -> None:
    documented = {row["dialect"]: {kind for kind in DECISION_KINDS if row[kind] != "-"} for row in rows_of_table()}

    assert documented == {f"`{dialect.name}`": set(dialect.speaks) for dialect in DIALECTS}
