"""Gates and questions to people inside every agent of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware.human_in_the_loop import InterruptMode
from langchain.tools import tool
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, Interrupt

from handraise import AgentConfig, HandoffAgentMiddleware, HumanInTheLoopMiddleware, ask_human_agent, human_in_the_loop
from handraise.core.requests import Request
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.registry import read_requests
from handraise.testing import ScriptedModel

SESSION: Any = {"configurable": {"thread_id": "s"}}
AGENTS = ["desk_agent", "money_agent"]
MODES: list[InterruptMode] = ["batched", "per_call"]
APPROVAL: Any = {"batched": {"decisions": [{"type": "approve"}]}, "per_call": {"type": "approve"}}

ran: list[tuple[str, Any]] = []


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    ran.clear()


@tool
def refund(amount: int) -> str:
    """Refund an amount."""
    ran.append(("refund", amount))
    return f"refunded {amount}"


@tool
def close(order: str) -> str:
    """Close an order."""
    ran.append(("close", order))
    return f"closed {order}"


@human_in_the_loop
def ship(order: str) -> str:
    """Ship an order."""
    ran.append(("ship", order))
    return f"shipped {order}"


def call(name: str, **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args, id=f"call-{name}")


def calling(*calls: ToolCall) -> ScriptedModel:
    """Return a model that makes `calls` once for each customer message, then ends the turn."""

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        last = messages[-1]
        mine = isinstance(last, ToolMessage) and last.name in {call["name"] for call in calls}
        return AIMessage("done") if mine else AIMessage("", tool_calls=list(calls))

    return ScriptedModel(script=script)


def two_agents(desk: ScriptedModel, money: ScriptedModel | None = None) -> dict[str, AgentConfig]:
    tools = [refund, close, ship, ask_human_agent]
    return {
        "desk_agent": {"prompt": "desk", "model": desk, "tools": tools, "handoffs": "all", "default": True},
        "money_agent": {"prompt": "money", "model": money or desk, "tools": tools, "handoffs": "all"},
    }


def built(config: dict[str, AgentConfig], *, before: Sequence[Any] = (), after: Sequence[Any] = ()) -> Any:
    middleware = [*before, HandoffAgentMiddleware(config), *after]
    return create_agent(calling(), middleware=middleware, checkpointer=InMemorySaver())


def say(agent: Any, active_agent: str = "desk_agent") -> list[Interrupt[Any]]:
    """Let the customer speak, and return what then waits for a person."""
    agent.invoke({"messages": [HumanMessage("?")], "active_agent": active_agent}, SESSION)
    return waiting(agent)


def waiting(agent: Any) -> list[Interrupt[Any]]:
    return list(agent.get_state(SESSION).interrupts)


def read(request: Interrupt[Any]) -> Request:
    """Read a request as the service does."""
    raw = RawInterrupt(id=request.id, value=request.value)
    (only,) = read_requests(
        raw, asked=PauseContext(session_id="s", run_id="r", at=datetime.now(UTC), agent="the service's")
    )
    return only


def answer(agent: Any, request: Interrupt[Any], decision: Any) -> Any:
    return agent.invoke(Command(resume={request.id: decision}), SESSION)


def test_a_rule_holds_while_its_agent_is_active_and_not_for_another() -> None:
    config = two_agents(calling(call("refund", amount=5)))
    config["money_agent"]["interrupt_on"] = {"refund": True}

    assert say(built(config), "desk_agent") == []
    assert ran == [("refund", 5)]

    agent = built(config)
    (request,) = say(agent, "money_agent")
    assert ran == [("refund", 5)], "it waits"
    schema = read(request).args_schema
    assert schema is not None
    assert schema["required"] == ["amount"], "a console can show a form"
    answer(agent, request, {"type": "approve"})
    assert ran == [("refund", 5), ("refund", 5)]


def test_two_agents_may_allow_different_decisions_for_the_same_tool() -> None:
    config = two_agents(calling(call("refund", amount=5)))
    config["desk_agent"]["interrupt_on"] = {"refund": {"allowed_decisions": ["reject"]}}
    config["money_agent"]["interrupt_on"] = {"refund": {"allowed_decisions": ["approve", "reject"]}}
    agent = built(config)

    (request,) = say(agent, "desk_agent")
    with pytest.raises(ValueError, match="reject"):
        answer(agent, request, {"type": "approve"})
    assert waiting(agent) == [request], "a bad answer leaves the request open"
    answer(agent, request, {"type": "reject", "message": "not here"})
    assert ran == []

    (request,) = say(agent, "money_agent")
    answer(agent, request, {"type": "approve"})
    assert ran == [("refund", 5)]


@pytest.mark.parametrize(
    ("decision", "executed", "told"),
    [
        ({"type": "approve"}, [("refund", 5)], "refunded 5"),
        ({"type": "edit", "edited_action": {"name": "refund", "args": {"amount": 3}}}, [("refund", 3)], "refunded 3"),
        ({"type": "reject", "message": "too much"}, [], "too much"),
        ({"type": "respond", "message": "already refunded"}, [], "already refunded"),
    ],
)
async def test_every_decision_reaches_the_agent_that_asked(decision: Any, executed: Any, told: str) -> None:
    config = two_agents(calling(call("refund", amount=5)))
    config["money_agent"]["interrupt_on"] = {"refund": True}
    agent = built(config)
    await agent.ainvoke({"messages": [HumanMessage("?")], "active_agent": "money_agent"}, SESSION)
    (request,) = waiting(agent)

    said = await agent.ainvoke(Command(resume={request.id: decision}), SESSION)

    assert ran == executed
    assert told in said["messages"][-2].text
    assert said["active_agent"] == "money_agent"


QUESTION = call("ask_human_agent", question="Which order?", question_type="information_query")
ANSWER = {"status": "answered", "response": "A-7"}


@pytest.mark.parametrize("active", AGENTS)
@pytest.mark.parametrize(
    ("asks", "reply", "told"),
    [(QUESTION, ANSWER, "A-7"), (call("ship", order="A-7"), {"type": "accept"}, "shipped A-7")],
    ids=["ask_human_agent", "human_in_the_loop"],
)
def test_a_tool_that_asks_works_inside_every_agent_and_says_which_one_asked(
    asks: ToolCall, reply: Any, told: str, active: str
) -> None:
    agent = built(two_agents(calling(asks)))

    (request,) = say(agent, active)
    assert read(request).agent == active

    said = answer(agent, request, reply)
    assert told in said["messages"][-2].text
    assert said["active_agent"] == active


def gate_for_all(mode: InterruptMode) -> Any:
    return HumanInTheLoopMiddleware({"refund": True}, interrupt_mode=mode)


@pytest.mark.parametrize("active", AGENTS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("place", ["before", "after"])
def test_a_gate_for_all_agents_works_inside_each_and_says_which_one_asked(
    place: str, mode: InterruptMode, active: str
) -> None:
    agent = built(two_agents(calling(call("refund", amount=5))), **{place: [gate_for_all(mode)]})

    (request,) = say(agent, active)
    assert (read(request).tool, read(request).agent) == ("refund", active)
    assert ran == [], "it waits"

    answer(agent, request, APPROVAL[mode])
    assert ran == [("refund", 5)]


@pytest.mark.parametrize("mode", MODES)
def test_nobody_is_asked_about_a_call_that_the_agent_may_not_make(mode: InterruptMode) -> None:
    config = two_agents(calling(call("refund", amount=5)))
    config["desk_agent"]["tools"] = [ship]

    assert say(built(config, before=[gate_for_all(mode)]), "desk_agent") == []
    assert ran == []


def test_an_agents_rule_and_a_gate_for_all_ask_one_after_the_other_and_the_call_runs_once() -> None:
    config = two_agents(calling(call("refund", amount=5)))
    config["money_agent"]["interrupt_on"] = {"refund": True}
    agent = built(config, before=[gate_for_all("per_call")])

    (first,) = say(agent, "money_agent")
    answer(agent, first, {"type": "approve"})
    (second,) = waiting(agent)
    assert second.id != first.id
    assert ran == []

    answer(agent, second, {"type": "approve"})
    assert ran == [("refund", 5)]


def test_a_glob_gates_every_tool_of_an_agent() -> None:
    config = two_agents(calling(call("refund", amount=5), call("close", order="A-7")))
    config["money_agent"]["interrupt_on"] = {"*": True, "close": False}

    (request,) = say(built(config), "money_agent")

    assert read(request).tool == "refund"
    assert ran == [("close", "A-7")]


def test_a_call_that_waits_beside_a_handoff_still_belongs_to_the_agent_that_made_it() -> None:
    config = two_agents(calling(call("refund", amount=5), call("transfer_to_money_agent")))
    config["desk_agent"]["interrupt_on"] = {"refund": True}
    config["money_agent"]["tools"] = []
    agent = built(config)

    (request,) = say(agent, "desk_agent")
    assert read(request).agent == "desk_agent"
    said = answer(agent, request, {"type": "approve"})

    assert ran == [("refund", 5)]
    assert said["active_agent"] == "money_agent"


def test_a_handoff_itself_may_wait_for_a_person() -> None:
    config = two_agents(calling(call("transfer_to_money_agent")), calling(call("refund", amount=5)))
    config["desk_agent"]["interrupt_on"] = {"transfer_to_money_agent": True}
    agent = built(config)

    (request,) = say(agent, "desk_agent")
    said = answer(agent, request, {"type": "reject", "message": "keep the customer"})
    assert said["active_agent"] == "desk_agent"

    (request,) = say(agent, "desk_agent")
    said = answer(agent, request, {"type": "approve"})
    assert said["active_agent"] == "money_agent"


def test_an_agent_inside_another_agents_tool_is_the_one_that_asked() -> None:
    inner = two_agents(calling(QUESTION))

    @tool
    def consult() -> str:
        """Consult other agents."""
        said = create_agent(calling(), middleware=[HandoffAgentMiddleware(inner)]).invoke(
            {"messages": [HumanMessage("?")]}
        )
        return str(said["messages"][-1].text)

    config: dict[str, AgentConfig] = {
        "front_agent": {
            "prompt": "",
            "model": calling(call("consult")),
            "tools": [consult],
            "handoffs": [],
            "default": True,
        }
    }
    agent = built(config)

    (request,) = say(agent, "front_agent")
    assert read(request).agent == "desk_agent"
    assert answer(agent, request, ANSWER)["messages"][-1].text == "done"
