"""Reviewing in the terminal: what a script's author sees in the first five minutes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt
from pydantic import BaseModel
from rich.console import Console

from handraise import HumanInTheLoopMiddleware as OurGate
from handraise import (
    areview_in_terminal,
    ask_human,
    ask_human_agent,
    human_in_the_loop,
    human_in_the_loop_async,
    review_in_terminal,
)
from handraise.agents.terminal.reviewer import key_of
from handraise.agents.terminal.texts import WORDS
from handraise.core.decisions import DECISION_KINDS
from handraise.core.errors import InvalidInput, Misconfigured
from handraise.testing import ScriptedModel
from tests.agents.shop import BOTH_MODES, Mode

Agent = CompiledStateGraph[Any, Any, Any, Any]

HELLO: dict[str, Any] = {"messages": [("user", "hello")]}


class Typing(Console):
    """A console whose person types what they are given, and which keeps what it showed."""

    def __init__(self, *lines: str) -> None:
        self.seen = io.StringIO()
        super().__init__(file=self.seen, width=100)
        self.lines = list(lines)

    def input(self, prompt: Any = "", **_: Any) -> str:
        self.print(prompt)
        return self.lines.pop(0)

    @property
    def shown(self) -> str:
        return self.seen.getvalue()


class Refund(BaseModel):
    amount: float


class Desk:
    """An agent with one call to make, and a note of what ran."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, float]] = []

    def refund(self, order: str, amount: float) -> str:
        """Refund an order."""
        self.ran.append((order, amount))
        return f"refunded {amount}"

    def agent(self, tool: Any = None, *, args: dict[str, Any] | None = None, **settings: Any) -> Agent:
        name = getattr(tool, "name", "refund")
        call = {"name": name, "args": args or {"order": "12345", "amount": 42.5}, "id": "call_1"}
        model = ScriptedModel.replaying(AIMessage("", tool_calls=[call]), AIMessage("done"))
        tools = [tool or self.refund]
        agent: Agent = create_agent(model, tools, **{"checkpointer": InMemorySaver(), **settings})
        return agent


def gated_by_langchain(desk: Desk) -> Agent:
    return desk.agent(middleware=[HumanInTheLoopMiddleware({"refund": True})])


def gated_per_call(desk: Desk) -> Agent:
    return desk.agent(middleware=[HumanInTheLoopMiddleware({"refund": True}, interrupt_mode="per_call")])


def gated_by_a_breakpoint(desk: Desk) -> Agent:
    return desk.agent(interrupt_before=["tools"])


def gated_by_decorator(desk: Desk) -> Agent:
    return desk.agent(human_in_the_loop(desk.refund))


EVERY_GATE = [gated_by_langchain, gated_per_call, gated_by_a_breakpoint, gated_by_decorator]
GATES_THAT_CAN_REJECT = EVERY_GATE[:3]


def results(state: dict[str, Any]) -> list[str]:
    return [message.text for message in state["messages"] if isinstance(message, ToolMessage)]


def run(agent: Agent, lines: Iterable[str], **settings: Any) -> tuple[dict[str, Any], Typing]:
    console = Typing(*lines)
    state = review_in_terminal(agent, HELLO, console=console, **settings)
    assert console.lines == [], "the person was asked as often as expected"
    return state, console


@pytest.mark.parametrize("gated", EVERY_GATE)
def test_an_approved_call_runs_as_shown(gated: Callable[[Desk], Agent]) -> None:
    desk = Desk()

    state, console = run(gated(desk), ["a"])

    assert desk.ran == [("12345", 42.5)]
    assert state["messages"][-1].text == "done"
    assert "refund" in console.shown
    assert "42.5" in console.shown


@pytest.mark.parametrize("gated", EVERY_GATE)
def test_an_edit_keeps_what_is_left_empty_and_keeps_numbers_numbers(gated: Callable[[Desk], Agent]) -> None:
    desk = Desk()

    _, console = run(gated(desk), ["edit", "", "ten", "10"])

    assert desk.ran == [("12345", 10)]
    assert "write it as JSON" in console.shown


@pytest.mark.parametrize("gated", GATES_THAT_CAN_REJECT)
def test_a_rejected_call_does_not_run_and_the_agent_reads_why(gated: Callable[[Desk], Agent]) -> None:
    desk = Desk()

    state, _ = run(gated(desk), ["nonsense", "r", "too much"])

    assert desk.ran == []
    (result,) = results(state)
    assert "too much" in result


def test_a_person_may_respond_in_the_tool_s_place() -> None:
    desk = Desk()

    state, console = run(gated_by_decorator(desk), ["p", "", "already refunded"])

    assert (desk.ran, results(state)) == ([], ["already refunded"])
    assert "[r]" not in console.shown, "what the dialect cannot say is not offered"


@pytest.mark.parametrize(
    ("tool", "args", "line", "result"),
    [
        (ask_human_agent, {"options": ["full", "half"]}, "half", '"selected_option": "half"'),
        (ask_human_agent, {}, "shipped [today]", '"response": "shipped [today]"'),
        (ask_human(schema=Refund), {}, '{"amount": 3}', '"response": {"amount": 3.0}'),
    ],
    ids=["an option", "text", "a form"],
)
def test_a_question_is_answered(tool: Any, args: dict[str, Any], line: str, result: str) -> None:
    asked = {"question": "How much?", "question_type": "decision_required", "context": {"order": 7}, **args}

    state, console = run(Desk().agent(tool, args=asked), [line])

    assert result in results(state)[0]
    assert "How much?" in console.shown


def test_an_answer_that_the_agent_refuses_is_asked_for_again() -> None:
    tool = ask_human(schema=Refund)
    agent = Desk().agent(tool, args={"question": "How much?", "question_type": "information_query"})

    state, console = run(agent, ['{"amount": "much"}', '{"amount": 3}'])

    assert '"amount": 3.0' in results(state)[0]
    assert "The answer was not accepted" in console.shown


@pytest.mark.parametrize("mode", BOTH_MODES)
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
async def test_an_edit_that_our_gate_refuses_is_asked_for_again(mode: Mode, is_async: bool) -> None:
    desk, console = Desk(), Typing("e", "", '"lots"', "e", "", "3")
    agent = desk.agent(middleware=[OurGate({"refund": True}, interrupt_mode=mode)])

    if is_async:
        await areview_in_terminal(agent, HELLO, console=console)
    else:
        review_in_terminal(agent, HELLO, console=console)

    assert desk.ran == [("12345", 3)]
    assert console.lines == []
    assert "The answer was not accepted" in console.shown
    assert "valid number" in " ".join(console.shown.split())


def test_an_error_of_the_agent_is_no_refused_answer() -> None:
    def refund(order: str, amount: float) -> str:
        """Refund an order."""
        raise ValueError("the bank is down")

    agent = Desk().agent(refund, middleware=[OurGate({"refund": True})])

    with pytest.raises(ValueError, match="the bank is down"):
        run(agent, ["a"])


def test_it_speaks_chinese() -> None:
    desk = Desk()

    _, console = run(gated_by_langchain(desk), ["修改", "", "10"], language="zh")

    assert desk.ran == [("12345", 10)]
    for words in ("智能体想调用", "请决定", "批准", "拒绝"):
        assert words in console.shown
    with pytest.raises(InvalidInput, match="zh, en"):
        review_in_terminal(gated_by_langchain(desk), HELLO, language="fr")  # type: ignore[arg-type]  # under test


def test_several_calls_are_asked_one_by_one() -> None:
    desk = Desk()
    calls = [{"name": "refund", "args": {"order": order, "amount": 1}, "id": order} for order in ("1", "2", "3")]
    model = ScriptedModel.replaying(AIMessage("", tool_calls=calls), AIMessage("done"))
    agent: Agent = create_agent(model, [desk.refund], checkpointer=InMemorySaver(), interrupt_before=["tools"])

    state, _ = run(agent, ["a", "r", "no", "e", "", "9"])

    assert sorted(desk.ran) == [("1", 1), ("3", 9)]
    assert sorted(results(state)) == ["no", "refunded 1.0", "refunded 9.0"]


def test_a_paused_session_is_answered_before_a_new_message_is_sent() -> None:
    desk = Desk()
    agent = gated_by_langchain(desk)
    session: RunnableConfig = {"configurable": {"thread_id": "session"}}
    agent.invoke(HELLO, session)

    state = review_in_terminal(agent, {"messages": [("user", "and?")]}, session, console=Typing("a"))

    assert desk.ran == [("12345", 42.5)]
    assert [message.text for message in state["messages"] if message.type == "human"] == ["hello", "and?"]


def test_any_graph_with_an_interrupt_can_be_reviewed() -> None:
    def node(state: dict[str, Any]) -> dict[str, Any]:
        return {"said": [interrupt("Which colour?"), interrupt({"question": "Which size?", "stock": [1, 2]})]}

    graph: Any = StateGraph(dict)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    agent = graph.compile(checkpointer=InMemorySaver(), interrupt_after=["node"])
    console = Typing("red", '{"size": 2}')

    state = review_in_terminal(agent, {"said": []}, console=console)

    assert state["said"] == ["red", {"size": 2}]


def test_a_breakpoint_with_nothing_to_decide_waits_for_enter() -> None:
    graph: Any = StateGraph(dict)
    graph.add_node("node", lambda state: {"ran": True})
    graph.add_edge(START, "node")
    agent = graph.compile(checkpointer=InMemorySaver(), interrupt_before=["node"])

    assert review_in_terminal(agent, {"ran": False}, console=Typing(""))["ran"] is True


async def test_async_tools_are_reviewed_by_the_async_twin() -> None:
    ran: list[str] = []

    @human_in_the_loop_async
    async def publish(text: str) -> str:
        """Publish a text."""
        ran.append(text)
        return "published"

    agent = Desk().agent(publish, args={"text": "draft"})
    state = await areview_in_terminal(agent, HELLO, console=Typing("e", "final"))

    assert (ran, results(state)) == (["final"], ["published"])
    desk = Desk()
    await areview_in_terminal(gated_by_a_breakpoint(desk), HELLO, console=Typing("e", "", "1"))
    assert desk.ran == [("12345", 1)]


def test_an_agent_without_a_checkpointer_is_told_what_to_add() -> None:
    with pytest.raises(Misconfigured, match="checkpointer=InMemorySaver"):
        review_in_terminal(Desk().agent(checkpointer=None), HELLO, console=Typing())


def test_what_the_agent_sends_is_shown_and_not_obeyed() -> None:
    tricky = "[bold]x[/bold] [/]"
    agent = Desk().agent(ask_human_agent, args={"question": tricky, "question_type": "knowledge_gap"})

    _, console = run(agent, ["fine"])

    assert tricky in console.shown


def test_every_decision_has_a_word_and_a_key_of_its_own_in_every_language() -> None:
    assert len({key_of(kind) for kind in DECISION_KINDS}) == len(DECISION_KINDS)
    for words in WORDS.values():
        assert tuple(words.kinds) == DECISION_KINDS
        assert len(set(words.kinds.values())) == len(DECISION_KINDS)
