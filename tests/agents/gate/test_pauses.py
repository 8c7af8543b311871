"""One call, several pauses: more than one gate, a tool that asks itself, an agent inside a tool. Each answer is taken
by the one that asked, as under LangChain's gate, and also when a session moves between the two.
"""

from __future__ import annotations

from typing import Any, Literal

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from handraise import HandoffAgentMiddleware
from tests.agents.shop import (
    APPROVE,
    BOTH_MODES,
    LANGCHAIN,
    OURS,
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
    finish,
)

Sent = Literal["by id", "as it is"]

REFUND = call("refund", order="A1", amount=500)
FIVE = edit("refund", order="A1", amount=5)
THREE = edit("refund", order="A1", amount=3)

sync_and_async = pytest.mark.parametrize("how", SYNC_AND_ASYNC)
both_modes = pytest.mark.parametrize("mode", BOTH_MODES)
sent_either_way = pytest.mark.parametrize("sent", ["by id", "as it is"])


def reply(talk: Talk, answer: Any, sent: Sent) -> None:
    """Answer the one thing that is pending."""
    [pending] = talk.pending
    if isinstance(pending.value, dict) and "action_requests" in pending.value:
        answer = {"decisions": [answer]}
    talk.resume({pending.id: answer} if sent == "by id" else answer)


def story(talk: Talk, answers: list[Any], sent: Sent) -> list[Any]:
    """Return what was shown before each answer, and what the model was told in the end."""
    talk.say("Hello")
    shown = []
    for answer in answers:
        shown.append([one.value for one in talk.pending])
        reply(talk, answer, sent)
    assert not talk.pending, "everything was answered"
    return [shown, [result.text for result in talk.results]]


def asking_twice(did: list[Any], *, name: str = "refund") -> StructuredTool:
    """Return a tool that asks two questions of its own before it does anything."""

    def run(order: str, amount: float) -> str:
        answers = interrupt({"question": "Which account?"}), interrupt({"question": "Which day?"})
        did.append((amount, *answers))
        return "refunded"

    async def arun(order: str, amount: float) -> str:
        return run(order, amount)

    return StructuredTool.from_function(run, arun, name=name, description="Refund an order.")


@pytest.mark.parametrize(
    "decisions",
    [[FIVE, APPROVE], [FIVE, REJECT], [FIVE, THREE], [APPROVE, FIVE], [APPROVE, APPROVE], [REJECT]],
    ids=["edit, approve", "edit, reject", "edit, edit", "approve, edit", "approve, approve", "reject"],
)
@sent_either_way
@sync_and_async
def test_two_gates_on_one_call_each_take_their_own_answer(how: How, sent: Sent, decisions: list[Any]) -> None:
    def with_two(gate: Gate) -> Any:
        shop = Shop()
        second = type("SecondGate", (gate,), {})
        gates = [each({"refund": True}, interrupt_mode="per_call") for each in (gate, second)]
        return story(Talk(shop.agent(calling(REFUND), middleware=gates), how), decisions, sent), shop.did

    assert with_two(OURS) == with_two(LANGCHAIN)


@pytest.mark.parametrize("decision", [APPROVE, THREE], ids=["approve", "edit"])
@sync_and_async
def test_what_changed_between_two_gates_is_no_part_of_what_the_first_approved(how: How, decision: Any) -> None:
    shop, between = Shop(), Fickle()
    between.amount = 999
    second = type("SecondGate", (OURS,), {})
    gates = [each({"refund": True}, interrupt_mode="per_call") for each in (OURS, second)]
    talk = Talk(shop.agent(calling(REFUND), middleware=[gates[0], between, gates[1]]), how)

    shown, results = story(talk, [APPROVE, decision], "by id")

    assert [value["args"]["amount"] for [value] in shown] == [500, 999]
    assert shop.did == []
    assert "changed after they had been approved" in results[0]


@sent_either_way
@sync_and_async
def test_a_gate_for_all_agents_and_one_for_this_agent_each_take_their_own_answer(how: How, sent: Sent) -> None:
    shop = Shop()
    agents: Any = {
        "seller": {
            "prompt": "Sell.", "default": True, "handoffs": [], "tools": shop.tools, "interrupt_on": {"refund": True}
        },
    }  # fmt: skip
    gates = [OURS({"refund": True}, interrupt_mode="per_call"), HandoffAgentMiddleware(agents)]
    talk = Talk(shop.agent(calling(REFUND), tools=[], middleware=gates), how)

    shown, _ = story(talk, [FIVE, THREE], sent)

    assert [value["args"]["amount"] for [value] in shown] == [500, 5]
    assert shop.did == [("refund", "A1", 3)]


@sent_either_way
@sync_and_async
@both_modes
@pytest.mark.parametrize("wants", [True, False])
def test_a_gated_tool_may_ask_questions_of_its_own(wants: bool, mode: Mode, how: How, sent: Sent) -> None:
    def asking(gate: Gate) -> Any:
        did: list[Any] = []
        rule: Any = {"allowed_decisions": ["approve", "reject"], "when": lambda request: wants}
        gates = [gate({"refund": rule}, interrupt_mode=mode)]
        talk = Talk(Shop().agent(calling(REFUND), tools=[asking_twice(did)], middleware=gates), how)
        return story(talk, [*([APPROVE] if wants else []), "house", "Monday"], sent), did

    ours, langchains = asking(OURS), asking(LANGCHAIN)

    assert ours == langchains
    assert ours[1] == [(500, "house", "Monday")]


@sent_either_way
@sync_and_async
def test_a_tool_of_an_agent_among_several_may_ask_as_well(how: How, sent: Sent) -> None:
    did: list[Any] = []
    rule = {"allowed_decisions": ["approve"], "when": lambda request: False}
    agents: Any = {
        "seller": {
            "prompt": "Sell.", "default": True, "handoffs": [], "tools": [asking_twice(did)],
            "interrupt_on": {"refund": rule},
        },
    }  # fmt: skip
    talk = Talk(Shop().agent(calling(REFUND), tools=[], middleware=[HandoffAgentMiddleware(agents)]), how)

    shown, _ = story(talk, ["house", "Monday"], sent)

    assert did == [(500, "house", "Monday")]
    assert shown[0] == [{"agent": "seller", "question": "Which account?"}]


@sent_either_way
@sync_and_async
@both_modes
@pytest.mark.parametrize("wants", [True, False])
@pytest.mark.parametrize("amount", [500, 1], ids=["the same call", "another call"])
def test_an_agent_inside_a_gated_tool_may_have_a_gated_tool_of_the_same_name(
    amount: int, wants: bool, mode: Mode, how: How, sent: Sent
) -> None:
    def nested(gate: Gate) -> Any:
        shop = Shop()
        replies = [calling(call("refund", order="A1", amount=amount)), calling(call("refund", order="B2", amount=2))]
        inside = shop.agent(*replies, middleware=[gate({"refund": True}, interrupt_mode=mode)], checkpointer=None)

        def run(order: str, amount: float) -> str:
            return str(inside.invoke({"messages": [("user", "Go")]})["messages"][-1].text)

        async def arun(order: str, amount: float) -> str:
            return str((await inside.ainvoke({"messages": [("user", "Go")]}))["messages"][-1].text)

        outer = StructuredTool.from_function(run, arun, name="refund", description="Let another agent refund.")
        rule: Any = {"allowed_decisions": ["approve", "reject"], "when": lambda request: wants}
        gates = [gate({"refund": rule}, interrupt_mode="per_call")]
        talk = Talk(shop.agent(calling(REFUND), tools=[outer], middleware=gates), how)
        return story(talk, [*([APPROVE] if wants else []), APPROVE, APPROVE], sent), shop.did

    ours = nested(OURS)

    assert ours == nested(LANGCHAIN)
    assert ours[1] == [("refund", "A1", amount), ("refund", "B2", 2)]


@sync_and_async
def test_a_predicate_is_asked_once_also_when_the_tool_asks_twice(how: How) -> None:
    did: list[Any] = []
    asked: list[str] = []

    def never(request: Any) -> bool:
        asked.append("asked")
        return False

    rule: Any = {"allowed_decisions": ["approve"], "when": never}
    gates = [OURS({"refund": rule}, interrupt_mode="per_call")]
    talk = Talk(Shop().agent(calling(REFUND), tools=[asking_twice(did)], middleware=gates), how)

    story(talk, ["house", "Monday"], "by id")

    assert asked == ["asked"]


class Fickle(AgentMiddleware[Any, Any]):
    """Changes the amount between two passes of the same task."""

    def __init__(self) -> None:
        super().__init__()
        self.amount: float | None = None

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        return handler(self._changed(request))

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        return await handler(self._changed(request))

    def _changed(self, request: Any) -> Any:
        if self.amount is None:
            return request
        return request.override(
            tool_call={**request.tool_call, "args": {**request.tool_call["args"], "amount": self.amount}}
        )


@sent_either_way
@sync_and_async
def test_a_call_that_changed_in_its_own_task_is_shown_once_more_and_answered_once(how: How, sent: Sent) -> None:
    shop, fickle = Shop(), Fickle()
    gates = [fickle, OURS({"refund": True}, interrupt_mode="per_call")]
    talk = Talk(shop.agent(calling(REFUND), middleware=gates), how)
    talk.say("Hello")

    fickle.amount = 999
    reply(talk, APPROVE, sent)
    assert shop.did == []
    assert talk.pending[0].value["args"]["amount"] == 999
    reply(talk, APPROVE, sent)

    assert shop.did == [("refund", "A1", 999)]


@pytest.mark.parametrize("odd", [5, [], ["a"], {"x": 1}, ["task", "gate", "call-1", "digest"]])
@sync_and_async
def test_no_answer_to_a_tool_can_pass_for_one_that_a_gate_took(how: How, odd: Any) -> None:
    did: list[Any] = []
    gates = [OURS({"refund": True}, interrupt_mode="per_call")]
    talk = Talk(Shop().agent(calling(REFUND), tools=[asking_twice(did)], middleware=gates), how)
    forged = {"type": "approve", "handraise_taken": odd}

    story(talk, [forged, forged, "Monday"], "by id")

    assert did == [(500, forged, "Monday")]


def paused_in_the_tool(gate: Gate, saver: InMemorySaver, how: How, did: list[Any], *, wants: bool) -> Talk:
    rule: Any = {"allowed_decisions": ["approve", "edit", "reject"], "when": lambda request: wants}
    gates = [gate({"refund": rule}, interrupt_mode="per_call")]
    tools = [asking_twice(did)]
    return Talk(Shop().agent(calling(REFUND), tools=tools, middleware=gates, checkpointer=saver), how)


@pytest.mark.parametrize(("before", "after"), [(LANGCHAIN, OURS), (OURS, LANGCHAIN)], ids=["to ours", "to LangChain's"])
@pytest.mark.parametrize("moves", [1, 2], ids=["at its first question", "at its second"])
@pytest.mark.parametrize("first", [APPROVE, FIVE, None], ids=["approved", "edited", "passed"])
@sent_either_way
@sync_and_async
def test_a_session_that_is_paused_inside_the_tool_moves_between_the_two(
    before: Gate, after: Gate, moves: int, first: Any, how: How, sent: Sent
) -> None:
    did: list[Any] = []
    saver = InMemorySaver()
    answers = [*([first] if first else []), "house", "Monday"]
    stays = len(answers) - 3 + moves + (0 if first else 1)

    talk = paused_in_the_tool(before, saver, how, did, wants=first is not None)
    talk.say("Hello")
    for answer in answers[:stays]:
        reply(talk, answer, sent)
    talk = paused_in_the_tool(after, saver, how, did, wants=first is not None)
    for answer in answers[stays:]:
        reply(talk, answer, sent)

    assert did == [(5 if first is FIVE else 500, "house", "Monday")]


@pytest.mark.parametrize(("before", "after"), [(LANGCHAIN, OURS), (OURS, LANGCHAIN)], ids=["to ours", "to LangChain's"])
@sent_either_way
@sync_and_async
def test_a_session_that_is_paused_between_two_gates_moves_between_the_two(
    before: Gate, after: Gate, how: How, sent: Sent
) -> None:
    shop, saver = Shop(), InMemorySaver()

    def talk_with(gate: Gate) -> Talk:
        second = type("SecondGate", (gate,), {})
        gates = [each({"refund": True}, interrupt_mode="per_call") for each in (gate, second)]
        return Talk(shop.agent(calling(REFUND), middleware=gates, checkpointer=saver), how)

    talk = talk_with(before)
    talk.say("Hello")
    reply(talk, FIVE, sent)
    talk = talk_with(after)
    reply(talk, APPROVE, sent)

    assert shop.did == [("refund", "A1", 5)]


@sync_and_async
def test_a_gate_of_ones_own_may_pause_before_and_after_the_review_of_a_turn(how: How) -> None:
    said: list[Any] = []

    class Asking(OURS):  # type: ignore[valid-type, misc]
        def after_model(self, state: Any, runtime: Any) -> Any:
            before = interrupt({"question": "Before?"}) if state["messages"][-1].tool_calls else None
            update = super().after_model(state, runtime)
            if before:
                said.append((before, interrupt({"question": "After?"})))
            return update

        async def aafter_model(self, state: Any, runtime: Any) -> Any:
            before = interrupt({"question": "Before?"}) if state["messages"][-1].tool_calls else None
            update = await super().aafter_model(state, runtime)
            if before:
                said.append((before, interrupt({"question": "After?"})))
            return update

    shop = Shop()
    talk = Talk(shop.agent(calling(REFUND), middleware=[Asking({"refund": True})]), how)

    story(talk, ["one", FIVE, "two"], "by id")

    assert said == [("one", "two")]
    assert shop.did == [("refund", "A1", 5)]


def test_a_pause_of_two_tools_is_answered_in_parts() -> None:
    did: list[Any] = []
    rule: Any = {"allowed_decisions": ["approve"], "when": lambda request: False}
    gates = [OURS({"*": rule}, interrupt_mode="per_call")]
    calls = [REFUND, call("return_it", id="call-2", order="B2", amount=2)]
    tools = [asking_twice(did), asking_twice(did, name="return_it")]
    talk = Talk(Shop().agent(calling(*calls), tools=tools, middleware=gates))
    talk.say("Hello")

    while talk.pending:
        talk.run(Command(resume={talk.pending[0].id: "x"}))

    assert sorted(did) == [(2, "x", "x"), (500, "x", "x")]
    assert finish(talk.agent.aget_state(talk.config)).next == ()
