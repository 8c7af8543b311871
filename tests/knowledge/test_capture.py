"""Capture in both databases: every answer to a gap becomes one draft, whatever happens in between."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from handraise.core.decisions import Respond
from handraise.core.knowledge import MAX_ANSWER
from handraise.knowledge.capture import Capture, CaptureMode
from handraise.knowledge.curation import Curation
from handraise.store.opening import open_store
from handraise.store.store import Store
from tests.knowledge.samples import POINTS, POINTS_ANSWER, a_gap, answer, ask, decide, entries, events_of, publish
from tests.patience import PATIENCE
from tests.prepared import run_prepared
from tests.store.samples import ANN, BEN

ROOT = Path(__file__).parents[2]


async def capture(store: Store, mode: CaptureMode = "draft") -> None:
    await Capture(store, mode=mode).catch_up()


async def test_an_answer_to_a_gap_becomes_a_draft_with_its_source(store: Store) -> None:
    await ask(store, a_gap())
    await answer(store, "r1", POINTS_ANSWER, by=BEN)
    await capture(store)
    [entry] = await entries(store)
    assert (entry.question, entry.answer, entry.status) == (POINTS, POINTS_ANSWER, "draft")
    assert (entry.request_id, entry.created_by, entry.source) == ("r1", BEN, "answered by operator ben")
    assert entry.language == "zh"
    [*_, noted] = await events_of(store, "s1")
    assert (noted.fact.name, noted.actor) == ("entry.drafted", BEN)


async def test_a_setting_publishes_at_once(store: Store) -> None:
    await ask(store, a_gap())
    await answer(store, "r1", POINTS_ANSWER)
    await capture(store, "publish")
    [entry] = await entries(store)
    assert (entry.status, entry.version) == ("published", 2)
    names = [event.fact.name for event in await events_of(store, "s1")]
    assert names[-2:] == ["entry.drafted", "entry.published"]


async def test_capture_can_be_switched_off(store: Store) -> None:
    await ask(store, a_gap())
    await answer(store, "r1", POINTS_ANSWER)
    await capture(store, "off")
    assert await entries(store) == []


@pytest.mark.parametrize("kind", ["information_query", "decision_required", "risk_confirmation"])
async def test_answers_to_other_questions_are_about_one_customer_and_not_captured(store: Store, kind: str) -> None:
    await ask(store, a_gap(question_type=kind))
    await answer(store, "r1", "该订单已于 2025-12-20 发货")
    await capture(store)
    assert await entries(store) == []


async def test_a_chosen_option_is_captured_by_its_words(store: Store) -> None:
    await ask(store, a_gap(options=[{"id": "A", "label": "积分两年有效"}, {"id": "B", "label": "积分不过期"}]))
    await decide(store)("r1", Respond(selected_option="B"), by=ANN)
    await capture(store)
    assert [entry.answer for entry in await entries(store)] == ["积分不过期"]


async def test_the_same_answer_again_is_not_created_twice(store: Store) -> None:
    known = await publish(store, "会员积分规则", POINTS_ANSWER)
    await ask(store, a_gap())
    await answer(store, "r1", POINTS_ANSWER + "。")
    await capture(store, "publish")
    assert await entries(store) == [known]


async def test_another_answer_to_a_known_question_waits_beside_the_published_one(store: Store) -> None:
    known = await publish(store, POINTS, "旧规则：没有积分")
    await ask(store, a_gap())
    await answer(store, "r1", POINTS_ANSWER)
    await capture(store, "publish")
    [draft, published] = await entries(store)
    assert published == known
    assert (draft.status, draft.similar_to) == ("draft", known.id)
    kept = await Curation(store).merge(draft.id, known.id, by=ANN, take_answer=True)
    assert (kept.answer, kept.status) == (POINTS_ANSWER, "published")


async def test_one_answer_to_many_customers_makes_one_draft(store: Store) -> None:
    await ask(store, *(a_gap(f"r{at}", session_id=f"s{at}") for at in range(4)))
    for at in range(4):
        await answer(store, f"r{at}", POINTS_ANSWER)
    await capture(store)
    assert len(await entries(store)) == 1


async def test_an_answer_that_cannot_be_kept_does_not_stop_the_next(store: Store) -> None:
    await ask(store, a_gap("r1"), a_gap("r2", "怎么开发票？", session_id="s2"))
    await answer(store, "r1", "长" * (MAX_ANSWER + 1))
    await answer(store, "r2", "在订单页。")
    await capture(store)
    assert [entry.question for entry in await entries(store)] == ["怎么开发票？"]


async def test_a_question_with_a_large_number_does_not_stop_the_next(store: Store) -> None:
    large = a_gap("r1", question_type="information_query", context={"order": 2**63})
    await ask(store, large, a_gap("r2", session_id="s2"))
    await answer(store, "r2", POINTS_ANSWER)
    await capture(store)
    assert len(await entries(store)) == 1


async def test_any_number_of_processes_capture_once(store: Store, database_url: str) -> None:
    async with open_store(database_url) as second:
        captures = [Capture(store), Capture(second), Capture(store)]
        for at in range(6):
            await ask(store, a_gap(f"r{at}", f"第 {at}00 号商品怎么退货？", session_id=f"s{at}"))
            await answer(store, f"r{at}", f"答案 {at}")
            await asyncio.gather(*(each.catch_up() for each in captures))
    found = await entries(store)
    assert sorted(entry.answer for entry in found) == [f"答案 {at}" for at in range(6)]


async def test_it_follows_the_log_while_it_is_entered(store: Store) -> None:
    async with Capture(store):
        await ask(store, a_gap())
        await answer(store, "r1", POINTS_ANSWER)
        with store.watch("events") as watch:
            while not await entries(store):
                assert await watch.wait(at_most=PATIENCE)


DIE = """
import asyncio, os, signal, sys
from handraise.knowledge import capture
from handraise.store.opening import open_store
from handraise.store.tables.cursors import Cursors
from tests.knowledge.samples import POINTS_ANSWER, a_gap, answer, ask

where = sys.argv[2]

async def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

async def since_the_start(tx):
    return 0, await tx.events.since(0)

async def main():
    async with open_store(sys.argv[1]) as store:
        await ask(store, a_gap())
        await answer(store, "r1", POINTS_ANSWER)
        if where == "before":
            await die()
        if where in ("within", "apart"):
            capture.record_fact = die
        if where == "apart":
            move = Cursors.move

            async def move_first(self, name, *, was, to):
                return True

            await store.write(lambda tx: move(tx.cursors, capture.CURSOR, was=0, to=2))
            Cursors.move = move_first
            capture.Capture._unread = lambda self, tx: since_the_start(tx)
        await capture.Capture(store).catch_up()
        await die()

asyncio.run(main())
"""


def kill_at(where: str, folder: Path, *, database_url: str) -> None:
    script = folder / "die.py"
    script.write_text(DIE, encoding="utf-8")
    child = run_prepared(script, database_url, where, cwd=folder, environment={**os.environ, "PYTHONPATH": str(ROOT)})
    assert child.returncode == -signal.SIGKILL, child.stderr


@pytest.mark.parametrize("where", ["before", "within", "after"])
async def test_a_killed_process_loses_no_answer_and_captures_none_twice(
    database_url: str, where: str, tmp_path: Path
) -> None:
    kill_at(where, tmp_path, database_url=database_url)
    async with open_store(database_url) as store:
        before = await entries(store)
        assert len(before) == (1 if where == "after" else 0)
        for _ in range(2):
            await capture(store)
        [entry] = await entries(store)
        assert entry.answer == POINTS_ANSWER
        names = [event.fact.name for event in await events_of(store, "s1")]
        assert names.count("entry.drafted") == 1


async def test_a_cursor_that_moves_in_a_transaction_of_its_own_would_lose_the_answer(
    database_url: str, tmp_path: Path
) -> None:
    """The control: this is what the one transaction is for."""
    kill_at("apart", tmp_path, database_url=database_url)
    async with open_store(database_url) as store:
        await capture(store)
        assert await entries(store) == []
