"""Curation in both databases: what may follow what, who is told, and what stays on record."""

from __future__ import annotations

import asyncio

import pytest

from handraise.core.errors import AlreadyKnown, Conflict, HandraiseError, IllegalMove, InvalidInput, NotFound
from handraise.core.knowledge import MAX_ANSWER, Entry
from handraise.knowledge.curation import Curation, NewEntry
from handraise.knowledge.duplicates import near_duplicates
from handraise.knowledge.search import search
from handraise.store.store import Store
from tests.knowledge.samples import POINTS, POINTS_ANSWER, publish
from tests.store.samples import ANN, BEN

NEW = NewEntry(question=POINTS, answer=POINTS_ANSWER, tags=("会员",), source="handbook")


async def test_an_entry_walks_from_draft_to_published_to_retired_with_every_version_on_record(store: Store) -> None:
    curation = Curation(store)
    draft = await curation.draft(NEW, by=ANN)
    assert (draft.status, draft.language, draft.version, draft.created_by) == ("draft", "zh", 1, ANN)
    published = await curation.publish(draft.id, by=BEN)
    edited = await curation.edit(draft.id, by=ANN, answer="2 倍积分")
    retired = await curation.retire(draft.id, by=BEN)
    history = await store.read(lambda tx: tx.knowledge.history(draft.id))
    assert [fact.entry for _, fact in history] == [draft, published, edited, retired]
    assert [fact.name for _, fact in history] == ["entry.drafted", "entry.published", "entry.edited", "entry.retired"]
    assert [by for by, _ in history] == [ANN, BEN, ANN, BEN]
    assert await store.read(lambda tx: tx.knowledge.get(draft.id)) == retired


@pytest.mark.parametrize("move", ["publish", "edit", "retire"])
async def test_a_retired_entry_stays_retired(store: Store, move: str) -> None:
    curation = Curation(store)
    entry = await curation.draft(NEW, by=ANN)
    await curation.retire(entry.id, by=ANN)
    with pytest.raises(IllegalMove, match="An entry that is retired cannot"):
        await getattr(curation, move)(entry.id, by=ANN)


@pytest.mark.parametrize("question", [POINTS, "会员积分规则", "你们的会员積分规则是什么呢", " 会员积分规则是什么?? "])
async def test_the_same_question_is_not_created_twice(store: Store, question: str) -> None:
    known = await publish(store, POINTS, POINTS_ANSWER)
    with pytest.raises(AlreadyKnown) as refused:
        await Curation(store).draft(NewEntry(question=question, answer="?"), by=BEN)
    assert refused.value.details == {"entry_id": known.id, "question": POINTS}
    beside = await Curation(store).draft(NewEntry(question=question, answer="?"), by=BEN, even_if_similar=True)
    with pytest.raises(AlreadyKnown):
        await Curation(store).publish(beside.id, by=BEN)
    similar = await store.read(lambda tx: near_duplicates(tx, question, besides=beside.id))
    assert similar == [known]


@pytest.mark.parametrize("question", ["积分可以转给别人吗？", "会员怎么升级？", "How do points work?"])
async def test_another_question_about_the_same_thing_is_new(store: Store, question: str) -> None:
    await publish(store, POINTS, POINTS_ANSWER)
    await Curation(store).draft(NewEntry(question=question, answer="?"), by=ANN)


async def test_questions_about_different_numbers_are_different(store: Store) -> None:
    await publish(store, "型号 X100 支持快充吗？", "支持")
    await Curation(store).draft(NewEntry(question="型号 X200 支持快充吗？", answer="不支持"), by=ANN)


async def test_merging_leaves_one_entry_that_is_found_by_both_wordings(store: Store) -> None:
    kept = await publish(store, POINTS, "旧答案", tags=("会员",))
    gone = await publish(store, "消费送多少分数", "新答案", tags=("分数",))
    merged = await Curation(store).merge(gone.id, kept.id, by=BEN, take_answer=True)
    assert (merged.id, merged.answer, merged.wordings) == (kept.id, "新答案", ("消费送多少分数",))
    assert merged.tags == ("会员", "分数")
    after = await store.read(lambda tx: tx.knowledge.get(gone.id))
    assert (after.status, after.merged_into) == ("retired", kept.id)
    for question in ("积分规则", "送多少分数"):
        assert [passage.entry.id for passage in await search(store, question)] == [kept.id]


async def test_an_entry_is_not_merged_into_itself_nor_into_a_retired_one(store: Store) -> None:
    one, other = await publish(store, POINTS, "a"), await publish(store, "怎么退货？", "b")
    with pytest.raises(InvalidInput, match="into itself"):
        await Curation(store).merge(one.id, one.id, by=ANN)
    await Curation(store).retire(other.id, by=ANN)
    with pytest.raises(Conflict, match="is retired"):
        await Curation(store).merge(one.id, other.id, by=ANN)
    assert (await store.read(lambda tx: tx.knowledge.get(one.id))).status == "published"


async def test_the_second_of_two_curators_is_told_and_overwrites_nothing(store: Store) -> None:
    entry = await publish(store, POINTS, "a")
    curation = Curation(store)
    await curation.edit(entry.id, by=ANN, version=entry.version, answer="Ann's")
    with pytest.raises(Conflict, match="was changed meanwhile") as refused:
        await curation.edit(entry.id, by=BEN, version=entry.version, answer="Ben's")
    assert refused.value.details["version"] == entry.version + 1
    assert (await store.read(lambda tx: tx.knowledge.get(entry.id))).answer == "Ann's"


async def test_of_many_curators_at_once_exactly_one_wins_each_version(store: Store) -> None:
    entry = await publish(store, POINTS, "a")
    curation = Curation(store)
    for round_number in range(5):
        version = entry.version + round_number
        outcomes = await asyncio.gather(
            *(curation.edit(entry.id, by=ANN, version=version, answer=f"{round_number}-{at}") for at in range(6)),
            return_exceptions=True,
        )
        won = [each for each in outcomes if isinstance(each, Entry)]
        assert len(won) == 1
        assert all(isinstance(each, Conflict) for each in outcomes if not isinstance(each, Entry))
        assert await store.read(lambda tx: tx.knowledge.get(entry.id)) == won[0]


async def test_two_curators_who_merge_two_entries_into_each_other_leave_one(store: Store) -> None:
    one, other = await publish(store, POINTS, "a"), await publish(store, "怎么退货？", "b")
    curation = Curation(store)
    outcomes = await asyncio.gather(
        curation.merge(one.id, other.id, by=ANN), curation.merge(other.id, one.id, by=BEN), return_exceptions=True
    )
    assert sum(isinstance(each, Entry) for each in outcomes) == 1
    assert sum(isinstance(each, HandraiseError) for each in outcomes) == 1
    page = await store.read(lambda tx: tx.knowledge.list(status="published", limit=10))
    assert len(page.items) == 1


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ({"question": " ", "answer": "a"}, "The question is empty."),
        ({"question": "?!", "answer": "a"}, "has no letters to search by"),
        ({"question": "a", "answer": "\n"}, "The answer is empty."),
        ({"question": "q", "answer": "a" * (MAX_ANSWER + 1)}, "50,001 characters; 50,000 is the most"),
        ({"question": "q", "answer": "a\x00b"}, "NUL character"),
        ({"question": "q\ud800", "answer": "a"}, "lone surrogate"),
    ],
)
async def test_what_cannot_be_kept_is_refused_by_name(store: Store, new: dict[str, str], sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        await Curation(store).draft(NewEntry(**new), by=ANN)


async def test_a_list_pages_from_the_newest_to_the_oldest(store: Store) -> None:
    made = [await publish(store, f"Question number {name}", "a") for name in ("one", "two", "three")]
    first = await store.read(lambda tx: tx.knowledge.list(limit=2))
    rest = await store.read(lambda tx: tx.knowledge.list(limit=2, cursor=first.next_cursor))
    assert [*first.items, *rest.items] == made[::-1]
    assert rest.next_cursor is None
    assert (await store.read(lambda tx: tx.knowledge.list(status="draft", limit=2))).items == []


async def test_an_entry_that_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="no entry 'kb_9'"):
        await Curation(store).retire("kb_9", by=ANN)
