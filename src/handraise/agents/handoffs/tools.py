"""The tools that hand a conversation to another agent."""

from __future__ import annotations

from typing import Annotated, Any

from langchain.tools import ToolRuntime
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, tool
from langgraph.types import Command

Asked = Annotated[str, "What was asked, in a sentence or two. Optional."]
Known = Annotated[str, "What is known so far, so that nobody has to ask again. Optional."]


def handoff_tool_name(receiver: str) -> str:
    return f"transfer_to_{receiver}" if receiver.endswith("_agent") else f"transfer_to_{receiver}_agent"


def handoff_tool(receiver: str, *, description: str | None = None) -> BaseTool:
    """Return the tool that hands the conversation to `receiver`, with a brief when the model writes one."""

    @tool(handoff_tool_name(receiver), description=description or f"Transfer to the {receiver}")
    def hand_over(runtime: ToolRuntime, asked: Asked = "", known: Known = "") -> Command[Any]:
        done = ToolMessage(_with_brief(f"Transferred to {receiver}", asked, known), tool_call_id=runtime.tool_call_id)
        return Command(update={"messages": [done], "active_agent": receiver})

    return hand_over


def _with_brief(result: str, asked: str, known: str) -> str:
    # The brief travels in the conversation, not in the next agent's system prompt: it may quote the customer, and a
    # customer's words must not gain the authority of a prompt.
    lines = [f"{label}: {text.strip()}" for label, text in (("Asked", asked), ("Known", known)) if text.strip()]
    return "\n".join([result, *lines])
