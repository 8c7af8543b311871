"""Files: a round trip loses nothing, and an import that fails names the line and leaves nothing behind."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.core.actors import SERVICE
from handraise.core.errors import InvalidInput
from handraise.core.knowledge import Entry
from handraise.core.text.tokens import plain
from handraise.knowledge.curation import Curation
from handraise.knowledge.files import Format, Imported, export_entries, import_entries, read_entries
from handraise.knowledge.markdown import write_markdown
from handraise.knowledge.search import search
from handraise.store.opening import open_store
from handraise.store.store import Store
from tests.knowledge.samples import POINTS, POINTS_ANSWER, entries, publish
from tests.store.samples import ANN, BEN, NOON

MANY_LINES = '第一行\n\n## 不是标题\n\\## 也不是\n<!-- {"x": 1} -->\n  缩进 --> 结束\u2028同一行'

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=80)


async def fill(store: Store) -> None:
    await publish(store, POINTS, POINTS_ANSWER, tags=("会员", "积分"), source="手册 --> 第 3 页")
    old = await publish(store, "Two\nlines?", MANY_LINES, valid_until=datetime(2027, 1, 1, tzinfo=UTC))
    await Curation(store).edit(old.id, by=BEN, wordings=("Other words?",))
    gone = await publish(store, "怎么退货？", "七天内")
    await Curation(store).retire(gone.id, by=BEN)


@pytest.mark.parametrize("format", ["jsonl", "markdown"])
async def test_a_round_trip_loses_nothing(store: Store, tmp_path: Path, format: Format) -> None:
    await fill(store)
    text = await export_entries(store, format=format)
    async with open_store(str(tmp_path / "other.db")) as other:
        done = await import_entries(other, text, format=format, name="a file", by=SERVICE)
        assert done == Imported(added=3, unchanged=0)
        assert await entries(other) == await entries(store)
        assert await export_entries(other, format=format) == text
        assert [each.entry.question for each in await search(other, "积分规则")] == [POINTS]
        again = await import_entries(other, text, format=format, name="a file", by=SERVICE)
        assert again == Imported(added=0, unchanged=3)


@given(question=TEXTS.filter(plain), answer=TEXTS.filter(str.strip), tags=st.lists(TEXTS, max_size=3))
def test_any_text_survives_json_lines_and_markdown(question: str, answer: str, tags: list[str]) -> None:
    entry = Entry(
        id="k1", question=question, answer=answer, tags=tuple(tags), created_by=ANN, created_at=NOON, updated_at=NOON
    )
    [(_, again)] = read_entries(
        f"\n{entry.model_dump_json()}\n", format="jsonl", name="f", by=SERVICE, at=datetime.now(UTC)
    )
    assert again == entry
    [(_, page)] = read_entries(write_markdown([entry]), format="markdown", name="f", by=SERVICE, at=NOON)
    assert page.answer == entry.answer.strip("\n")
    assert page.tags == entry.tags
    assert plain(page.question) == plain(entry.question)


PAGE = """# Ours

A preface.

## How do I pay?
By card.

- or cash

## 怎么退货？
<!-- {"tags": ["退货"]} -->

七天内
"""


async def test_a_page_written_by_hand_is_read(store: Store) -> None:
    await import_entries(store, PAGE, format="markdown", name="page.md", by=ANN, publish=True)
    two, one = await entries(store)
    assert (one.question, one.answer) == ("How do I pay?", "By card.\n\n- or cash")
    assert (one.status, one.language, one.created_by) == ("published", "en", ANN)
    assert (two.question, two.answer, two.tags) == ("怎么退货？", "七天内", ("退货",))


GOOD = '{"question": "q one", "answer": "a"}'


@pytest.mark.parametrize(
    ("format", "text", "sentence"),
    [
        ("jsonl", f"{GOOD}\n\n{{oops", "kb.jsonl, line 3: not JSON: "),
        ("jsonl", f"{GOOD}\n[1]", "kb.jsonl, line 2: a list where an object is expected."),
        ("jsonl", f'{GOOD}\n{{"question": "q"}}', "kb.jsonl, line 2: answer: Field required."),
        ("jsonl", f'{GOOD}\n{{"question": "q", "answer": "a", "tgas": []}}', "kb.jsonl, line 2: tgas: Extra inputs"),
        ("jsonl", f'{GOOD}\n{{"question": "", "answer": "a"}}', "kb.jsonl, line 2: The question is empty."),
        ("jsonl", f'{GOOD}\n{{"question": "q", "answer": "\\u0000"}}', "kb.jsonl, line 2: The value at"),
        (
            "jsonl",
            '{"id": "k", "question": "q", "answer": "a"}\n{"id": "k", "question": "p", "answer": "a"}',
            "line 2: the id 'k' was used in line 1 already.",
        ),
        ("jsonl", f'{GOOD}\n{{"id": "known", "question": "q", "answer": "new"}}', "line 2: entry 'known' is in"),
        ("jsonl", '{"id": "k", "question": "q", "answer": "a", "request_id": "r"}', "'known' is from the request 'r'"),
        (
            "jsonl",
            f'{GOOD}\n{{"id": "k", "question": "q", "answer": "a", "version": 0}}',
            "line 2: version: Input should",
        ),
        (
            "jsonl",
            f'{GOOD}\n{{"question": "q", "answer": "a", "valid_until": "2027-01-01T00:00:00"}}',
            "line 2: valid_until: Input should have timezone info.",
        ),
        ("jsonl", f'{GOOD}\n{{"id": "a/b", "question": "q", "answer": "a"}}', "line 2: id: String should match"),
        ("jsonl", "\n\n", "kb.jsonl has no entries."),
        ("markdown", "## q\n\n## p\na\n", "kb.jsonl, line 1: The answer is empty."),
        ("markdown", "## q\n<!-- {oops} -->\na\n", "kb.jsonl, line 2: the comment is not JSON"),
        ("markdown", "just text", "kb.jsonl has no entries."),
    ],
)
async def test_a_bad_file_names_its_line_and_leaves_nothing_behind(
    store: Store, format: Format, text: str, sentence: str
) -> None:
    known = '{"id": "known", "question": "q", "answer": "old", "request_id": "r"}'
    await import_entries(store, known, format="jsonl", name="before", by=ANN)
    before = await entries(store)
    with pytest.raises(InvalidInput) as refused:
        await import_entries(store, text, format=format, name="kb.jsonl", by=ANN)
    assert sentence in refused.value.what
    assert await entries(store) == before
