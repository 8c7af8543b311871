"""Answer once, in both databases: past answers are offered, and one answer serves all who ask the same."""

from __future__ import annotations

from typing import Any

import pytest

from handraise.core.actors import CLOCK
from handraise.core.decisions import Respond
from handraise.core.errors import AlreadySettled, DecisionNotAllowed, InvalidInput, NotFound
from handraise.core.log.facts import RequestExpired
from handraise.knowledge.answers import Similar, decide_for_all, similar_to
from handraise.knowledge.capture import Capture
from handraise.knowledge.questions import key_of
from handraise.store.store import Store, Transaction
from tests.knowledge.samples import POINTS, POINTS_ANSWER, a_gap, answer, ask, decide, events_of, publish
from tests.store.samples import ANN, BEN, a_request, get_request

SHIP = "请查询订单 #12345 的发货时间"


async def similar(store: Store, request_id: str) -> Similar:
    await Capture(store, mode="off").catch_up()
    return await similar_to(store, request_id)


async def test_past_answers_to_the_same_question_are_offered(store: Store) -> None:
    await ask(store, a_gap("r1"), a_gap("r2", "会员积分规则有哪些", session_id="s2"), a_gap("r3", session_id="s3"))
    await answer(store, "r1", POINTS_ANSWER, by=BEN)
    await answer(store, "r2", "积分暂停使用")
    found = (await similar(store, "r3")).past_answers
    assert [(past.request_id, past.answer) for past in found] == [("r1", POINTS_ANSWER), ("r2", "积分暂停使用")]
    assert found[0].likeness == 1 > found[1].likeness
    assert (found[0].question, found[0].decided_by) == (POINTS, BEN)


async def test_the_same_answer_is_offered_once_and_other_questions_answers_are_not(store: Store) -> None:
    await ask(store, *(a_gap(f"r{at}", session_id=f"s{at}") for at in range(3)))
    await ask(store, a_gap("other", "怎么开发票？", session_id="s8"), a_gap("r9", session_id="s9"))
    for at in range(3):
        await answer(store, f"r{at}", POINTS_ANSWER)
    await answer(store, "other", "在订单页")
    [past] = (await similar(store, "r9")).past_answers
    assert past.answer == POINTS_ANSWER


async def test_what_was_answered_about_one_customer_is_not_offered_for_another(store: Store) -> None:
    asked: dict[str, Any] = {"question_type": "information_query", "question": "请查询该用户的余额"}
    for at, customer in enumerate(("张三", "李四", "张三")):
        told = {"user_question": "我的余额是多少", "relevant_info": customer}
        await ask(store, a_gap(f"r{at}", session_id=f"s{at}", **{**asked, "context": told}))
    await answer(store, "r0", "100 元")
    assert (await similar(store, "r1")).past_answers == []
    assert [past.answer for past in (await similar(store, "r2")).past_answers] == ["100 元"]


async def test_entries_about_the_question_are_shown_beside_past_answers(store: Store) -> None:
    entry = await publish(store, "会员积分", POINTS_ANSWER)
    await ask(store, a_gap())
    assert [passage.entry for passage in (await similar(store, "r1")).passages] == [entry]


async def test_an_approval_has_no_past_answers(store: Store) -> None:
    await ask(store, a_request())
    assert await similar(store, "r1") == Similar(past_answers=[], open_requests=[], passages=[])


async def test_open_questions_that_ask_the_same_are_grouped(store: Store) -> None:
    await ask(store, *(a_gap(f"r{at}", session_id=f"s{at}") for at in range(3)), a_gap("r8", "别的？", session_id="s8"))
    assert [each.id for each in (await similar(store, "r1")).open_requests] == ["r0", "r2"]
    await answer(store, "r0", POINTS_ANSWER)
    await expire(store, "r2")
    after = await similar(store, "r1")
    assert after.open_requests == []
    assert [past.request_id for past in after.past_answers] == ["r0"], "a question that expired has no answer"


@pytest.mark.parametrize(
    "changes",
    [
        {"question": "请查询订单 #12346 的发货时间"},
        {"context": {"relevant_info": "订单 #9"}},
        {"question_type": "decision_required"},
        {"options": [{"id": "A", "label": "是"}]},
    ],
)
def test_what_may_be_about_another_customer_is_not_the_same_question(changes: dict[str, Any]) -> None:
    one = a_gap(question_type="information_query", question=SHIP, context={})
    assert key_of(one) != key_of(one.model_validate({**one.model_dump(), **changes}))


def test_the_same_question_in_other_widths_cases_and_sessions_is_the_same() -> None:
    assert key_of(a_gap("r1", "How do points work?")) == key_of(a_gap("r2", "ｈｏｗ do points WORK ?", session_id="s2"))


async def test_one_answer_serves_all_and_each_is_decided_by_itself(store: Store) -> None:
    await ask(store, *(a_gap(f"r{at}", session_id=f"s{at}") for at in range(4)))
    await Capture(store).catch_up()
    served = await decide_for_all(store, decide(store), "r1", Respond(text=POINTS_ANSWER), by=BEN)
    assert [each.request_id for each in served] == ["r1", "r0", "r2", "r3"]
    for at in range(4):
        request = await get_request(store, f"r{at}")
        assert (request.status, request.decided_by, request.decision) == ("decided", BEN, Respond(text=POINTS_ANSWER))
        assert [event.fact.name for event in await events_of(store, f"s{at}")].count("request.decided") == 1


async def test_only_those_that_were_on_the_screen_are_served(store: Store) -> None:
    await ask(store, *(a_gap(f"r{at}", session_id=f"s{at}") for at in range(3)))
    await Capture(store).catch_up()
    served = await decide_for_all(
        store, decide(store), "r0", Respond(text=POINTS_ANSWER), by=BEN, request_ids=["r0", "r2"]
    )
    assert [each.request_id for each in served] == ["r0", "r2"]
    assert (await get_request(store, "r1")).status == "open"


async def test_a_stranger_among_the_named_requests_is_refused_and_nothing_is_decided(store: Store) -> None:
    await ask(store, a_gap("r0", session_id="s0"), a_gap("r1", "别的？"))
    await Capture(store).catch_up()
    with pytest.raises(InvalidInput, match="r1 is not open, or does not ask the same as r0"):
        await decide_for_all(store, decide(store), "r0", Respond(text="x"), by=BEN, request_ids=["r0", "r1"])
    assert (await get_request(store, "r0")).status == "open"


async def test_whoever_was_quicker_with_one_keeps_it_and_the_rest_are_served(store: Store) -> None:
    await ask(store, *(a_gap(f"r{at}", session_id=f"s{at}") for at in range(3)))
    await Capture(store).catch_up()
    closing = decide(store)

    async def slow(request_id: str, decision: Respond, *, by: Any) -> Any:
        if request_id == "r1":
            await answer(store, "r1", "Ann was first", by=ANN)
        return await closing(request_id, decision, by=by)

    served = await decide_for_all(store, slow, "r0", Respond(text=POINTS_ANSWER), by=BEN)
    assert [(each.request_id, each.code) for each in served] == [("r0", ""), ("r1", "already_settled"), ("r2", "")]
    assert (await get_request(store, "r1")).decided_by == ANN


async def test_if_the_first_cannot_be_decided_nothing_is(store: Store) -> None:
    await ask(store, *(a_gap(f"r{at}", session_id=f"s{at}") for at in range(2)))
    await answer(store, "r0", "done")
    await Capture(store).catch_up()
    with pytest.raises(AlreadySettled):
        await decide_for_all(store, decide(store), "r0", Respond(text="x"), by=BEN)
    assert (await get_request(store, "r1")).status == "open"
    with pytest.raises(NotFound):
        await decide_for_all(store, decide(store), "r9", Respond(text="x"), by=BEN)
    await ask(store, a_request("r5", session_id="s5"))
    with pytest.raises(DecisionNotAllowed):
        await decide_for_all(store, decide(store), "r5", Respond(text="x"), by=BEN)


async def expire(store: Store, request_id: str) -> None:
    async def work(tx: Transaction) -> None:
        expired = (await tx.requests.get(request_id)).expire(at=await tx.now())
        await tx.requests.close(expired)
        tx.events.append(expired.session_id, RequestExpired(request=expired), by=CLOCK)

    await store.write(work)
