"""An inbox of one's own: read whatever an agent paused on as requests, and answer in the words that it expects."""

from datetime import UTC, datetime

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, ToolCall
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import ask_human_agent, human_in_the_loop
from handraise.inbox import Actor, Approve, PauseContext, RawInterrupt, Respond, offered, read_requests, write_resume
from handraise.testing import ScriptedModel


@human_in_the_loop
def refund(order: str) -> str:
    """Refund an order."""
    return f"Refunded {order}."


def send_email(to: str) -> str:
    """Send an e-mail."""
    return f"Sent to {to}."


calls = [
    ToolCall(name="refund", args={"order": "7"}, id="call_1"),
    ToolCall(name="send_email", args={"to": "a@example.com"}, id="call_2"),
    ToolCall(name="ask_human_agent", args={"question": "Why?", "question_type": "knowledge_gap"}, id="call_3"),
]
agent = create_agent(
    ScriptedModel.replaying(AIMessage("", tool_calls=calls), AIMessage("All done.")),
    [refund, send_email, ask_human_agent],
    middleware=[HumanInTheLoopMiddleware({"send_email": True}, interrupt_mode="per_call")],
    checkpointer=InMemorySaver(),
)
session = {"configurable": {"thread_id": "1"}}
paused = agent.invoke({"messages": [("user", "Please see to it")]}, session)

now, ana, answers = datetime.now(UTC), Actor(kind="operator", id="ana"), {}
for pause in paused["__interrupt__"]:
    asked = PauseContext(session_id="1", run_id="1", at=now)
    requests = read_requests(RawInterrupt(id=pause.id, value=pause.value), asked=asked)
    for request in requests:
        print(f"{request.dialect:>18}: {request.tool or request.question} -> {', '.join(offered(request))}")
    decision = [Approve() if "approve" in request.allowed else Respond(text="Because.") for request in requests]
    decided = [request.decide(each, by=ana, at=now) for request, each in zip(requests, decision, strict=True)]
    answers[pause.id] = write_resume(decided)

done = agent.invoke(Command(resume=answers), session)
print([message.text for message in done["messages"][2:]])
