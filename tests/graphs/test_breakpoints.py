"""Static breakpoints: what a person decided of each call is what happens to that call, whatever ids a model wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from handraise.core.actors import Actor
from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.dialects.dialect import PauseContext
from handraise.dialects.registry import read_requests, write_resume
from handraise.graphs.breakpoints import stopped_before_tools, update_for
from tests.agents.shop import SYNC_AND_ASYNC, How, Shop, Talk, call, calling, finish

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NO = Reject(reason="no way")


def decide(talk: Talk, *decisions: Approve | Edit | Reject | Respond) -> None:
    """Decide the calls that the agent stopped before, in their order, and let it go on."""
    stop = stopped_before_tools(talk.snapshot)
    assert stop is not None
    requests = read_requests(stop, asked=PauseContext(session_id="s-1", run_id="r-1", at=NOW))
    closed = [
        request.decide(decision, by=Actor(kind="operator", channel="test"), at=NOW)
        for request, decision in zip(requests, decisions, strict=True)
    ]
    if update := update_for(talk.snapshot, write_resume(closed)):
        values = {"messages": update.messages}
        if talk.how == "ainvoke":
            finish(talk.agent.aupdate_state(talk.config, values, update.as_node))
        else:
            talk.agent.update_state(talk.config, values, update.as_node)
    talk.run(None)


def stopped(how: How, shop: Shop, *calls: Any) -> Talk:
    talk = Talk(shop.agent(calling(*calls), interrupt_before=["tools"]), how)
    talk.say("Go")
    return talk


def every_call_has_one_result(talk: Talk) -> bool:
    calls = [
        str(one["id"]) for message in talk.messages if isinstance(message, AIMessage) for one in message.tool_calls
    ]
    return sorted(calls) == sorted(result.tool_call_id for result in talk.results) and len(set(calls)) == len(calls)


@pytest.mark.parametrize("how", SYNC_AND_ASYNC)
@pytest.mark.parametrize("id", ["call-1", None], ids=["one id for both", "no ids"])
def test_a_rejected_call_does_not_run_under_the_id_of_an_approved_one(how: How, id: str | None) -> None:
    shop = Shop()
    talk = stopped(how, shop, call("look_up", id=id, order="A1"), call("delete_order", id=id, order="A1"))

    decide(talk, Approve(), NO)

    assert shop.did == [("look_up", "A1")]
    assert "no way" in [result.text for result in talk.results]
    assert every_call_has_one_result(talk)


@pytest.mark.parametrize("how", SYNC_AND_ASYNC)
@pytest.mark.parametrize("id", ["call-1", None], ids=["one id for both", "no ids"])
def test_two_calls_of_one_tool_under_one_id_are_decided_apart(how: How, id: str | None) -> None:
    small, large = (call("refund", id=id, order="A1", amount=amount) for amount in (1, 1_000_000))
    for decisions, ran in (
        ((Approve(), NO), [1]),
        ((NO, Edit(args={"order": "A1", "amount": 2})), [2]),
        ((Approve(), Approve()), [1, 1_000_000]),
        ((NO, Respond(text="done by hand")), []),
    ):
        shop = Shop()
        talk = stopped(how, shop, small, large)

        decide(talk, *decisions)

        assert sorted(amount for _, _, amount in shop.did) == ran
        assert every_call_has_one_result(talk)
        assert talk.messages[-1].text == "Done."


@pytest.mark.parametrize("how", SYNC_AND_ASYNC)
def test_an_approved_call_without_an_id_runs(how: How) -> None:
    shop = Shop()
    talk = stopped(how, shop, call("look_up", id=None, order="A1"))

    decide(talk, Approve())

    assert shop.did == [("look_up", "A1")]
    assert [result.text for result in talk.results] == ["A1 is shipped"]


def test_a_stop_that_is_read_twice_asks_about_the_same_calls() -> None:
    talk = stopped("invoke", Shop(), *[call("look_up", order=order) for order in ("A1", "B2", "C3")])

    first, second = stopped_before_tools(talk.snapshot), stopped_before_tools(talk.snapshot)

    assert first == second
    assert first is not None
    ids = [one["id"] for one in first.value["tool_calls"]]
    assert ids[0] == "call-1"
    assert len(set(ids)) == 3
