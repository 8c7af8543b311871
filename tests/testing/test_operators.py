"""Simulated operators: they answer what an agent asks, and what was not expected is an error."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolCall
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from handraise import AskHumanAgentTool, HumanInTheLoopMiddleware, ask_human_agent, human_in_the_loop_async
from handraise.core.errors import InvalidInput, Misconfigured
from handraise.core.requests import Request
from handraise.testing import (
    Answer,
    Approve,
    Clock,
    Edit,
    Reject,
    Respond,
    ScriptedModel,
    SimulatedOperator,
    by_tool,
    in_order,
)

HELLO: dict[str, Any] = {"messages": [("user", "hello")]}
QUESTION = {"question": "When?", "question_type": "information_query"}


def refund(order: str, amount: float) -> str:
    """Refund an order."""
    return f"refunded {amount:g} for {order}"


def delete_order(order: str) -> str:
    """Delete an order."""
    return f"deleted {order}"


@human_in_the_loop_async
async def send_email(to: str) -> str:
    """Send an e-mail."""
    return f"sent to {to}"


def agent_calling(*calls: tuple[str, dict[str, Any]], **options: Any) -> Any:
    """Return an agent that makes these calls in one turn, all of them gated."""
    wished = [ToolCall(name=name, args=args, id=f"call_{place}") for place, (name, args) in enumerate(calls)]
    return create_agent(
        ScriptedModel.replaying(AIMessage("", tool_calls=wished), AIMessage("Done.")),
        [refund, delete_order, send_email, ask_human_agent],
        checkpointer=InMemorySaver(),
        **({"middleware": [HumanInTheLoopMiddleware({"refund": True, "delete_order": True})]} | options),
    )


def results_of(state: Any) -> list[str]:
    return [message.text for message in state["messages"] if message.type == "tool"]


REFUND = ("refund", {"order": "7", "amount": 5.0})


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        (Approve(), "refunded 5 for 7"),
        (Edit(args={"order": "7", "amount": 1}), "refunded 1 for 7"),
        (Reject(reason="Too late."), "Too late."),
        (Respond(text="It was refunded yesterday."), "It was refunded yesterday."),
    ],
    ids=lambda value: value.type if hasattr(value, "type") else "",
)
async def test_each_kind_of_answer_reaches_the_agent_from_sync_and_async_code(answer: Answer, result: str) -> None:
    state = SimulatedOperator(answer).run(agent_calling(REFUND), HELLO)
    state_of_async = await SimulatedOperator(answer).arun(agent_calling(REFUND), HELLO)

    assert [text.endswith(result) for text in results_of(state)] == [True]
    assert results_of(state_of_async) == results_of(state)


def test_answers_go_by_tool_and_the_closest_name_wins() -> None:
    operator = SimulatedOperator(
        by_tool({"*": Reject(reason="No."), "delete_*": Reject(reason="Never."), "refund": Approve()})
    )

    state = operator.run(agent_calling(REFUND, ("delete_order", {"order": "8"})), HELLO)

    refused, done = results_of(state)  # a call that is refused has its result before any other runs
    assert "Never." in refused
    assert done == "refunded 5 for 7"
    assert [(request.tool, request.status) for request in operator.closed] == [
        ("refund", "decided"),
        ("delete_order", "decided"),
    ]


def test_answers_in_order_are_used_once_each() -> None:
    operator = SimulatedOperator(in_order(Approve(), lambda request: Respond(text=f"{request.tool}: no")))

    state = operator.run(agent_calling(REFUND, ("delete_order", {"order": "8"})), HELLO)

    assert results_of(state) == ["delete_order: no", "refunded 5 for 7"]


async def test_questions_decorated_tools_and_plain_interrupts_are_answered_too() -> None:
    operator = SimulatedOperator(by_tool({"send_email": Approve()}, questions=Respond(text="On Tuesday.")), name="ann")

    state = await operator.arun(
        agent_calling(("send_email", {"to": "a@example.com"}), ("ask_human_agent", QUESTION)), HELLO
    )

    assert results_of(state)[0] == "sent to a@example.com"
    assert "On Tuesday." in results_of(state)[1]
    assert [request.decided_by.id for request in operator.closed if request.decided_by] == ["ann", "ann"]


def test_a_graph_without_an_agent_is_answered_in_its_own_words() -> None:
    graph: Any = StateGraph(dict)
    graph.add_node("ask", lambda _: {"said": interrupt("Which colour?")})
    graph.add_edge(START, "ask")

    state = SimulatedOperator(Respond(text="Blue")).run(graph.compile(checkpointer=InMemorySaver()), {"said": ""})

    assert state["said"] == "Blue"


def test_a_static_breakpoint_is_answered_too() -> None:
    agent = agent_calling(REFUND, middleware=[], interrupt_before=["tools"])

    assert results_of(SimulatedOperator(Approve()).run(agent, HELLO)) == ["refunded 5 for 7"]
    assert "Stop." in results_of(SimulatedOperator(Reject(reason="Stop.")).run(agent, HELLO))[0]


def test_a_session_that_is_paused_is_answered_before_its_message_is_sent() -> None:
    agent, session = agent_calling(REFUND), RunnableConfig(configurable={"thread_id": "1"})
    agent.invoke(HELLO, session)

    state = SimulatedOperator(Approve()).run(agent, None, session)

    assert results_of(state) == ["refunded 5 for 7"]


@pytest.mark.parametrize(
    ("answers", "calls", "what"),
    [
        (by_tool({"delete_order": Approve()}), [REFUND], "no answer to a call of 'refund'. Add it"),
        (by_tool({}), [("ask_human_agent", QUESTION)], "no answer to the question 'When\\?'"),
        (in_order(Approve()), [REFUND, REFUND], "no answer to 'refund', after all 1 answers"),
    ],
)
def test_what_was_not_expected_is_an_error(answers: Any, calls: list[Any], what: str) -> None:
    with pytest.raises(Misconfigured, match=what):
        SimulatedOperator(answers).run(agent_calling(*calls), HELLO)


def test_an_answer_that_a_request_does_not_offer_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="does not take 'approve'"):
        SimulatedOperator(Approve()).run(agent_calling(("ask_human_agent", QUESTION)), HELLO)


def test_an_answer_that_the_agent_refuses_is_an_error_and_is_not_given_for_ever() -> None:
    operator = SimulatedOperator(Edit(args={"order": "7", "amount": "a lot"}))

    with pytest.raises(InvalidInput, match="did not take the simulated operator's answer"):
        operator.run(agent_calling(REFUND), HELLO)
    assert len(operator.closed) == 1


def test_an_agent_that_asks_for_ever_ends_the_test() -> None:
    def again(messages: Any) -> AIMessage:
        return AIMessage("", tool_calls=[ToolCall(name="refund", args=REFUND[1], id=f"call_{len(messages)}")])

    agent: Any = create_agent(
        ScriptedModel(script=again),
        [refund],
        middleware=[HumanInTheLoopMiddleware({"refund": True})],
        checkpointer=InMemorySaver(),
    )

    with pytest.raises(Misconfigured, match="asked more than 3 times"):
        SimulatedOperator(Approve(), most=3).run(agent, HELLO)


@pytest.mark.parametrize(("takes", "status"), [(timedelta(minutes=4), "answered"), (timedelta(minutes=5), "timeout")])
def test_a_question_expires_when_thinking_goes_past_its_deadline(takes: timedelta, status: str) -> None:
    agent: Any = create_agent(
        ScriptedModel.calling("ask_human_agent", **QUESTION),
        [AskHumanAgentTool(timeout_seconds=300)],
        checkpointer=InMemorySaver(),
    )
    clock = Clock()
    operator = SimulatedOperator(Respond(text="On Tuesday."), clock=clock, takes=takes)
    began = clock.now()

    state = operator.run(agent, HELLO)

    assert f'"status": "{status}"' in state["messages"][-1].text
    assert clock.now() - began == takes
    [closed] = operator.closed
    assert closed.decided_at == clock.now()
    assert isinstance(closed, Request)
