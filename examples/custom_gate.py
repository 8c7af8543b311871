"""A review of one's own: two different people have to approve a large transfer.

`HumanInTheLoopMiddleware` asks one person. Where that is not enough, write a middleware with LangGraph's `interrupt`,
and let `run_approved` run exactly what was approved, once. Run it: `python examples/custom_gate.py`
"""

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from handraise.gates import digest, run_approved
from handraise.testing import ScriptedModel


class FourEyes(AgentMiddleware):
    """Asks one person, then another one."""

    def wrap_tool_call(self, request, handler):
        call = request.tool_call
        if call["name"] != "transfer" or call["args"]["amount"] < 10_000:
            return handler(request)
        shown = digest(call["name"], call["args"])
        people = []
        while len(people) < 2:
            answer = interrupt({"question": f"Transfer {call['args']}?", "digest": shown, "approved_by": list(people)})
            if not answer["approve"]:
                return ToolMessage(f"{answer['by']} said no.", tool_call_id=call["id"], status="error")
            if answer["by"] not in people:
                people.append(answer["by"])
        return run_approved(request, handler, shown=shown)


def transfer(to: str, amount: int) -> str:
    """Send money."""
    return f"{amount} sent to {to}"


plan = {"name": "transfer", "args": {"to": "ACME", "amount": 25_000}, "id": "call-1"}
model = ScriptedModel.replaying(AIMessage("", tool_calls=[plan]), AIMessage("The transfer is on its way."))
agent = create_agent(model, [transfer], middleware=[FourEyes()], checkpointer=InMemorySaver())
session = {"configurable": {"thread_id": "1"}}

result = agent.invoke({"messages": [{"role": "user", "content": "Pay ACME"}]}, session)
for person in ["Ann", "Ann", "Bob"]:
    print(result["__interrupt__"][0].value["question"], "approved by", result["__interrupt__"][0].value["approved_by"])
    result = agent.invoke(Command(resume={"approve": True, "by": person}), session)
for message in result["messages"]:
    print(f"{message.type}: {message.text}")
