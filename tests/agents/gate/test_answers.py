"""Answers: arguments that fit the tool, answers that name their call, and what a refused answer leaves behind."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from langchain_core.tools import StructuredTool, tool
from langgraph.checkpoint.sqlite import SqliteSaver
from pydantic import AfterValidator, BaseModel, PlainSerializer, SecretStr

from handraise import HumanInTheLoopMiddleware
from handraise.agents.gate.arguments import fit
from handraise.core.digests import digest
from tests.agents.shop import (
    APPROVE,
    BOTH_GATES,
    BOTH_MODES,
    REJECT,
    SYNC_AND_ASYNC,
    Gate,
    How,
    Mode,
    Shop,
    Talk,
    call,
    calling,
    edit,
)
from tests.prepared import run_prepared

REFUND = call("refund", order="A1", amount=10)
OTHER = call("refund", id="call-2", order="B2", amount=20)

both_modes = pytest.mark.parametrize("mode", BOTH_MODES)
sync_and_async = pytest.mark.parametrize("how", SYNC_AND_ASYNC)


def paused(*calls: Any, mode: Mode, how: How = "invoke", tools: Any = None, **settings: Any) -> tuple[Talk, Shop]:
    shop = Shop()
    gate = HumanInTheLoopMiddleware({"refund": True}, interrupt_mode=mode, **settings)
    talk = Talk(shop.agent(calling(*calls), tools=tools or shop.tools, middleware=[gate]), how)
    talk.say("Hello")
    return talk, shop


@both_modes
@sync_and_async
def test_a_number_typed_as_text_becomes_a_number(mode: Mode, how: How) -> None:
    talk, shop = paused(REFUND, mode=mode, how=how)

    talk.answer(edit("refund", order="A1", amount="10"))

    assert shop.did == [("refund", "A1", 10.0)]
    assert isinstance(shop.did[0][2], float)


@both_modes
@sync_and_async
@pytest.mark.parametrize("gate", BOTH_GATES)
def test_an_edit_reaches_the_tool_as_it_was_sent_beside_the_number_that_was_corrected(
    gate: Gate, mode: Mode, how: How
) -> None:
    got: list[Any] = []

    @tool
    def refund(
        password: SecretStr,
        account: Annotated[str, PlainSerializer(lambda number: number[-2:])],
        until: datetime,
        amount: Decimal,
        tries: int,
    ) -> str:
        """Refund through the bank."""
        got.append((password.get_secret_value(), account, until.isoformat(), amount, tries))
        return "refunded"

    sent: dict[str, Any] = {
        "password": "hunter2",
        "account": "DE-12-42",
        "until": "2026-01-01T00:00:00+08:00",
        "amount": "10.50",
        "tries": "2",
    }
    middleware = [gate({"refund": True}, interrupt_mode=mode)]
    reply = calling(call("refund", **{**sent, "tries": 1}))
    talk = Talk(Shop().agent(reply, tools=[refund], middleware=middleware), how)
    talk.say("Hello")

    talk.answer(edit("refund", **sent))

    assert got == [("hunter2", "DE-12-42", "2026-01-01T00:00:00+08:00", Decimal("10.50"), 2)]


class Line(BaseModel):
    count: int
    unit: Literal["piece", "box"] = "piece"


class Order(BaseModel):
    lines: list[Line]
    express: bool = False
    discount: int | float | None = None
    pin: SecretStr = SecretStr("")
    half: Annotated[int, AfterValidator(lambda number: number // 2)] = 0
    by_name: dict[str, int] = {}


@pytest.mark.parametrize(
    ("sent", "corrected"),
    [
        ({"lines": [{"count": "2"}, {"count": 3}]}, {"lines": [{"count": 2}, {"count": 3}]}),
        ({"lines": [], "express": "true"}, {"lines": [], "express": True}),
        ({"lines": [], "discount": "1.5", "pin": "1234"}, {"lines": [], "discount": 1.5, "pin": "1234"}),
        ({"lines": [], "by_name": {"a": "1", "b": 2}}, {"lines": [], "by_name": {"a": 1, "b": 2}}),
        ({"lines": [], "half": "8"}, {"lines": [], "half": "8"}),
        ({"lines": [], "note": "x", "express": 1}, {"lines": [], "note": "x", "express": True}),
    ],
    ids=["inside", "yes or no", "either kind", "by name", "a validator's own reading", "beside what no schema names"],
)
def test_only_the_value_that_did_not_fit_is_corrected(sent: dict[str, Any], corrected: dict[str, Any]) -> None:
    assert fit(sent, Order) == corrected


@both_modes
@sync_and_async
@pytest.mark.parametrize(
    ("args", "words"),
    [({"order": "A1", "amount": "a lot"}, "amount"), ({"order": "A1"}, "amount"), ({"order": 5, "amount": 1}, "order")],
)
def test_arguments_that_do_not_fit_are_refused_and_can_be_corrected(
    args: dict[str, Any], words: str, mode: Mode, how: How
) -> None:
    talk, shop = paused(REFUND, mode=mode, how=how)

    with pytest.raises(ValueError, match=words):
        talk.answer(edit("refund", **args))
    assert talk.pending
    talk.answer(edit("refund", order="A1", amount=5))

    assert shop.did == [("refund", "A1", 5)]


@both_modes
def test_a_tool_with_a_json_schema_is_checked_as_well(mode: Mode) -> None:
    did: list[Any] = []

    def refund(**args: Any) -> str:
        did.append(args)
        return "refunded"

    schema = {
        "type": "object",
        "properties": {"order": {"type": "string"}, "amount": {"type": "integer", "maximum": 100}},
        "required": ["order", "amount"],
    }
    tool = StructuredTool(name="refund", description="Refund.", args_schema=schema, func=refund)
    talk, _ = paused(REFUND, mode=mode, tools=[tool])

    for wrong in ({"order": "A1"}, {"order": "A1", "amount": "ten"}, {"order": "A1", "amount": 101}):
        with pytest.raises(ValueError, match="do not fit the tool: amount"):
            talk.answer(edit("refund", **wrong))
    talk.answer(edit("refund", order="A1", amount="7"))

    assert did == [{"order": "A1", "amount": 7}]


@both_modes
def test_arguments_may_be_called_arguments(mode: Mode) -> None:
    talk, shop = paused(REFUND, mode=mode)

    talk.answer({"type": "edit", "edited_action": {"name": "refund", "arguments": {"order": "A1", "amount": 5}}})

    assert shop.did == [("refund", "A1", 5)]


@pytest.mark.parametrize("name", ["tool_call_id", "digest"])
@sync_and_async
def test_answers_that_name_their_calls_may_come_in_any_order(name: str, how: How) -> None:
    talk, shop = paused(REFUND, OTHER, mode="batched", how=how)
    names = {
        "tool_call_id": ["call-1", "call-2"],
        "digest": [digest("refund", REFUND["args"]), digest("refund", OTHER["args"])],
    }[name]

    talk.resume({"decisions": [{**REJECT, name: names[1]}, {**APPROVE, name: names[0]}]})

    assert shop.did == [("refund", "A1", 10)]


@both_modes
@sync_and_async
def test_an_answer_for_another_version_of_the_call_is_refused(mode: Mode, how: How) -> None:
    talk, shop = paused(REFUND, mode=mode, how=how)

    with pytest.raises(ValueError, match="has changed: read the request again"):
        talk.answer({**APPROVE, "digest": digest("refund", {"order": "A1", "amount": 9})})
    assert shop.did == []
    talk.answer({**APPROVE, "digest": digest("refund", REFUND["args"])})

    assert shop.did == [("refund", "A1", 10)]


@both_modes
def test_a_gate_may_insist_that_answers_name_their_calls(mode: Mode) -> None:
    talk, shop = paused(REFUND, mode=mode, require_named=True)

    with pytest.raises(ValueError, match="does not name its call"):
        talk.answer(APPROVE)
    talk.answer({**APPROVE, "tool_call_id": "call-1"})

    assert shop.did == [("refund", "A1", 10)]


def test_naming_only_some_of_the_calls_is_refused() -> None:
    talk, _ = paused(REFUND, OTHER, mode="batched")

    with pytest.raises(ValueError, match="1 of 2 decisions name their call"):
        talk.resume({"decisions": [{**APPROVE, "tool_call_id": "call-2"}, REJECT]})


@both_modes
def test_an_answer_to_two_calls_is_taken_in_parts_or_not_at_all(mode: Mode) -> None:
    talk, shop = paused(REFUND, OTHER, mode=mode)

    with pytest.raises(ValueError, match="amount"):
        talk.answer(edit("refund", order="A1", amount="a lot"), REJECT)
    talk.answer(*([APPROVE, REJECT] if len(talk.pending) > 1 or mode == "batched" else [APPROVE]))

    assert shop.did == [("refund", "A1", 10)]


AGENT_IN_ANOTHER_PROCESS = """
import sqlite3, sys
from langgraph.checkpoint.sqlite import SqliteSaver
from handraise import HumanInTheLoopMiddleware
from tests.agents.shop import Shop, Talk, call, calling

saver = SqliteSaver(sqlite3.connect(sys.argv[1], check_same_thread=False))
gate = HumanInTheLoopMiddleware({"refund": True}, interrupt_mode=sys.argv[2])
reply = calling(call("refund", order="A1", amount=10))
Talk(Shop().agent(reply, middleware=[gate], checkpointer=saver)).say("Hello")
"""


@both_modes
@pytest.mark.real
def test_a_process_that_has_not_met_the_tools_checks_arguments_too(mode: Mode, tmp_path: Path) -> None:
    database, agent = tmp_path / "sessions.db", tmp_path / "agent.py"
    root = Path(__file__).parents[3]
    agent.write_text(AGENT_IN_ANOTHER_PROCESS, encoding="utf-8")
    paths = {"PYTHONPATH": f"{root / 'src'}:{root}"}
    run_prepared(agent, str(database), mode, cwd=root, environment=paths).check_returncode()
    shop = Shop()
    saver = SqliteSaver(sqlite3.connect(database, check_same_thread=False))
    gate = HumanInTheLoopMiddleware({"refund": True}, interrupt_mode=mode)
    talk = Talk(shop.agent(calling(REFUND), middleware=[gate], checkpointer=saver))

    with pytest.raises(ValueError, match="amount"):
        talk.answer(edit("refund", order="A1", amount="a lot"))
    talk.answer(edit("refund", order="A1", amount="5"))

    assert shop.did == [("refund", "A1", 5.0)]
