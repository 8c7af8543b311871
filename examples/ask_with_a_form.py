"""A question whose answer has a shape: the person fills a form, and the agent gets what a Pydantic model accepts."""

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolCall
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import BaseModel, Field

from handraise import ask_human
from handraise.testing import ScriptedModel


class Shipment(BaseModel):
    """What the warehouse knows."""

    carrier: str
    tracking_number: str
    days: int = Field(ge=0, description="Days until delivery")


ask_warehouse = ask_human(schema=Shipment, name="ask_warehouse")
question = {"question": "Where is order 12345?", "question_type": "information_query"}
model = ScriptedModel.replaying(
    AIMessage("One moment please.", tool_calls=[ToolCall(name="ask_warehouse", args=question, id="call_1")]),
    AIMessage("It arrives in three days."),
)
agent = create_agent(model, [ask_warehouse], checkpointer=InMemorySaver())
session = {"configurable": {"thread_id": "1"}}

paused = agent.invoke({"messages": [("user", "Where is my order?")]}, session)
print("The form:", list(paused["__interrupt__"][0].value["response_schema"]["properties"]))

try:
    agent.invoke(Command(resume={"carrier": "SF", "tracking_number": "SF123456", "days": -1}), session)
except ValueError as refused:
    print("Refused:", str(refused).splitlines()[1].strip())

done = agent.invoke(Command(resume={"carrier": "SF", "tracking_number": "SF123456", "days": "3"}), session)
print("The agent got:", done["messages"][-2].text)
