"""What we have LangChain's own gate say and do for ours."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangChainGate
from langchain.agents.middleware.human_in_the_loop import Action
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import TypeAdapter, ValidationError

from handraise.agents.upstream.gate import (
    EDIT_NOTICE,
    EDITS_KEY,
    EditsState,
    LangChainWording,
    decision_type,
    why_not_allowed,
)
from tests.agents.shop import Shop, Talk, calling, edit

CALL = ToolCall(name="refund", args={"order": "A1"}, id="call-1", type="tool_call")
ALL: dict[str, Any] = {"allowed_decisions": ["approve", "edit", "reject", "respond"]}
STATE: Any = {"messages": [HumanMessage("Hello"), AIMessage("", tool_calls=[CALL])]}


def wording(**settings: Any) -> LangChainWording:
    return LangChainWording(LangChainGate({"refund": True}, **settings))


def request() -> ToolCallRequest:
    runtime: Any = None
    return ToolCallRequest(tool_call=CALL, tool=None, state=STATE, runtime=runtime)


def test_a_gate_is_named_for_its_class() -> None:
    assert wording().gate_name == "HumanInTheLoopMiddleware", "LangChain names gates otherwise: paused threads are lost"


def test_edits_are_kept_under_the_key_that_langchain_reads() -> None:
    talk = Talk(Shop().agent(calling(CALL), middleware=[LangChainGate({"refund": True})]))
    talk.say("Refund A1")
    edited = edit("refund", order="A2", amount=1)
    talk.answer(edited)

    assert EDITS_KEY in LangChainGate.state_schema.__annotations__, "edits are kept elsewhere: both gates lose them"
    assert EDITS_KEY in EditsState.__annotations__
    assert talk.snapshot.values[EDITS_KEY] == {"call-1": edited["edited_action"]}, "edits have another shape"


@pytest.mark.parametrize("wanted", [True, False])
def test_when_is_asked_with_the_call_and_the_state(wanted: bool) -> None:
    asked: list[ToolCallRequest] = []

    def when(request: ToolCallRequest) -> bool:
        asked.append(request)
        return wanted

    answer = wording().wants_review(CALL, {**ALL, "when": when}, STATE, Runtime())

    assert answer is wanted, "LangChain answers for `when` itself: rulings change"
    assert (asked[0].tool_call, asked[0].state) == (CALL, STATE), "`when` no longer gets the call and the state"


def test_a_call_without_when_is_reviewed() -> None:
    assert wording().wants_review(CALL, ALL, STATE, Runtime()) is True, "gated calls would run without review"


def test_a_batched_question_shows_the_call_and_its_decisions() -> None:
    action, config = wording(description_prefix="Look:").shown_in_batch(CALL, ALL, STATE, Runtime())

    assert {**action} == {
        "name": "refund",
        "args": {"order": "A1"},
        "description": "Look:\n\nTool: refund\nArgs: {'order': 'A1'}",
    }, "payloads have another shape: clients and our dialect cannot read them"
    assert {**config} == {"action_name": "refund", "allowed_decisions": ALL["allowed_decisions"]}


def test_a_question_about_one_call_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("langchain.agents.middleware.human_in_the_loop.get_runtime", Runtime)

    shown = wording(description_prefix="Look:").shown_alone(request(), ALL)

    assert shown == {
        "type": "tool_approval",
        "tool_call_id": "call-1",
        "name": "refund",
        "args": {"order": "A1"},
        "description": "Look:\n\nTool: refund\nArgs: {'order': 'A1'}",
    }, "payloads have another shape: clients and our dialect cannot read them"


@pytest.mark.parametrize(
    ("decision", "status", "said"),
    [
        ({"type": "reject", "message": "Too much."}, "error", "Too much."),
        ({"type": "reject"}, "error", "Do not retry"),
        ({"type": "respond", "message": "Paid."}, "success", "Paid."),
    ],
)
def test_a_decision_not_to_run_a_call_becomes_its_result(decision: dict[str, Any], status: str, said: str) -> None:
    message = wording().in_place_of_result(decision, CALL, ALL)

    assert (message.tool_call_id, message.name, message.status) == ("call-1", "refund", status)
    assert said in message.text, "the model is not told what the person said"


def test_a_decision_that_is_not_allowed_is_refused_in_langchains_words() -> None:
    config = {"allowed_decisions": ["approve"]}

    refused = why_not_allowed({"type": "reject"}, CALL, config)

    assert refused is not None
    assert "'reject' is not allowed for tool 'refund'" in refused, "clients read another refusal"
    assert why_not_allowed({"type": "approve"}, CALL, config) is None


def test_an_edit_changes_the_arguments_and_keeps_the_id() -> None:
    edited = wording().edited(request(), Action(name="refund", args={"order": "A2"}))

    assert edited.tool_call == {**CALL, "args": {"order": "A2"}}, "an edited call is not what the person wrote"


@pytest.mark.parametrize("wrapped", [False, True], ids=["message", "command"])
def test_the_model_is_told_of_an_edit(wrapped: bool) -> None:
    message = ToolMessage("Done.", tool_call_id="call-1")
    result: Any = Command(update={"messages": [message]}) if wrapped else message
    edit = Action(name="refund", args={"order": "A2"})

    noticed: Any = wording().with_notice(result, request(), edit)

    [told] = noticed.update["messages"] if wrapped else [noticed]
    assert told.text.startswith(EDIT_NOTICE), "the model takes the edited call for its own"
    assert told.text.endswith("Done.")
    assert wording().with_notice(result, request(), None) is result
    assert wording(edit_notice=None).with_notice(result, request(), edit) is result


def test_the_type_of_a_decision_reads_what_is_allowed_and_nothing_else() -> None:
    read = TypeAdapter(decision_type(("approve", "edit"), "refund", None)).validate_python

    edited = edit("refund", order="A2")
    assert read({"type": "approve"}) == {"type": "approve"}
    assert read(edited) == edited, "an edit is not passed on as it was sent"
    for bad in ({"type": "reject"}, edit("wire", order="A2")):
        with pytest.raises(ValidationError):
            read(bad)
