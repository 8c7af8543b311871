"""A desk with three agents: one that every conversation starts with, one that tells the time, one that runs code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain.tools import tool
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from handraise import AgentConfig, HandoffAgentMiddleware
from handraise.testing import Script, ScriptedModel

ran: list[str] = []
"""The tools that ran; a test begins with none."""


@tool
def get_time() -> str:
    """Tell the time."""
    ran.append("get_time")
    return "12:00"


@tool
def run_code(code: str) -> str:
    """Run code."""
    ran.append("run_code")
    return f"ran {code}"


def calling(*names: str, **args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[ToolCall(name=name, args=args, id=f"call-{name}") for name in names])


def answering(reply: AIMessage) -> Script:
    """Return a script that says `reply` once, and ends the turn after it has seen the results."""

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        return AIMessage("done") if isinstance(messages[-1], ToolMessage) else reply

    return script


def agents(default: Script, **changes: Any) -> dict[str, AgentConfig]:
    first: Any = {"prompt": "default", "model": ScriptedModel(script=default), "default": True, "handoffs": "all"}
    return {
        "default_agent": first | changes,
        "time_agent": {"prompt": "time", "tools": [get_time], "handoffs": ["default_agent"]},
        "code_agent": {"prompt": "code", "tools": [run_code], "handoffs": ["default_agent"]},
    }


def who_speaks(messages: Sequence[BaseMessage]) -> AIMessage:
    return AIMessage(f"{messages[0].text} speaks")


def built(config: dict[str, AgentConfig], **options: Any) -> Any:
    return create_agent(
        ScriptedModel(script=who_speaks),
        middleware=[HandoffAgentMiddleware(config, **options)],
        checkpointer=InMemorySaver(),
    )


SESSION: Any = {"configurable": {"thread_id": "s"}}


def ask(agent: Any, text: str = "?", **state: Any) -> Any:
    return agent.invoke({"messages": [HumanMessage(text)], **state}, SESSION)


def results(response: Any) -> dict[str, ToolMessage]:
    return {str(message.name): message for message in response["messages"] if isinstance(message, ToolMessage)}
