"""Decisions are numbered without gaps, listed in their index, and linked by the names they have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "decisions"
DECISIONS = sorted(FOLDER.glob("[0-9]*.md"))
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "console" / "README.md"]

TITLE = re.compile(r"# (?P<number>\d+)\. (?P<title>.+)\n\nStatus: (?P<status>.+) · Date: (?P<date>\d{4}-\d\d-\d\d)\n\n")
MENTION = re.compile(r"\[decision (\d+)\]\(([^)]+)\)")


def test_the_numbers_have_no_gap() -> None:
    assert [int(page.name[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))


def test_the_index_lists_every_decision_with_its_title_status_and_date() -> None:
    index = (FOLDER / "README.md").read_text()
    rows = [line for line in index.splitlines() if re.match(r"\| \d", line)]

    assert len(rows) == len(DECISIONS)
    for row, page in zip(rows, DECISIONS, strict=True):
        said = TITLE.match(page.read_text())
        assert said, f"{page.name} begins with a number, a title, a status and a date"
        assert int(said["number"]) == int(page.name[:4])
        assert row == f"| {said['number']} | [{said['title']}]({page.name}) | {said['status']} | {said['date']} |"
        assert re.fullmatch(r"accepted|replaced by \[decision \d+\]\(.+\)", said["status"])


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_link_to_a_decision_leads_to_the_one_it_names(page: Path) -> None:
    for number, target in MENTION.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), target
        assert Path(target).name.startswith(f"{int(number):04d}-"), target
