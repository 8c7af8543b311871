"""A configuration that cannot work is refused before the first conversation, by an error that names the agent."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.tools import tool
from langchain_core.messages import AIMessage

from handraise import AgentConfig, HandoffAgentMiddleware
from handraise.core.errors import Misconfigured
from handraise.testing import ScriptedModel

A: AgentConfig = {"prompt": "a", "handoffs": [], "default": True}
B: AgentConfig = {"prompt": "b", "handoffs": []}


@tool
def look_up() -> str:
    """Look it up."""
    return "found"


@tool("look_up")
def another_look_up() -> str:
    """Look it up elsewhere."""
    return "found elsewhere"


@tool("transfer_to_b_agent")
def posing_as_a_handoff() -> str:
    """Not a handoff."""
    return ""


@tool("look up!")
def badly_named() -> str:
    """Look it up."""
    return ""


@pytest.mark.parametrize(
    ("config", "what", "fix"),
    [
        pytest.param({}, "agents_config is empty.", 'Add an agent, with "default": True.', id="empty"),
        pytest.param(
            {"a": {**A, "default": False}, "b": B},
            "No agent is the default among: a, b.",
            'Set "default": True on the agent that speaks first.',
            id="no default",
        ),
        pytest.param(
            {"a": A, "b": {**B, "default": True}},
            "2 agents are the default: a, b.",
            "Keep \"default\": True on one of them, for example 'a'.",
            id="two defaults",
        ),
        pytest.param(
            {"a": {**A, "handoffs": ["c"]}, "b": B},
            "Agent 'a' hands to 'c', which agents_config does not have.",
            "Use one of: b.",
            id="unknown target",
        ),
        pytest.param(
            {"a": {**A, "handoffs": ["a"]}, "b": B},
            "Agent 'a' hands to itself.",
            "Remove 'a' from its handoffs.",
            id="self-handoff",
        ),
        pytest.param(
            {"a": {**A, "handoffs": "b"}, "b": B},
            "Agent 'a' has \"handoffs\": 'b'.",
            'Write ["b"], or "all" for every other agent.',
            id="handoffs as a word",
        ),
        pytest.param(
            {"a": {**A, "handoffs": "all"}, "time": B, "time_agent": B},
            "Two tools are named 'transfer_to_time_agent': one of the handoff to agent 'time', "
            "one of the handoff to agent 'time_agent'.",
            "Rename agent 'time_agent' or the other one.",
            id="time and time_agent",
        ),
        pytest.param(
            {"a": {**A, "tools": [look_up]}, "b": {**B, "tools": [another_look_up]}},
            "Two tools are named 'look_up': one of agent 'a', one of agent 'b'.",
            "Rename one of them, or use the same tool object in both.",
            id="two tools of one name",
        ),
        pytest.param(
            {"a": {**A, "handoffs": ["b"], "tools": [posing_as_a_handoff]}, "b": B},
            "Two tools are named 'transfer_to_b_agent': one of the handoff to agent 'b', one of agent 'a'.",
            "Rename one of them, or use the same tool object in both.",
            id="a tool with a handoff's name",
        ),
        pytest.param(
            {"a": {**A, "tools": [badly_named]}},
            "A tool of agent 'a' is named 'look up!', which model providers refuse.",
            "Use letters, digits, _ and -.",
            id="invalid tool name",
        ),
        pytest.param(
            {"a": {**A, "handoffs": ["时间"]}, "时间": B},
            "Agent '时间' needs a handoff tool named 'transfer_to_时间_agent', which model providers refuse.",
            "Name it with at most 46 letters, digits, _ and -, or give it a tool in handoffs_tool_overrides.",
            id="invalid handoff tool name",
        ),
        pytest.param(
            {"a": {**A, "tools": [7]}},
            "Agent 'a' lists 7 as a tool.",
            "Give a tool, a function or a provider's dict.",
            id="not a tool",
        ),
        pytest.param(
            {"a": {"prompt": "a", "default": True}},
            "Agent 'a' has no 'handoffs'.",
            'Add it; an agent that hands to nobody has "handoffs": [].',
            id="no handoffs",
        ),
        pytest.param(
            {"a": {**A, "handoffs": None}},
            "Agent 'a' has \"handoffs\": None.",
            'Write [] for an agent that hands to nobody, or "all" for every other agent.',
            id="handoffs of None",
        ),
        pytest.param(
            {"a": {**A, "promt": "a"}},
            "Agent 'a' has an unknown field 'promt'.",
            "Use one of: prompt, handoffs, model, tools, default, interrupt_on.",
            id="misspelt field",
        ),
        pytest.param(
            {"a": {**A, "prompt": 7}},
            "The prompt of agent 'a' is 7.",
            "Give a string or a SystemMessage.",
            id="prompt of a wrong type",
        ),
        pytest.param(
            {"a": {**A, "model": 7}},
            "The model of agent 'a' is 7.",
            'Give a chat model or a string such as "openai:gpt-5".',
            id="model of a wrong type",
        ),
        pytest.param(
            {"a": {**A, "tools": [look_up], "interrupt_on": {"lookup": True}}},
            "interrupt_on of agent 'a' names 'lookup', which that agent cannot call.",
            "Use one of: look_up.",
            id="rule for a tool it lacks",
        ),
    ],
)
def test_a_mistake_is_refused_at_construction_with_the_fix(config: Any, what: str, fix: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        HandoffAgentMiddleware(config)

    assert (caught.value.what, caught.value.fix) == (what, fix)


@pytest.mark.parametrize("parameter", ["custom_handoffs_tool_descriptions", "handoffs_tool_overrides"])
def test_a_description_or_override_for_an_unknown_agent_is_refused(parameter: str) -> None:
    given: dict[str, Any] = {parameter: {"c": look_up}}
    with pytest.raises(
        Misconfigured, match=f"{parameter} names agent 'c', which agents_config does not have. Use one of"
    ):
        HandoffAgentMiddleware({"a": A, "b": B}, **given)


@pytest.mark.parametrize("rule", [{"allowed_decisions": []}, {"allowed_decisions": ["aprove"]}])
def test_a_rule_that_cannot_work_is_refused_and_says_whose_it_is(rule: Any) -> None:
    config: AgentConfig = {**A, "tools": [look_up], "interrupt_on": {"look_up": rule}}
    with pytest.raises(Misconfigured, match=r"interrupt_on of agent 'a' cannot work\. .*look_up"):
        HandoffAgentMiddleware({"a": config})


def test_an_override_that_is_a_plain_function_is_refused() -> None:
    given: Any = {"b": len}
    with pytest.raises(Misconfigured, match=r"for agent 'b' is .* not a tool\. Decorate the function with @tool\."):
        HandoffAgentMiddleware({"a": {**A, "handoffs": "all"}, "b": B}, handoffs_tool_overrides=given)


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(Misconfigured, match="handoff_budget is 0"):
        HandoffAgentMiddleware({"a": A}, handoff_budget=0)


def test_a_model_that_cannot_be_loaded_says_whose_it_is() -> None:
    with pytest.raises(ValueError, match="nobody") as caught:
        HandoffAgentMiddleware({"a": {**A, "model": "nobody:nothing"}})

    assert caught.value.__notes__ == ["This is the model of agent 'a': 'nobody:nothing'."]


def test_agents_may_share_a_tool_and_a_plain_function() -> None:
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    middleware = HandoffAgentMiddleware({"a": {**A, "tools": [look_up, add]}, "b": {**B, "tools": [look_up, add]}})

    assert [tool.name for tool in middleware.tools] == ["look_up", "add"]


def test_a_providers_own_tool_is_shown_to_the_model_and_never_run_here() -> None:
    search = {"type": "web_search"}
    middleware = HandoffAgentMiddleware({"a": {**A, "tools": [search]}})

    assert middleware.tools == []
    assert middleware.roster.default.offered == [search]


def test_a_field_that_may_be_left_out_may_be_none() -> None:
    config: Any = {"a": {**A, "tools": None, "interrupt_on": None, "model": None, "default": True}}

    agent = HandoffAgentMiddleware(config).roster.default

    assert (agent.tools, agent.provider_tools, agent.model) == ({}, (), None)


def test_a_model_instance_is_used_as_it_is() -> None:
    model = ScriptedModel.replaying(AIMessage("hi"))

    assert HandoffAgentMiddleware({"a": {**A, "model": model}}).roster.default.model is model
