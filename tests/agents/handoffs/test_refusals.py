"""What an agent may not do: run another's tools, hand over twice in a turn, or pass a conversation forever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.tools import ToolRuntime, tool
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import HandoffAgentMiddleware
from handraise.testing import ScriptedModel
from tests.agents.handoffs.desk import (
    SESSION,
    agents,
    answering,
    ask,
    built,
    calling,
    ran,
    results,
    run_code,
    who_speaks,
)


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    ran.clear()


@pytest.mark.parametrize(("first", "second"), [("code_agent", "time_agent"), ("time_agent", "code_agent")])
def test_two_handoffs_in_one_turn_the_first_wins_and_the_other_is_told(first: str, second: str) -> None:
    response = ask(built(agents(answering(calling(f"transfer_to_{first}", f"transfer_to_{second}")))))

    assert response["active_agent"] == first
    assert results(response)[f"transfer_to_{first}"].text == f"Transferred to {first}"
    refused = results(response)[f"transfer_to_{second}"]
    assert refused.status == "error"
    assert refused.text == (
        f"Not transferred to {second}: one turn hands over once, and transfer_to_{first} was called first."
    )


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(
    ("id", "why"), [("call-1", "share the id 'call-1'"), (None, "its call has no id")], ids=["one id", "no ids"]
)
async def test_handoffs_that_cannot_be_told_apart_are_refused(id: str | None, why: str, is_async: bool) -> None:
    names = ["transfer_to_time_agent", "transfer_to_code_agent"]
    twins = AIMessage("", tool_calls=[ToolCall(name=name, args={}, id=id) for name in names])
    agent = built(agents(answering(twins)))
    hello: Any = {"messages": [HumanMessage("hello")]}
    session: Any = {"configurable": {"thread_id": "twins"}}

    response = await agent.ainvoke(hello, session) if is_async else agent.invoke(hello, session)

    refused = [message for message in response["messages"] if isinstance(message, ToolMessage)]
    assert response["active_agent"] == "default_agent"
    assert [message.name for message in refused] == names
    assert all(why in message.text and message.status == "error" for message in refused)


def test_two_tools_that_both_write_active_agent_do_not_crash() -> None:
    def moving_to(name: str) -> Any:
        @tool(f"move_to_{name}")
        def move(runtime: ToolRuntime) -> Command[Any]:
            """Move."""
            moved = ToolMessage("moved", tool_call_id=runtime.tool_call_id)
            return Command(update={"messages": [moved], "active_agent": name})

        return move

    tools = [moving_to("time_agent"), moving_to("code_agent")]
    response = ask(built(agents(answering(calling("move_to_time_agent", "move_to_code_agent")), tools=tools)))

    assert response["active_agent"] == "code_agent"


def test_a_call_to_another_agents_tool_is_refused_and_not_executed() -> None:
    response = ask(built(agents(answering(calling("run_code", code="1")))))

    assert ran == []
    assert results(response)["run_code"].status == "error"
    assert results(response)["run_code"].text == (
        "Not executed: run_code is not a tool of default_agent, which has "
        "transfer_to_code_agent, transfer_to_time_agent."
    )


class Smuggler(AgentMiddleware):
    """Puts a call of its own into the model's turn, after the model has spoken."""

    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        last = state["messages"][-1]
        if isinstance(last, AIMessage) and not last.tool_calls and not ran_or_refused(state):
            return {"messages": [last.model_copy(update={"tool_calls": calling("run_code", code="1").tool_calls})]}
        return None


def ran_or_refused(state: Any) -> bool:
    return any(isinstance(message, ToolMessage) for message in state["messages"])


@pytest.mark.parametrize(("active", "executed"), [("default_agent", []), ("code_agent", ["run_code"])])
def test_a_call_that_another_middleware_smuggles_in_is_refused_where_tools_run(
    active: str, executed: list[str]
) -> None:
    agent = create_agent(
        ScriptedModel(script=who_speaks),
        middleware=[HandoffAgentMiddleware(agents(who_speaks)), Smuggler()],
        checkpointer=InMemorySaver(),
    )

    ask(agent, active_agent=active)

    assert ran == executed


def test_a_handoff_that_the_agent_may_not_make_is_refused() -> None:
    config = agents(answering(calling("transfer_to_code_agent")), handoffs=["time_agent"])
    config["time_agent"]["handoffs"] = ["code_agent"]

    response = ask(built(config))

    assert response["active_agent"] == "default_agent"
    assert results(response)["transfer_to_code_agent"].status == "error"


def test_a_handoff_that_is_refused_does_not_stand_in_the_way_of_the_next() -> None:
    config = agents(answering(calling("transfer_to_code_agent", "transfer_to_time_agent")), handoffs=["time_agent"])
    config["time_agent"]["handoffs"] = ["code_agent"]

    assert ask(built(config))["active_agent"] == "time_agent"


def test_a_tool_given_to_create_agent_belongs_to_nobody_and_is_refused() -> None:
    agent = create_agent(
        ScriptedModel(script=who_speaks),
        tools=[run_code],
        middleware=[HandoffAgentMiddleware(agents(answering(calling("run_code", code="1"))))],
    )

    agent.invoke({"messages": [HumanMessage("?")]})

    assert ran == []


def passing_to(receiver: str) -> ScriptedModel:
    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        last = messages[-1]
        if isinstance(last, ToolMessage) and last.status == "error":
            return AIMessage("I stay.")
        handoff = ToolCall(name=f"transfer_to_{receiver}", args={}, id=f"call-{len(messages)}")
        return AIMessage("", tool_calls=[handoff])

    return ScriptedModel(script=script)


def test_a_budget_stops_two_agents_from_passing_a_conversation_forever() -> None:
    agent = built(
        {
            "ping_agent": {
                "prompt": "ping",
                "model": passing_to("pong_agent"),
                "handoffs": ["pong_agent"],
                "default": True,
            },
            "pong_agent": {"prompt": "pong", "model": passing_to("ping_agent"), "handoffs": ["ping_agent"]},
        },
        handoff_budget=3,
    )

    for turn in (1, 2):
        response = ask(agent)
        handoffs = [message for message in response["messages"] if message.text.startswith("Transferred")]
        assert len(handoffs) == 3 * turn, "the budget is spent once per customer message"
        assert "the 3 handoffs allowed for one customer message are used up" in response["messages"][-2].text
        assert response["messages"][-1].text == "I stay."


def test_without_a_budget_the_same_agents_pass_it_until_langgraph_stops_them() -> None:
    agent = built(
        {
            "ping_agent": {"prompt": "1", "model": passing_to("pong_agent"), "handoffs": "all", "default": True},
            "pong_agent": {"prompt": "2", "model": passing_to("ping_agent"), "handoffs": "all"},
        }
    )

    with pytest.raises(RecursionError):
        agent.invoke({"messages": [HumanMessage("?")]}, {**SESSION, "recursion_limit": 20})
