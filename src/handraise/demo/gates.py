"""The gates: which calls of the shop's agents wait for a person, and when they need not.

A colleague who has just answered the agent's question about the very same thing is not asked twice. The gate reads that
answer itself: a model that skips the question, or goes beyond the answer, is stopped here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from handraise.agents.gate.rules import GateConfig, InterruptOn, When
from handraise.demo.database import Shop
from handraise.demo.reading.intents import Desk
from handraise.demo.reading.verdicts import share_of, verdict_of

CUSTOMER_CONFIRMS = ("cancel_order", "change_address")
"""The gated tools that a customer confirms in person: they concern nobody but the customer."""


def gates_of(shop: Shop, *, deadline: timedelta | None) -> Mapping[Desk, InterruptOn]:
    """Return the rules of each agent. After `deadline`, a call that nobody reviewed is not executed."""

    def refund_needs_review(request: ToolCallRequest) -> bool:
        args = request.tool_call["args"]
        asked, answer = _latest_answer(request, "decision_required")
        share = share_of(answer)
        order = shop.order(_customer(request), str(args.get("order_id")))
        if share is None or order is None or asked.get("order_id") != order.number:
            return True
        return round(order.cents * share) != round(float(args.get("amount") or 0) * 100)

    def cancelling_needs_review(request: ToolCallRequest) -> bool:
        asked, answer = _latest_answer(request, "risk_confirmation")
        confirmed = asked.get("order_ids") if verdict_of(answer) == "yes" else None
        wanted = request.tool_call["args"].get("order_ids") or []
        return not isinstance(confirmed, list) or not set(wanted) <= set(confirmed)

    def rule(description: str, *, risk: str = "medium", when: When = _always) -> GateConfig:
        config = GateConfig(
            allowed_decisions=["approve", "edit", "reject"], description=description, risk=risk, when=when
        )
        if deadline is not None:
            config["deadline"] = deadline
        return config

    bulk = "批量取消订单 · Cancel several orders at once"
    return {
        "reception": {},
        "orders": {
            "cancel_order": rule("取消一个订单 · Cancel one order"),
            "change_address": rule("修改收货地址 · Change the address of an order"),
            "cancel_orders": rule(bulk, risk="high", when=cancelling_needs_review),
        },
        "refunds": {"refund_order": rule("退款 · Pay an order back", risk="high", when=refund_needs_review)},
        "membership": {},
    }


def _always(_: ToolCallRequest) -> bool:
    return True


def _latest_answer(request: ToolCallRequest, question_type: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the context of the agent's last question of a type since the customer spoke, and its answer."""
    messages: list[BaseMessage] = request.state["messages"]
    asked: dict[str | None, dict[str, Any]] = {}
    found: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for message in messages:
        if isinstance(message, HumanMessage):
            asked, found = {}, ({}, {})
        elif isinstance(message, AIMessage):
            asked |= {call["id"]: call["args"] for call in message.tool_calls if call["name"] == "ask_human_agent"}
        elif isinstance(message, ToolMessage):
            question = asked.get(message.tool_call_id, {})
            if question.get("question_type") == question_type:
                found = (question.get("context") or {}, _read(message.text))
    return found


def _read(text: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) and answer.get("status") == "answered" else {}


def _customer(request: ToolCallRequest) -> str:
    return str((request.runtime.config.get("configurable") or {}).get("thread_id", "walk-in"))
