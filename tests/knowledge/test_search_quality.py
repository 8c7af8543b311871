"""Search quality: paraphrased questions against 1,000 entries, beside what a database offers by itself."""

from __future__ import annotations

from pathlib import Path

from tests.knowledge.quality.corpus import PARTS, entries, questions, unanswered
from tests.knowledge.quality.measure import compared, report, scores, wrongly_answered

PAGE = Path(__file__).parents[2] / "docs" / "knowledge.md"


def test_there_are_a_thousand_entries_and_questions_in_two_languages_and_parts() -> None:
    assert len({entry.id for entry in entries()}) == 1_000
    known = {entry.id for entry in entries()}
    for part, count in {"first tuning": 15, "first held out": 15, "second": 40, "blind": 40}.items():
        for language in ("zh", "en"):
            asked = [each for each in questions() if (each.language, each.part) == (language, part)]
            assert len({each.question for each in asked}) == count
    assert {each.answer for each in questions()} <= known
    assert {each.part for each in questions()} <= set(PARTS)


async def test_questions_are_found_and_better_than_by_any_other_method(sqlite_url: str, postgres_url: str) -> None:
    async with compared(sqlite_url, postgres_url, entries()) as methods:
        found = await scores(methods, questions())
        wrong = await wrongly_answered(methods["ours, SQLite"], unanswered())
    parts = set(found["ours, SQLite"])
    assert parts == {each.part for each in questions()}
    for part in parts - {"first tuning"}:
        ours = {name: scored[part].top_3 for name, scored in found.items() if name.startswith("ours")}
        others = {name: scored[part].top_3 for name, scored in found.items() if name not in ours}
        assert len(ours) == 2
        assert len(others) == 3
        assert min(ours.values()) >= 70, part
        assert min(ours.values()) > max(others.values()), part
    assert len(wrong) <= 0.4 * len(unanswered()), "no passage is better than a wrong one"
    assert report(found, questions(), wrong, unanswered()) in PAGE.read_text(encoding="utf-8"), "Run: make docs"
