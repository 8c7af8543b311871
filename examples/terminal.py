"""Review an agent in the terminal, without a server: approve, edit, reject or respond as it asks."""

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, ToolCall
from langgraph.checkpoint.memory import InMemorySaver

from handraise import ask_human_agent, review_in_terminal
from handraise.testing import ScriptedModel


def cancel_orders(orders: list[str]) -> str:
    """Cancel orders."""
    return f"Cancelled {len(orders)} orders."


question = {"question": "Is the customer who they say they are?", "question_type": "risk_confirmation"}
model = ScriptedModel.replaying(
    AIMessage("", tool_calls=[ToolCall(name="ask_human_agent", args=question, id="call_1")]),
    AIMessage("", tool_calls=[ToolCall(name="cancel_orders", args={"orders": ["001", "002"]}, id="call_2")]),
    AIMessage("Your orders are cancelled."),
)
agent = create_agent(
    model,
    [cancel_orders, ask_human_agent],
    middleware=[HumanInTheLoopMiddleware({"cancel_orders": True})],
    checkpointer=InMemorySaver(),
)

state = review_in_terminal(agent, {"messages": [("user", "Cancel my orders 001 and 002")]}, language="en")
for message in state["messages"]:
    print(f"{message.type:>5}: {message.text}")
