"""Details: the optional fields for people and consoles."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from handraise import HumanInTheLoopMiddleware
from handraise.core.digests import digest
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.registry import read_requests
from tests.agents.shop import APPROVE, BOTH_MODES, SYNC_AND_ASYNC, How, Mode, Shop, Talk, call, calling

REFUND = call("refund", order="A1", amount=10)
RULES: dict[str, Any] = {
    "refund": {"allowed_decisions": ["approve", "reject"], "risk": "high", "deadline": timedelta(minutes=5)}
}

both_modes = pytest.mark.parametrize("mode", BOTH_MODES)
sync_and_async = pytest.mark.parametrize("how", SYNC_AND_ASYNC)


def action_of(talk: Talk) -> dict[str, Any]:
    value = talk.pending[0].value
    action: dict[str, Any] = value["action_requests"][0] if "action_requests" in value else value
    return action


@both_modes
@sync_and_async
def test_a_request_says_all_that_a_console_needs(mode: Mode, how: How) -> None:
    gate = HumanInTheLoopMiddleware(RULES, interrupt_mode=mode, details=True)
    talk = Talk(Shop().agent(calling(REFUND), middleware=[gate], name="support"), how)
    talk.say("Hello")

    action = action_of(talk)
    assert action["tool_call_id"] == "call-1"
    assert action["digest"] == digest("refund", REFUND["args"])
    assert set(action["args_schema"]["properties"]) == {"order", "amount"}
    assert action["risk"] == "high"
    assert datetime.fromisoformat(action["deadline"]) > datetime.now(UTC)
    assert action["lineage"] == ["support"]


@both_modes
def test_a_deadline_does_not_move_when_the_run_is_tried_again(mode: Mode) -> None:
    gate = HumanInTheLoopMiddleware(RULES, interrupt_mode=mode, details=True)
    talk = Talk(Shop().agent(calling(REFUND), middleware=[gate]))
    talk.say("Hello")
    before = action_of(talk)
    RULES["refund"]["deadline"] = timedelta(hours=5)

    talk.run(None)

    assert action_of(talk) == before
    talk.answer(APPROVE)


@both_modes
@sync_and_async
def test_the_lineage_names_the_sub_agent_that_asks(mode: Mode, how: How) -> None:
    gate = HumanInTheLoopMiddleware(RULES, interrupt_mode=mode, details=True)
    helper = Shop().agent(calling(REFUND), middleware=[gate], name="refunds", checkpointer=None)

    def delegate(task: str) -> str:
        """Let another agent do it."""
        return str(helper.invoke({"messages": [{"role": "user", "content": task}]})["messages"][-1].text)

    agent = Shop().agent(calling(call("delegate", id="call-9", task="Refund A1")), tools=[delegate], name="support")
    talk = Talk(agent, how)
    talk.say("Hello")

    assert action_of(talk)["lineage"] == ["tools", "refunds"]


@both_modes
def test_the_dialects_read_a_request_with_details(mode: Mode) -> None:
    gate = HumanInTheLoopMiddleware(RULES, interrupt_mode=mode, details=True)
    talk = Talk(Shop().agent(calling(REFUND), middleware=[gate]))
    talk.say("Hello")
    [pending] = talk.pending

    asked = PauseContext(session_id="s-1", run_id="r-1", at=datetime.now(UTC))
    [request] = read_requests(RawInterrupt(id=pending.id, value=pending.value), asked=asked)

    assert (request.tool, request.tool_call_id) == ("refund", "call-1")
    assert request.digest == action_of(talk)["digest"]
