"""Pauses of real agents: what is offered is what the agent takes, and what the clock closes never runs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from handraise import ask_human_agent, human_in_the_loop
from handraise.core.actors import SERVICE
from handraise.core.requests import Request
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.registry import offered, read_requests, write_resume
from handraise.graphs.breakpoints import stopped_before_tools, update_for
from handraise.testing import ScriptedModel

Agent = CompiledStateGraph[Any, Any, Any, Any]

AT = datetime(2030, 1, 1, tzinfo=UTC)
ASKED = PauseContext(session_id="session", run_id="run", at=AT)
SESSION: RunnableConfig = {"configurable": {"thread_id": "session"}}
HELLO: dict[str, Any] = {"messages": [("user", "hello")]}
RULE: dict[str, Any] = {"refund": {"allowed_decisions": ["approve", "reject"]}}


class Shop:
    """An agent that wants to refund two orders, and a note of which it did."""

    def __init__(self) -> None:
        self.refunded: list[str] = []

    def refund(self, order: str) -> str:
        """Refund an order."""
        self.refunded.append(order)
        return f"refunded {order}"

    def agent(self, tool: Any = None, **settings: Any) -> Agent:
        calls = [{"name": "refund", "args": {"order": order}, "id": f"call_{order}"} for order in ("1", "2")]
        model = ScriptedModel.replaying(AIMessage("", tool_calls=calls), AIMessage("done"))
        agent: Agent = create_agent(model, [tool or self.refund], checkpointer=InMemorySaver(), **settings)
        return agent


def pauses(agent: Agent) -> list[list[Request]]:
    return [
        read_requests(RawInterrupt(id=each.id, value=each.value, response_schema=each.response_schema), asked=ASKED)
        for each in agent.get_state(SESSION).interrupts
    ]


def results(state: dict[str, Any]) -> list[str]:
    return [message.text for message in state["messages"] if isinstance(message, ToolMessage)]


@pytest.mark.parametrize(("mode", "count"), [("batched", [2]), ("per_call", [1, 1])])
def test_langchain_s_gate_offers_what_its_rule_allows(mode: Any, count: list[int]) -> None:
    agent = Shop().agent(middleware=[HumanInTheLoopMiddleware(RULE, interrupt_mode=mode)])
    agent.invoke(HELLO, SESSION)

    read = pauses(agent)

    assert [len(requests) for requests in read] == count
    assert {offered(request) for requests in read for request in requests} == {("approve", "reject")}


@pytest.mark.parametrize("how", ["expire", "withdraw"])
@pytest.mark.parametrize("gate", ["batched", "per_call", "decorator", "breakpoint"])
def test_a_call_that_nobody_decided_never_runs(gate: str, how: str) -> None:
    shop = Shop()
    match gate:
        case "decorator":
            agent = shop.agent(human_in_the_loop(shop.refund))
        case "breakpoint":
            agent = shop.agent(interrupt_before=["tools"])
        case mode:
            middleware: Any = HumanInTheLoopMiddleware(RULE, interrupt_mode=mode)  # type: ignore[arg-type]  # by name
            agent = shop.agent(middleware=[middleware])
    agent.invoke(HELLO, SESSION)

    def closed(requests: list[Request]) -> Any:
        return write_resume(
            [each.expire(at=AT) if how == "expire" else each.withdraw(by=SERVICE, at=AT) for each in requests]
        )

    if stop := stopped_before_tools(agent.get_state(SESSION)):
        update = update_for(agent.get_state(SESSION), closed(read_requests(stop, asked=ASKED)))
        assert update is not None
        agent.update_state(SESSION, {"messages": update.messages}, update.as_node)
        state = agent.invoke(None, SESSION)
    else:
        state = agent.invoke(Command(resume={each[0].interrupt_id: closed(each) for each in pauses(agent)}), SESSION)

    assert shop.refunded == []
    assert state["messages"][-1].text == "done"
    assert len(results(state)) == 2
    assert all("not executed" in result for result in results(state))


def test_a_question_that_expired_is_a_timeout_for_the_tool() -> None:
    call = {"name": "ask_human_agent", "args": {"question": "?", "question_type": "knowledge_gap"}, "id": "call_1"}
    model = ScriptedModel.replaying(AIMessage("", tool_calls=[call]), AIMessage("done"))
    agent: Agent = create_agent(model, [ask_human_agent], checkpointer=InMemorySaver())
    agent.invoke(HELLO, SESSION)
    ((request,),) = pauses(agent)

    state = agent.invoke(Command(resume={request.interrupt_id: write_resume([request.expire(at=AT)])}), SESSION)

    assert request.deadline is not None
    assert (request.deadline - AT).total_seconds() == 300
    (result,) = results(state)
    assert result.startswith('{"status": "timeout", "error": "Nobody was free to answer.')
