"""An agent asks a person backstage, and stays the one who answers the customer."""

import json
from collections.abc import Sequence

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import AskHumanAgentTool, guidance
from handraise.testing import ScriptedModel


def script(messages: Sequence[BaseMessage]) -> AIMessage:
    """Ask for a decision, then pass it on: what a real model does with the guidance below."""
    if isinstance(last := messages[-1], ToolMessage):
        answer = json.loads(last.text)
        return AIMessage(answer["response"] if answer["status"] == "answered" else "抱歉，请稍后再试。")
    args = {
        "question": "客户要求退款，但商品已拆封，如何处理？",
        "question_type": "decision_required",
        "context": {"user_question": messages[-1].text},
        "options": [{"id": "A", "label": "全额退款"}, {"id": "B", "label": "退款 50%"}, {"id": "C", "label": "不退款"}],
    }
    return AIMessage("正在为您核实，请稍候。", tool_calls=[ToolCall(name="ask_human_agent", args=args, id="call_1")])


agent = create_agent(
    ScriptedModel(script=script),
    [AskHumanAgentTool(language="zh", timeout_seconds=300, fallback="ticket")],
    system_prompt=guidance(language="zh"),
    checkpointer=InMemorySaver(),
)

for answer in ({"selected_option": "B"}, {"response": "先请客户寄回"}, {"status": "timeout"}):
    session = {"configurable": {"thread_id": str(answer)}}
    paused = agent.invoke({"messages": [("user", "我要退款，但商品已经拆封了")]}, session)
    print("Customer reads:", paused["messages"][-1].text)
    print("Operator reads:", paused["__interrupt__"][0].value["question"])
    done = agent.invoke(Command(resume=answer), session)
    print("Tool returned: ", done["messages"][-2].text)
    print("Customer reads:", done["messages"][-1].text, end="\n\n")
