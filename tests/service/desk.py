"""A help desk's agent on a scripted model, which does what the tests of the service ask of it by keyword."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import ToolException, tool

from handraise.agents.ask_human.tool import AskHumanAgentTool
from handraise.agents.gate.middleware import HumanInTheLoopMiddleware
from handraise.testing import ScriptedModel
from tests.running import RunningDemo

# The documented examples of calls, word for word.
INFORMATION = {
    "question": "请帮我查询订单 #12345 的发货时间",
    "question_type": "information_query",
    "context": {"user_question": "我的订单什么时候发货?", "order_id": "#12345"},
    "urgency": "medium",
}
DECISION = {
    "question": "用户要求退款拆封商品，请选择处理策略",
    "question_type": "decision_required",
    "context": {
        "user_question": "我要退款，但商品已经拆封了",
        "relevant_info": "订单: #12345, 商品: iPhone 15, 已拆封",
    },
    "options": [
        {"id": "A", "label": "批准全额退款", "description": "100% 退款"},
        {"id": "B", "label": "批准部分退款", "description": "50% 退款 (拆封折损)"},
        {"id": "C", "label": "拒绝退款", "description": "已拆封不支持退款"},
    ],
    "urgency": "high",
}
LONG = " ".join(f"word{number}" for number in range(60))


@tool
def transfer(amount: float) -> str:
    """Transfer an amount to the customer's account."""
    return f"transferred {amount:g}"


@tool
def transmit(order_id: str, token: str) -> str:
    """Transmit an order, with a token that nobody shall read."""
    return f"transmitted {order_id} with {len(token)} characters"


@tool
def refund(order_id: str) -> str:
    """Refund an order."""
    return f"refunded {order_id}"


@tool
def look_up(order_id: str) -> str:
    """Look an order up."""
    raise ToolException("the order system is down")


look_up.handle_tool_error = True

_CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "transfer twice": [("transfer", {"amount": 1.5}), ("transfer", {"amount": 2})],
    "transfer and refund": [("transfer", {"amount": 3}), ("refund", {"order_id": "7"})],
    "transfer": [("transfer", {"amount": 42.5})],
    "transmit": [("transmit", {"order_id": "7", "token": "a-secret-of-21-letters"})],
    "refund": [("refund", {"order_id": "12345"})],
    "look up": [("look_up", {"order_id": "7"})],
    "什么时候发货": [("ask_human_agent", INFORMATION)],
    "expert": [("ask_the_expert", INFORMATION)],
    "拆封": [("ask_human_agent", DECISION)],
    "inform": [("ask_inform", INFORMATION)],
    "ticket": [("ask_ticket", INFORMATION)],
    "self-service": [("ask_self_service", INFORMATION)],
}


def _reply(messages: Sequence[BaseMessage]) -> AIMessage:
    last = messages[-1]
    if isinstance(last, ToolMessage):
        return AIMessage(f"Result: {_plain(last)}")
    if not isinstance(last, HumanMessage):
        return AIMessage("There is nothing to answer.")
    if "explode" in last.text:
        raise RuntimeError("the model is down")
    if "long" in last.text:
        return AIMessage(LONG)
    for words, calls in _CALLS.items():
        if words in last.text:
            turn = len(messages)
            return AIMessage(
                "One moment." if "politely" in last.text else "",
                tool_calls=[
                    {"name": name, "args": args, "id": f"call_{turn}_{number}"}
                    for number, (name, args) in enumerate(calls)
                ],
            )
    heard = [message.text for message in messages if isinstance(message, AIMessage)]
    return AIMessage(f"You said: {last.text}" if "history" not in last.text else f"I said: {' | '.join(heard)}")


def _plain(result: ToolMessage) -> str:
    if result.name and result.name.startswith("ask_"):
        answer = json.loads(result.text)
        return str(answer.get("response", answer["status"]))
    return result.text


def _asking(name: str, fallback: str) -> AskHumanAgentTool:
    return AskHumanAgentTool.model_validate({"name": name, "fallback": fallback, "timeout_seconds": 0.3})


agent = create_agent(
    ScriptedModel(script=_reply),
    [
        transfer,
        transmit,
        refund,
        look_up,
        AskHumanAgentTool(language="zh"),
        AskHumanAgentTool(name="ask_the_expert"),
        _asking("ask_inform", "inform"),
        _asking("ask_ticket", "ticket"),
        _asking("ask_self_service", "self_service"),
    ],
    middleware=[HumanInTheLoopMiddleware({"transfer": True, "transmit": True, "refund": True})],
)


class RunningDesk(RunningDemo):
    """`handraise serve` with this agent; the customer confirms transfers."""

    command: ClassVar[list[str]] = ["serve", f"{__name__}:agent"]
    environment: ClassVar[dict[str, str]] = {
        "HANDRAISE_CUSTOMER_CONFIRMS": "trans*",
        "HANDRAISE_LIMITS_SESSION_REQUESTS_PER_MINUTE": "100000",
        "HANDRAISE_LIMITS_REQUESTS_PER_MINUTE": "100000",
        "PYTHONPATH": f"{Path(__file__).parents[2]}:{Path(__file__).parents[2] / 'src'}",
    }

    def __init__(self, database_url: str) -> None:
        super().__init__(database_url, "--name", "desk")
