"""How several agents share one conversation."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import Runnable

from handraise.testing import ScriptedModel
from tests.agents.handoffs.desk import (
    SESSION,
    agents,
    answering,
    ask,
    built,
    calling,
    get_time,
    ran,
    results,
    who_speaks,
)


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    ran.clear()


def test_the_default_agent_speaks_first_and_the_state_says_so() -> None:
    response = ask(built(agents(who_speaks)))

    assert response["messages"][-1].text == "default speaks"
    assert response["active_agent"] == "default_agent"


def test_the_agent_that_was_handed_the_conversation_keeps_it_in_the_next_turn() -> None:
    agent = built(agents(answering(calling("transfer_to_time_agent"))))

    assert ask(agent)["messages"][-1].text == "time speaks"
    assert ask(agent)["messages"][-1].text == "time speaks"


def test_a_caller_may_choose_the_agent() -> None:
    assert ask(built(agents(who_speaks)), active_agent="code_agent")["messages"][-1].text == "code speaks"


async def test_handoffs_work_in_async_agents() -> None:
    agent = built(agents(answering(calling("transfer_to_time_agent", "run_code", code="1"))))

    response = await agent.ainvoke({"messages": [HumanMessage("?")]}, SESSION)

    assert response["messages"][-1].text == "time speaks"
    assert "run_code is not a tool of default_agent" in results(response)["run_code"].text


def test_a_stream_shows_each_agent_as_it_takes_over() -> None:
    agent = built(agents(answering(calling("transfer_to_time_agent"))))

    updates = list(agent.stream({"messages": [HumanMessage("?")]}, SESSION, stream_mode="updates"))

    assert [(node, update.get("active_agent")) for chunk in updates for node, update in chunk.items()] == [
        ("model", "default_agent"),
        ("tools", "time_agent"),
        ("model", None),
    ]


async def test_an_async_stream_carries_the_words_of_the_new_agent() -> None:
    agent = built(agents(answering(calling("transfer_to_time_agent"))))

    words = [
        piece.text
        async for piece, _ in agent.astream({"messages": [HumanMessage("?")]}, SESSION, stream_mode="messages")
        if isinstance(piece, AIMessage)
    ]

    assert "".join(words) == "time speaks"


def test_the_model_is_offered_only_the_tools_of_its_agent() -> None:
    offered: list[list[str]] = []

    class Listening(ScriptedModel):
        def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[LanguageModelInput, AIMessage]:
            offered.append([tool.name for tool in tools])
            return self

    config = agents(answering(calling("transfer_to_time_agent")))
    config["time_agent"]["model"] = Listening(script=who_speaks)
    ask(built(config))

    assert offered == [["get_time", "transfer_to_default_agent"]]


def test_tools_beside_a_handoff_run_as_calls_of_the_agent_that_made_them() -> None:
    config = agents(answering(calling("transfer_to_code_agent", "get_time")), tools=[get_time])

    response = ask(built(config))

    assert ran == ["get_time"]
    assert response["messages"][-1].text == "code speaks"


def test_an_agent_that_no_longer_exists_gives_way_to_the_default_and_the_log_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    agent = built(agents(answering(calling("transfer_to_time_agent"))))

    with caplog.at_level(logging.WARNING, logger="handraise"):
        response = ask(agent, active_agent="retired_agent")

    assert response["active_agent"] == "time_agent"
    assert [record.getMessage() for record in caplog.records] == [
        "The active agent 'retired_agent' is not in agents_config; the default agent 'default_agent' goes on."
    ]


def test_a_brief_reaches_the_next_agent_in_the_conversation_and_not_in_its_prompt() -> None:
    def reading(messages: Sequence[BaseMessage]) -> AIMessage:
        prompts = [message.text for message in messages if isinstance(message, SystemMessage)]
        return AIMessage(f"{prompts} {messages[-1].text}")

    handoff = calling("transfer_to_code_agent", asked="A script that sorts.", known="Python 3.11.\n")
    config = agents(answering(handoff))
    config["code_agent"]["model"] = ScriptedModel(script=reading)

    response = ask(built(config))

    assert response["messages"][-1].text == (
        "['code'] Transferred to code_agent\nAsked: A script that sorts.\nKnown: Python 3.11."
    )


def impatient(messages: Sequence[BaseMessage]) -> AIMessage:
    """Run code for the first message, and hand over at the second."""
    spoken = [message for message in messages if isinstance(message, HumanMessage)]
    return calling("run_code", code="1") if len(spoken) == 1 else calling("transfer_to_default_agent")


def strict_provider(messages: Sequence[BaseMessage]) -> AIMessage:
    calls = {call["id"] for message in messages if isinstance(message, AIMessage) for call in message.tool_calls}
    results = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    assert calls == results, "a model provider would refuse this history"
    return AIMessage("I am here.")


def test_a_message_written_while_a_call_waits_leaves_no_agent_with_a_call_without_a_result() -> None:
    config = agents(strict_provider)
    config["code_agent"]["model"] = ScriptedModel(script=impatient)
    config["code_agent"]["interrupt_on"] = {"run_code": True}
    agent = built(config)

    assert "__interrupt__" in ask(agent, active_agent="code_agent")
    response = ask(agent, "hello?")

    assert (response["active_agent"], response["messages"][-1].text) == ("default_agent", "I am here.")
    assert ran == []
