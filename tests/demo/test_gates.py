"""The gates stop a model that skips the question, or goes beyond its answer; and they do not ask twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise.demo.database import Shop
from handraise.demo.reading.intents import DESKS
from handraise.demo.shop import build_agent
from handraise.testing import ScriptedModel

pytestmark = pytest.mark.real

CUSTOMER: RunnableConfig = {"configurable": {"thread_id": "ann"}}
UNPAID = ["1005", "1006", "1007", "1008", "1009"]


def calling(name: str, **args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"call_{name}"}])


def asking(question_type: str, **context: Any) -> AIMessage:
    return calling("ask_human_agent", question="May I?", question_type=question_type, context=context)


def ask(file: Path, *turns: AIMessage, answer: Any) -> list[Any]:
    """Let a model take these turns with one answer to its question, and return what is asked after it."""
    model = ScriptedModel.replaying(*turns, AIMessage("Done."))
    agent = build_agent(file, models=dict.fromkeys(DESKS, model)).copy(update={"checkpointer": InMemorySaver()})
    paused = agent.invoke({"messages": [("user", "Hello")]}, CUSTOMER)
    [question] = paused["__interrupt__"]
    after = agent.invoke(Command(resume={question.id: answer}), CUSTOMER)
    return [interrupt.value["name"] for interrupt in after.get("__interrupt__", [])]


@pytest.mark.parametrize(
    ("answer", "order", "amount", "asked"),
    [
        ({"response": "50 %", "selected_option": None}, "1004", 149.5, []),
        ("批准全额退款", "1004", 299.0, []),
        ("批准全额退款", "1004", 299.01, ["refund_order"]),
        ("50 %", "1004", 299.0, ["refund_order"]),
        ("批准全额退款", "1002", 128.0, ["refund_order"]),
        ("no", "1004", 299.0, ["refund_order"]),
        ("I would ask the lab", "1004", 299.0, ["refund_order"]),
        ({"status": "timeout", "error": "Nobody answered."}, "1004", 299.0, ["refund_order"]),
    ],
)
def test_only_what_a_colleague_granted_is_refunded_without_review(
    tmp_path: Path, answer: Any, order: str, amount: float, asked: list[str]
) -> None:
    turns = (
        calling("transfer_to_refunds_agent"),
        asking("decision_required", order_id="1004"),
        calling("refund_order", order_id=order, amount=amount),
    )

    assert ask(tmp_path / "shop.db", *turns, answer=answer) == asked
    refunds = {each.number: each.refunded_cents for each in Shop(tmp_path / "shop.db").orders("ann")}
    assert (refunds[order] > 0) is (not asked)


@pytest.mark.parametrize(
    ("answer", "orders", "asked"),
    [
        ("确认执行", UNPAID, []),
        ("go ahead", UNPAID[:2], []),
        ("go ahead", [*UNPAID, "1001"], ["cancel_orders"]),
        ("不要执行", UNPAID, ["cancel_orders"]),
        ({"status": "timeout", "error": "Nobody answered."}, UNPAID, ["cancel_orders"]),
    ],
)
def test_only_what_a_colleague_confirmed_is_cancelled_without_review(
    tmp_path: Path, answer: Any, orders: list[str], asked: list[str]
) -> None:
    turns = (
        calling("transfer_to_orders_agent"),
        asking("risk_confirmation", order_ids=UNPAID),
        calling("cancel_orders", order_ids=orders),
    )

    assert ask(tmp_path / "shop.db", *turns, answer=answer) == asked
    assert len(Shop(tmp_path / "shop.db").orders("ann", status="pending")) == (5 if asked else 5 - len(orders))


def test_a_model_that_asks_nobody_is_stopped(tmp_path: Path) -> None:
    turns = (calling("transfer_to_orders_agent"), calling("cancel_orders", order_ids=UNPAID))

    model = ScriptedModel.replaying(*turns, AIMessage("Done."))
    agent = build_agent(tmp_path / "shop.db", models=dict.fromkeys(DESKS, model))
    paused = agent.copy(update={"checkpointer": InMemorySaver()}).invoke({"messages": [("user", "Go")]}, CUSTOMER)

    assert [interrupt.value["name"] for interrupt in paused["__interrupt__"]] == ["cancel_orders"]
    assert len(Shop(tmp_path / "shop.db").orders("ann", status="pending")) == 5
