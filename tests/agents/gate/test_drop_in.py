"""Ours in place of LangChain's: the same payloads, messages and errors, and sessions that move between the two."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NotRequired

import aiosqlite
import pytest
from langchain.agents.middleware import AgentState
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangChainGate
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command
from pydantic import ValidationError

from handraise import HumanInTheLoopMiddleware
from tests.agents.shop import (
    APPROVE,
    BOTH_MODES,
    LANGCHAIN,
    OURS,
    REJECT,
    Gate,
    How,
    Mode,
    Shop,
    Talk,
    call,
    calling,
    edit,
    finish,
)

REFUND = call("refund", order="A1", amount=10)
DELETE = call("delete_order", id="call-2", order="A1")
LOOK_UP = call("look_up", id="call-3", order="A1")
WAYS: list[How] = ["invoke", "ainvoke", "stream", "astream"]
OUR_OWN_STATE = ""  # beside LangChain's edits, which are kept by call id

both_modes = pytest.mark.parametrize("mode", BOTH_MODES)
every_way = pytest.mark.parametrize("how", WAYS)


@every_way
@both_modes
@pytest.mark.parametrize(
    ("calls", "decisions"),
    [
        ([REFUND], [APPROVE]),
        ([REFUND], [REJECT]),
        ([REFUND], [{"type": "reject", "message": "Ask for the receipt first."}]),
        ([REFUND], [{"type": "respond", "message": "Already refunded."}]),
        ([REFUND], [edit("refund", order="A1", amount=5)]),
        ([REFUND], [edit("refund", order="A1", amount=5, note="not declared")]),
        ([REFUND, DELETE, LOOK_UP], [edit("refund", order="A1", amount=5), REJECT]),
        ([LOOK_UP, DELETE, REFUND], [APPROVE, APPROVE]),
        ([LOOK_UP], None),
        ([], None),
    ],
    ids=["approve", "reject", "reason", "respond", "edit", "extra", "several", "order", "ungated", "model only"],
)
def test_every_decision_is_the_same(calls: list[Any], decisions: list[Any] | None, mode: Mode, how: How) -> None:
    def story(gate: Gate) -> Any:
        shop = Shop()
        rules: dict[str, Any] = {"refund": True, "delete_order": {"allowed_decisions": ["approve", "reject"]}}
        replies = [calling(*calls)] if calls else []
        talk = Talk(shop.agent(*replies, middleware=[gate(rules, interrupt_mode=mode)]), how)
        emitted = talk.run({"messages": [{"role": "user", "content": "Hello"}]})
        shown = _shown(talk, mode)
        if decisions is not None:
            talk.answer(*_in_call_order(decisions, calls, mode))
        return [_plain(emitted), shown, _plain(talk.messages), sorted(shop.did)]

    assert story(OURS) == story(LANGCHAIN)


@every_way
@both_modes
def test_descriptions_predicates_and_notices_are_the_same(mode: Mode, how: How) -> None:
    def describe(tool_call: Any, state: Any, runtime: Any) -> str:
        return f"{tool_call['name']} after {len(state['messages'])} messages, {type(runtime).__name__}"

    seen: list[Any] = []

    def when(request: Any) -> bool:
        seen.append((request.tool_call["id"], request.tool is None, len(request.state["messages"])))
        return bool(request.tool_call["args"]["amount"] > 5)

    def story(gate: Gate) -> Any:
        shop = Shop()
        seen.clear()
        rules: dict[str, Any] = {
            "refund": {"allowed_decisions": ["approve", "edit"], "description": describe, "when": when},
            "delete_order": {"allowed_decisions": ["approve"], "description": "Gone for good"},
        }
        middleware = [gate(rules, interrupt_mode=mode, description_prefix="Look:", edit_notice=None)]
        small = call("refund", id="call-0", order="A0", amount=1)
        talk = Talk(shop.agent(calling(small, REFUND, DELETE), middleware=middleware), how)
        talk.say("Hello")
        asked = sorted(seen)
        shown = _shown(talk, mode)
        talk.answer(edit("refund", order="A1", amount=7), APPROVE)
        return [asked, shown, _plain(talk.messages), sorted(shop.did)]

    assert story(OURS) == story(LANGCHAIN)


@every_way
@both_modes
def test_an_edited_command_carries_the_notice_too(mode: Mode, how: How) -> None:
    def story(gate: Gate) -> Any:
        def refund(order: str, amount: float) -> Command[Any]:
            """Refund an order."""
            message = ToolMessage(f"refunded {amount}", tool_call_id="call-1", name="refund")
            return Command(update={"messages": [message]})

        talk = Talk(
            Shop().agent(calling(REFUND), tools=[refund], middleware=[gate({"refund": True}, interrupt_mode=mode)]), how
        )
        talk.say("Hello")
        talk.answer(edit("refund", order="A1", amount=5))
        return _plain(talk.messages)

    assert story(OURS) == story(LANGCHAIN)


@every_way
@both_modes
def test_a_sub_agent_called_as_a_tool_is_the_same(mode: Mode, how: How) -> None:
    def story(gate: Gate) -> Any:
        shop = Shop()
        helper_gate, gate_above = (gate({tool: True}, interrupt_mode=mode) for tool in ("refund", "delegate"))
        helper = shop.agent(calling(REFUND), middleware=[helper_gate], checkpointer=None)

        async def delegate_async(task: str) -> str:
            done = await helper.ainvoke({"messages": [{"role": "user", "content": task}]})
            return str(done["messages"][-1].text)

        def delegate_sync(task: str) -> str:
            done = helper.invoke({"messages": [{"role": "user", "content": task}]})
            return str(done["messages"][-1].text)

        delegate = StructuredTool.from_function(
            delegate_sync, delegate_async, name="delegate", description="Let another agent do it."
        )
        reply = calling(call("delegate", id="call-9", task="Refund A1"))
        talk = Talk(shop.agent(reply, tools=[delegate], middleware=[gate_above]), how)
        talk.say("Hello")
        shown = [_shown(talk, mode)]
        talk.answer(APPROVE)
        shown.append(_shown(talk, mode))
        talk.answer(edit("refund", order="A1", amount=5))
        return [shown, _plain(talk.messages), shop.did]

    assert story(OURS) == story(LANGCHAIN)


@every_way
@both_modes
def test_several_gates_in_one_agent_ask_the_same(mode: Mode, how: How) -> None:
    def story(gate: Gate) -> Any:
        shop = Shop()
        second = type("SecondGate", (gate,), {})
        gates = [second({"delete_order": True}, interrupt_mode=mode), gate({"refund": True}, interrupt_mode=mode)]
        talk = Talk(shop.agent(calling(REFUND, DELETE, LOOK_UP), middleware=gates), how)
        talk.say("Hello")
        shown = []
        while talk.pending:
            shown.append(_shown(talk, mode))
            talk.answer(*[APPROVE] * len(talk.pending))
        return [shown, _plain(talk.messages), sorted(shop.did)]

    assert story(OURS) == story(LANGCHAIN)


@pytest.mark.parametrize(
    "arguments",
    [
        {"interrupt_on": {"refund": {}}},
        {"interrupt_on": {"refund": {"allowed_decisions": []}}},
        {"interrupt_on": {}, "interrupt_mode": "sometimes"},
    ],
)
def test_a_wrong_configuration_is_refused_in_the_same_words(arguments: Any) -> None:
    def words(gate: Gate) -> str:
        with pytest.raises(ValueError, match="must be") as refusal:
            gate(**arguments)
        return str(refusal.value)

    assert words(OURS) == words(LANGCHAIN)


@every_way
@pytest.mark.parametrize("bad", [[], [APPROVE, APPROVE], [REJECT], [{"type": "aprove"}]])
def test_a_wrong_batched_answer_is_refused_in_the_same_words(bad: list[Any], how: How) -> None:
    def words(gate: Gate) -> str:
        rules: dict[str, Any] = {"refund": {"allowed_decisions": ["approve"]}}
        talk = Talk(Shop().agent(calling(REFUND), middleware=[gate(rules)]), how)
        talk.say("Hello")
        with pytest.raises(ValueError, match="human decision") as refusal:
            talk.resume({"decisions": bad})
        return str(refusal.value)

    assert words(OURS) == words(LANGCHAIN)


@every_way
@pytest.mark.parametrize(
    "bad",
    [
        {"type": "aprove"},
        {"kind": "approve"},
        "yes",
        {"type": "respond"},
        edit("delete_order", order="A1"),
        edit("refund", order="A1"),
        edit("refund", order="A1", amount="a lot"),
    ],
)
def test_a_wrong_answer_to_one_call_is_refused_with_the_same_details(bad: Any, how: How) -> None:
    def details(gate: Gate) -> Any:
        talk = Talk(Shop().agent(calling(REFUND), middleware=[gate({"refund": True}, interrupt_mode="per_call")]), how)
        talk.say("Hello")
        with pytest.raises(ValidationError) as refusal:
            talk.resume(bad)
        return refusal.value.errors(include_url=False)

    assert details(OURS) == details(LANGCHAIN)


@both_modes
def test_names_and_attributes_are_the_same(mode: Mode) -> None:
    rules: Any = {"refund": True, "look_up": False, "delete_order": {"allowed_decisions": ["reject"]}}
    ours = HumanInTheLoopMiddleware(rules, interrupt_mode=mode, description_prefix="Look:")
    theirs = LangChainGate(rules, interrupt_mode=mode, description_prefix="Look:")

    assert isinstance(ours, LangChainGate)
    assert isinstance(ours, HumanInTheLoopMiddleware)
    for attribute in ("name", "interrupt_on", "description_prefix", "edit_notice", "interrupt_mode", "tools"):
        assert getattr(ours, attribute, None) == getattr(theirs, attribute, None)


@pytest.mark.parametrize(("before", "after"), [(LANGCHAIN, OURS), (OURS, LANGCHAIN)], ids=["to ours", "from ours"])
@pytest.mark.parametrize("decision", [APPROVE, REJECT, edit("refund", order="A1", amount=5)], ids=lambda d: d["type"])
@both_modes
@pytest.mark.real
def test_a_paused_session_moves_between_the_two(
    before: Gate, after: Gate, decision: Any, mode: Mode, tmp_path: Path
) -> None:
    when: Any = {"allowed_decisions": ["approve", "edit", "reject"], "when": lambda request: True}
    rules: dict[str, Any] = {"refund": when, "delete_order": {**when, "when": lambda request: False}}
    reply = calling(DELETE, REFUND)

    def talk_with(gate: Gate, shop: Shop) -> Talk:
        saver = SqliteSaver(sqlite3.connect(tmp_path / "sessions.db", check_same_thread=False))
        return Talk(shop.agent(reply, middleware=[gate(rules, interrupt_mode=mode)], checkpointer=saver))

    shop = Shop()
    talk_with(before, shop).say("Hello")
    moved = talk_with(after, shop)
    moved.answer(decision)

    refunds = {"approve": [("refund", "A1", 10)], "reject": [], "edit": [("refund", "A1", 5)]}[decision["type"]]
    assert sorted(shop.did) == [("delete_order", "A1"), *refunds]
    assert moved.messages[-1].text == "Done."


@pytest.mark.parametrize(("before", "after"), [(LANGCHAIN, OURS), (OURS, LANGCHAIN)], ids=["to ours", "from ours"])
@both_modes
@pytest.mark.real
def test_a_paused_session_moves_between_the_two_in_async_code(
    before: Gate, after: Gate, mode: Mode, tmp_path: Path
) -> None:
    shop = Shop()

    async def with_agent(gate: Gate, work: Callable[[Any, Any], Any]) -> Any:
        async with aiosqlite.connect(tmp_path / "sessions.db") as connection:
            rules = [gate({"refund": True}, interrupt_mode=mode)]
            agent = shop.agent(calling(REFUND), middleware=rules, checkpointer=AsyncSqliteSaver(connection))
            return await work(agent, {"configurable": {"thread_id": "s-1"}})

    async def begin(agent: Any, config: Any) -> None:
        await agent.ainvoke({"messages": [{"role": "user", "content": "Hello"}]}, config)

    async def resume(agent: Any, config: Any) -> None:
        [pending] = (await agent.aget_state(config)).interrupts
        answer = APPROVE if mode == "per_call" else {"decisions": [APPROVE]}
        await agent.ainvoke(Command(resume={pending.id: answer}), config)

    finish(with_agent(before, begin))
    finish(with_agent(after, resume))

    assert shop.did == [("refund", "A1", 10)]


def test_a_gate_costs_no_step_in_per_call_mode() -> None:
    agent = Shop().agent(middleware=[HumanInTheLoopMiddleware({"refund": True}, interrupt_mode="per_call")])

    assert set(agent.nodes) == {"__start__", "model", "tools"}


def test_a_gate_of_ones_own_keeps_its_hooks_and_its_name() -> None:
    class Own(HumanInTheLoopMiddleware[Any, Any, Any]):
        def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
            return super().after_model(state, runtime)

    agent = Shop().agent(middleware=[Own({"refund": True}, interrupt_mode="per_call")], checkpointer=InMemorySaver())

    assert "Own.after_model" in agent.nodes


@pytest.mark.parametrize("own", ["by its constructor", "by its hooks"])
@every_way
@both_modes
def test_a_gate_of_ones_own_asks_in_the_same_mode(mode: Mode, how: How, own: str) -> None:
    def story(gate: Gate) -> Any:
        class Settled(gate):  # type: ignore[valid-type, misc]
            def __init__(self) -> None:
                super().__init__({"refund": True}, interrupt_mode=mode)

        class Hooked(gate):  # type: ignore[valid-type, misc]
            def after_model(self, state: Any, runtime: Any) -> Any:
                return super().after_model(state, runtime)

            async def aafter_model(self, state: Any, runtime: Any) -> Any:
                return await super().aafter_model(state, runtime)

        shop = Shop()
        gates = [Settled() if own == "by its constructor" else Hooked({"refund": True}, interrupt_mode=mode)]
        talk = Talk(shop.agent(calling(REFUND), middleware=gates), how)
        talk.say("Hello")
        shown = _shown(talk, mode)
        talk.answer(APPROVE)
        return shown, shop.did, _plain(talk.messages)

    assert story(OURS) == story(LANGCHAIN)


def test_a_gate_that_sets_its_mode_itself_costs_no_step_either() -> None:
    class Settled(HumanInTheLoopMiddleware[Any, Any, Any]):
        def __init__(self) -> None:
            super().__init__({"refund": True}, interrupt_mode="per_call")

    gate = Settled()

    assert set(Shop().agent(middleware=[gate]).nodes) == {"__start__", "model", "tools"}
    assert (gate.name, type(gate).__name__) == ("Settled", "Settled")


def test_a_gate_of_ones_own_keeps_its_state() -> None:
    class Noted(AgentState[Any]):
        note: NotRequired[str]

    class Own(HumanInTheLoopMiddleware[Any, Any, Any]):
        state_schema = Noted  # type: ignore[assignment]

    agent = Shop().agent(middleware=[Own({"refund": True}, interrupt_mode="per_call")])

    assert agent.invoke({"messages": [("user", "Hello")], "note": "kept"}, Talk(agent).config)["note"] == "kept"


def _shown(talk: Talk, mode: Mode) -> list[Any]:
    """Return what people and consoles see: the payloads, and in per_call mode the schema of the answer."""
    shown = [(one.value, one.response_schema if mode == "per_call" else None) for one in talk.pending]
    return sorted(shown, key=str)


def _in_call_order(decisions: list[Any], calls: list[Any], mode: Mode) -> list[Any]:
    """Give decisions in the order of the turn (batched) or of the call ids (per call)."""
    if mode == "batched":
        return decisions
    gated = [one["id"] for one in calls if one["name"] != "look_up"]
    return [decision for _, decision in sorted(zip(gated, decisions, strict=True), key=lambda pair: pair[0])]


def _plain(value: Any) -> Any:
    """Return what was said without what no two runs share, and without what only ours keeps in the state."""
    if isinstance(value, BaseMessage):
        return _plain(value.model_dump(exclude={"id"}))
    if isinstance(value, dict):
        skipped = {OUR_OWN_STATE, "__interrupt__"}
        return {
            key: _plain(part)
            for key, part in value.items()
            if key not in skipped and not (key.endswith(".after_model") and part is None)
        }
    if isinstance(value, list | tuple):
        return [plain for plain in map(_plain, value) if plain != {}]
    return value


def test_the_comparison_itself_sees_a_difference() -> None:
    assert _plain([AIMessage("a")]) != _plain([AIMessage("b")])
