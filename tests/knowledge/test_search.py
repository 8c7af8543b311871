"""Search in both databases, in Chinese and English: what is found, what is not, and in which order."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from handraise.knowledge.curation import Curation, NewEntry
from handraise.knowledge.embeddings import Meanings, fuse
from handraise.knowledge.search import Search, search
from handraise.store.migrations.m0009_concepts import find_again
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from handraise.store.tables.full_text import FullText, Text
from tests.knowledge.quality.corpus import entries as corpus
from tests.knowledge.quality.corpus import questions
from tests.knowledge.quality.measure import fill
from tests.knowledge.samples import POINTS, POINTS_ANSWER, publish
from tests.store.samples import ANN
from tests.store.test_query_plans import Recorder


async def questions_found(store: Store, question: str, **how: Any) -> list[str]:
    return [passage.entry.question for passage in await search(store, question, **how)]


@pytest.mark.parametrize(
    "question",
    ["积分规则", "積分規則", "会员的积分怎么算？", "我想问一下会员积分", "积分抵扣现金", "积分 １００"],
)
async def test_chinese_is_found_by_other_wordings(store: Store, question: str) -> None:
    await publish(store, POINTS, POINTS_ANSWER)
    await publish(store, "怎么退货？", "七天内可以无理由退货。")
    assert await questions_found(store, question, limit=1) == [POINTS]


@pytest.mark.parametrize("question", ["RETURNS", "returning items", "can I return it?", "how to return"])
async def test_english_is_found_in_any_form_of_its_words(store: Store, question: str) -> None:
    await publish(store, "How do I return an item?", "Within 30 days.")
    await publish(store, "How do I pay?", "By card.")
    assert await questions_found(store, question, limit=1) == ["How do I return an item?"]


@pytest.mark.parametrize(
    "question", ["明天上海会下雨吗", "Will it rain in Berlin?", "怎么了", "??", "'); DROP TABLE x", '" OR *']
)
async def test_a_question_that_nothing_answers_finds_nothing(store: Store, question: str) -> None:
    await publish(store, POINTS, POINTS_ANSWER)
    await publish(store, "How do I return an item?", "Within 30 days.")
    assert await questions_found(store, question) == []


async def test_drafts_retired_and_outdated_entries_are_not_found(store: Store) -> None:
    curation = Curation(store)
    draft = await curation.draft(NewEntry(question="积分怎么转让？", answer="不能。"), by=ANN)
    assert await questions_found(store, "积分转让") == []
    assert await questions_found(store, "积分转让", drafts=True) == ["积分怎么转让？"]
    await curation.publish(draft.id, by=ANN)
    assert await questions_found(store, "积分转让") == ["积分怎么转让？"]
    await curation.edit(draft.id, by=ANN, valid_until=datetime.now(UTC) - timedelta(seconds=5))
    assert await questions_found(store, "积分转让") == []
    await curation.edit(draft.id, by=ANN, valid_until=None)
    assert await questions_found(store, "积分转让") == ["积分怎么转让？"]
    await curation.retire(draft.id, by=ANN)
    assert await questions_found(store, "积分转让", drafts=True) == []


async def test_an_edited_entry_is_found_by_its_new_words_only(store: Store) -> None:
    entry = await publish(store, "怎么退货？", "七天内。")
    await Curation(store).edit(entry.id, by=ANN, question="发票怎么开？", answer="在订单页。", wordings=("要报销",))
    assert await questions_found(store, "退货") == []
    assert await questions_found(store, "我要报销") == ["发票怎么开？"]


@pytest.mark.parametrize(
    "question",
    ["Your site won't let me in, I mistyped it five times", "密码输错太多次，账号被锁了", "I got locked out"],
)
async def test_other_words_for_the_same_find_it_even_in_another_language(store: Store, question: str) -> None:
    await publish(store, "Why is my account locked?", "After five wrong attempts sign-in is blocked for one hour.")
    await publish(store, "Is gift wrapping available?", "Tick it in the basket.")
    assert await questions_found(store, question, limit=1) == ["Why is my account locked?"]


async def test_a_short_question_is_answered_although_everything_is_about_it(store: Store) -> None:
    for thing in ("pan", "tent", "sofa", "lamp", "kettle", "desk"):
        await publish(store, f"How do I return the {thing}?", "Within 30 days.")
    assert len(await questions_found(store, "returns?")) == 5


async def test_of_two_entries_that_say_the_same_the_one_in_the_language_of_the_question_comes_first(
    store: Store,
) -> None:
    await publish(store, "退款多久到账？", "三个工作日。")
    await publish(store, "When will my refund arrive?", "In three days.")
    assert await questions_found(store, "钱什么时候退给我", limit=1) == ["退款多久到账？"]
    assert await questions_found(store, "how long until I get my money back", limit=1) == [
        "When will my refund arrive?"
    ]


async def test_entries_from_before_there_were_concepts_are_indexed_again(store: Store) -> None:
    entry = await publish(store, "Why is my account locked?", "After five wrong attempts.")
    gone = await publish(store, "Why was I locked out?", "Ask us.")
    await Curation(store).retire(gone.id, by=ANN)

    async def as_before(tx: Transaction) -> None:
        words = FullText(tx.connection, "knowledge")
        await words.remove(1)
        await words.add({1: Text.of(entry.question, answer=entry.answer)})

    await store.write(as_before)
    assert await questions_found(store, "won't let me in") == []
    await store.write(lambda tx: find_again(tx.connection))
    assert await questions_found(store, "won't let me in") == [entry.question]

    async def counted(tx: Transaction) -> list[int]:
        return [row[0] for row in await tx.connection.all("SELECT texts FROM knowledge_terms WHERE term = '§locked'")]

    assert await store.read(counted) == [1]


async def test_a_language_can_be_asked_for(store: Store) -> None:
    await publish(store, "VIP 会员", "会员")
    await publish(store, "VIP members", "members")
    assert await questions_found(store, "VIP", language="en") == ["VIP members"]


async def test_the_words_that_were_found_are_marked(store: Store) -> None:
    await publish(store, "会员积分规则是什么？", "每消费 1 元得 1 积分。" + "其他说明，" * 60)
    [passage] = await search(store, "积分规则")
    assert passage.highlights[0] == "会员**积分规则**是什么？"
    assert passage.highlights[1].startswith("每消费 1 元得 1 **积分**。")
    assert passage.highlights[1].endswith("…")
    assert 0 < passage.coverage <= 1


async def test_both_databases_rank_alike(sqlite_url: str, postgres_url: str) -> None:
    found = []
    for url in (sqlite_url, postgres_url):
        async with open_store(url) as store:
            await fill(store, corpus())
            passages = [await search(store, asked.question, limit=3) for asked in questions()]
            found.append([[(each.entry.id, each.score) for each in three] for three in passages])
    alike = sum(one == other for one, other in zip(*found, strict=True))
    assert alike >= 0.95 * len(found[0]), "the same words, the same formula"


async def test_words_are_looked_up_in_an_index(store: Store, database_url: str) -> None:
    await fill(store, corpus())
    postgres = database_url.startswith("postgresql")
    if postgres:
        await store.write(lambda tx: tx.connection.run("ANALYZE"))

    async def plan(tx: Transaction) -> str:
        recorder = Recorder(tx)
        await Transaction(recorder).knowledge.find(["积分", "规则", "coupon"])
        sql, params = recorder.asked[-1]
        explain = "EXPLAIN" if postgres else "EXPLAIN QUERY PLAN"
        return "\n".join(str(row[-1]) for row in await tx.connection.all(f"{explain} {sql}", params))

    shown = await store.read(plan)
    assert "knowledge_words" in shown if postgres else "VIRTUAL TABLE INDEX" in shown
    assert "Seq Scan on knowledge_tokens" not in shown
    assert "SCAN knowledge_entries" not in shown


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=st.text(max_size=60))
async def test_no_question_can_break_the_query(store: Store, question: str) -> None:
    await search(store, question.encode(errors="replace").decode())


class Concepts(Embeddings):
    """A model that knows two meanings: money back, and all else."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0, 0.1] if "refund" in text or "cash" in text else [0.1, 1.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class Broken(Concepts):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise ConnectionError("no route to the model")


async def test_meanings_find_what_words_do_not(store: Store) -> None:
    refund = await publish(store, "When will my refund arrive?", "In three days.")
    await publish(store, "Do you ship abroad?", "Yes.")
    meanings = Meanings(store, Concepts(), name="concepts")
    assert await questions_found(store, "I want my cash") == []
    [first, *_] = await Search(store, meanings=meanings).find("I want my cash")
    assert first.entry.id == refund.id
    assert await meanings.refresh() == 0, "what is embedded is kept"

    await Curation(store).retire(refund.id, by=ANN)
    assert refund.id not in [each.entry.id for each in await Search(store, meanings=meanings).find("I want my cash")]


async def test_words_still_find_when_the_embedding_model_fails(store: Store) -> None:
    await publish(store, "When will my refund arrive?", "In three days.")
    found = await Search(store, meanings=Meanings(store, Broken(), name="broken")).find("refund arrives")
    assert [each.entry.question for each in found] == ["When will my refund arrive?"]


def test_what_stands_high_in_both_lists_comes_first() -> None:
    assert fuse([[1, 2, 3], [2, 4]]) == [2, 1, 4, 3]


async def test_a_search_by_meaning_that_is_overtaken_by_a_change_still_answers(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    refund = await publish(store, "When will my refund arrive?", "In three days.")
    await publish(store, "Do you ship abroad?", "Yes.")
    meanings = Meanings(store, Concepts(), name="concepts")
    assert len(await meanings.nearest("cash", limit=3)) == 2
    read, looked, go_on = Store.read, asyncio.Event(), asyncio.Event()

    async def held_up(of: Store, work: Any) -> Any:
        result = await read(of, work)
        if getattr(work, "__self__", None) is meanings and not looked.is_set():
            looked.set()
            await go_on.wait()
        return result

    monkeypatch.setattr(Store, "read", held_up)
    first = asyncio.create_task(meanings.nearest("cash", limit=3))
    await looked.wait()
    await Curation(store).retire(refund.id, by=ANN)
    assert len(await meanings.nearest("cash", limit=3)) == 1
    go_on.set()
    assert len(await first) == 2
