"""An agent to start from. It runs offline: put your own model in place of the scripted one."""

from __future__ import annotations

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from handraise import HumanInTheLoopMiddleware
from handraise.testing import ScriptedModel


@tool
def send_email(to: str, subject: str) -> str:
    """Send an e-mail to a customer."""
    return f"sent {subject!r} to {to}"


# For a real model: `model = "openai:gpt-5"`, with its key in the environment.
model = ScriptedModel.replaying(
    AIMessage(
        "I will write to them.",
        tool_calls=[{"name": "send_email", "args": {"to": "ada@example.com", "subject": "Your order"}, "id": "call_1"}],
    ),
    AIMessage("Done."),
)

agent = create_agent(
    model,
    [send_email],
    # A person sees every e-mail before it is sent.
    middleware=[HumanInTheLoopMiddleware(interrupt_on={"send_email": True})],
)
