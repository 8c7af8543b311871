"""A tool behind a person: the decorator asks before every call, and the answer decides what runs."""

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolCall
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import human_in_the_loop
from handraise.testing import ScriptedModel


@human_in_the_loop
def refund(order: str, amount: float) -> str:
    """Refund an order."""
    return f"Refunded {amount} for order {order}."


# Any chat model goes here; this one needs no key.
model = ScriptedModel.replaying(
    AIMessage("", tool_calls=[ToolCall(name="refund", args={"order": "12345", "amount": 500}, id="call_1")]),
    AIMessage("Your refund is on its way."),
)
agent = create_agent(model, [refund], checkpointer=InMemorySaver())
session = {"configurable": {"thread_id": "1"}}

paused = agent.invoke({"messages": [("user", "I want my money back")]}, session)
print("Asked:", paused["__interrupt__"][0].value)

try:
    agent.invoke(Command(resume={"type": "edit", "args": {"order": "12345", "amount": "lots"}}), session)
except ValueError as refused:
    print("Refused, and still answerable:", str(refused).splitlines()[1].strip())

done = agent.invoke(Command(resume={"type": "edit", "args": {"order": "12345", "amount": 50}}), session)
print("Ran:", done["messages"][-2].text)
