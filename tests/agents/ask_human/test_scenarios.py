"""Four scenarios of a help desk, from the customer's question to the agent's answer, in Chinese and English."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import AskHumanAgentTool, guidance
from handraise.core.actors import Actor
from handraise.core.decisions import Respond
from handraise.core.languages import Language
from handraise.core.requests import QuestionType
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.registry import read_requests, write_resume
from handraise.testing import ScriptedModel

SESSION: RunnableConfig = {"configurable": {"thread_id": "550e"}}


@dataclass(frozen=True)
class Scenario:
    language: Language
    type: QuestionType
    customer: str
    meanwhile: str
    question: str
    answer: Respond
    final: str
    options: tuple[dict[str, str], ...] = ()


SCENARIOS = [
    Scenario(
        language="zh",
        type="information_query",
        customer="帮我查一下订单 #12345 的发货时间",
        meanwhile="正在为您核实订单信息，请稍候...",
        question="请帮我查询订单 #12345 的发货时间",
        answer=Respond(text="该订单已于 2025-12-20 发货，物流单号 SF123456"),
        final="已为您查到：该订单已于 2025-12-20 发货，物流单号 SF123456",
    ),
    Scenario(
        language="en",
        type="information_query",
        customer="When was order #12345 shipped?",
        meanwhile="I am checking your order, one moment please.",
        question="Please look up when order #12345 was shipped.",
        answer=Respond(text="Shipped on 2025-12-20, tracking number SF123456"),
        final="Here is what I found: Shipped on 2025-12-20, tracking number SF123456",
    ),
    Scenario(
        language="zh",
        type="decision_required",
        customer="我要退款，但商品已经拆封了",
        meanwhile="正在为您核实，请稍候。",
        question="用户要求退款拆封商品，是否批准？",
        options=(
            {"id": "A", "label": "批准全额退款"},
            {"id": "B", "label": "批准 50% 退款"},
            {"id": "C", "label": "拒绝退款"},
        ),
        answer=Respond(selected_option="B"),
        final="已为您查到：批准 50% 退款",
    ),
    Scenario(
        language="en",
        type="decision_required",
        customer="I want a refund, but I opened the box.",
        meanwhile="Let me check that for you.",
        question="The customer wants a refund for an opened item. Approve it?",
        options=({"id": "A", "label": "Full refund"}, {"id": "B", "label": "Half"}, {"id": "C", "label": "No refund"}),
        answer=Respond(selected_option="B"),
        final="Here is what I found: Half",
    ),
    Scenario(
        language="zh",
        type="risk_confirmation",
        customer="帮我取消所有待支付的订单",
        meanwhile="正在为您确认，请稍候。",
        question="用户请求取消 5 个待支付订单，总金额 5000 元，是否执行？",
        answer=Respond(text="确认执行"),
        final="已为您查到：确认执行",
    ),
    Scenario(
        language="en",
        type="risk_confirmation",
        customer="Cancel all my unpaid orders.",
        meanwhile="I am confirming this, one moment.",
        question="The customer wants to cancel 5 unpaid orders worth 5000 yuan. Go ahead?",
        answer=Respond(text="Go ahead"),
        final="Here is what I found: Go ahead",
    ),
    Scenario(
        language="zh",
        type="knowledge_gap",
        customer="你们的会员积分规则是什么？",
        meanwhile="正在为您查询，请稍候。",
        question="用户咨询会员积分规则，知识库无相关内容，请提供信息",
        answer=Respond(text="1 元消费 = 1 积分，100 积分 = 1 元"),
        final="已为您查到：1 元消费 = 1 积分，100 积分 = 1 元",
    ),
    Scenario(
        language="en",
        type="knowledge_gap",
        customer="How do your loyalty points work?",
        meanwhile="Let me find out.",
        question="A customer asks about loyalty points and our sources say nothing. Please explain them.",
        answer=Respond(text="1 yuan earns 1 point; 100 points are worth 1 yuan"),
        final="Here is what I found: 1 yuan earns 1 point; 100 points are worth 1 yuan",
    ),
]


def model_for(scenario: Scenario) -> ScriptedModel:
    args = {
        "question": scenario.question,
        "question_type": scenario.type,
        "context": {"user_question": scenario.customer},
        "options": list(scenario.options),
        "urgency": "high" if scenario.type == "risk_confirmation" else "medium",
    }
    opening = {"zh": "已为您查到：", "en": "Here is what I found: "}[scenario.language]

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        if isinstance(last := messages[-1], ToolMessage):
            return AIMessage(opening + json.loads(last.text)["response"])
        return AIMessage(scenario.meanwhile, tool_calls=[{"name": "ask_human_agent", "args": args, "id": "call_1"}])

    return ScriptedModel(script=script)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: f"{scenario.type}-{scenario.language}")
async def test_a_person_helps_backstage_and_the_agent_answers_the_customer(scenario: Scenario) -> None:
    agent = create_agent(
        model_for(scenario),
        [AskHumanAgentTool(language=scenario.language)],
        system_prompt=guidance(language=scenario.language),
        checkpointer=InMemorySaver(),
    )

    paused: dict[str, Any] = await agent.ainvoke({"messages": [HumanMessage(scenario.customer)]}, SESSION)
    (pause,) = paused["__interrupt__"]
    asked = PauseContext(session_id="550e", run_id="run", at=datetime.now(UTC))
    (request,) = read_requests(RawInterrupt(id=pause.id, value=pause.value), asked=asked)

    assert paused["messages"][-1].text == scenario.meanwhile, "the customer is told that it is being checked"
    assert (request.question, request.question_type) == (scenario.question, scenario.type)
    assert request.context == {"user_question": scenario.customer}
    assert [option.id for option in request.options] == [option["id"] for option in scenario.options]

    decided = request.decide(scenario.answer, by=Actor(kind="operator", id="agent_001"), at=datetime.now(UTC))
    result = await agent.ainvoke(Command(resume={pause.id: write_resume([decided])}), SESSION)

    assert result["messages"][-1].text == scenario.final
