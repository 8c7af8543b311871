"""The refunds agent: a refund waits for approval; what was opened or damaged is for a colleague to decide first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from langchain_core.messages import AIMessage

from handraise.demo.reading.intents import Intent
from handraise.demo.reading.verdicts import FULL, HALF, NONE, share_of, timed_out
from handraise.demo.script.looking import (
    Order,
    not_answered,
    reason_in,
    refusal_in,
    unknown_orders,
    was_not_reviewed,
    with_orders,
)
from handraise.demo.script.speaking import call, described, listed, say, say_all, words
from handraise.demo.script.turns import CustomerTurn, Result


def refund(turn: CustomerTurn) -> AIMessage:
    """Pay back, as far as a person agrees."""
    if turn.wish.reason and not turn.wish.orders:
        return _about_the_newest(turn)
    return with_orders(turn, _decide if turn.wish.reason else _pay)


def refund_status(turn: CustomerTurn) -> AIMessage:
    """Say what was refunded."""
    return with_orders(turn, _status)


def _about_the_newest(turn: CustomerTurn) -> AIMessage:
    """Take what was delivered last for what the customer means: they said what happened, not which order it was."""
    found = turn.last("list_orders")
    if found is None:
        return call(("list_orders", {"status": "delivered"}))
    orders = found.data["orders"]
    return _decide(turn, orders[:1]) if orders else say("no_orders", turn.language)


def _decide(turn: CustomerTurn, orders: list[Order]) -> AIMessage:
    """Let a colleague choose among options, and do what they chose."""
    language, order = turn.language, orders[0]
    if refusal := _refusal(turn, order):
        return AIMessage(refusal)
    answer = turn.last("ask_human_agent")
    if answer is None:
        return _ask(turn, order)
    if timed_out(answer.data):
        return AIMessage(not_answered(turn, answer))
    share = share_of(answer.data)
    if share is None:
        return say("advice", language, response=answer.data.get("response", ""))
    if share == 0:
        return say("refund_declined_plain", language, order=order["order_id"])
    done = turn.last("refund_order")
    if done is None:
        amount = round(float(order["total"]) * share, 2)
        return call(("refund_order", {"order_id": order["order_id"], "amount": amount}))
    if done.failed or done.data.get("status") != "refunded":
        return AIMessage(_outcome(turn, done))
    amount, percent = done.data["amount"], round(share * 100)
    return say("refunded_part", language, order=order["order_id"], percent=percent, amount=amount)


def _ask(turn: CustomerTurn, order: Order) -> AIMessage:
    language = turn.language
    known = described(order, language)
    question = {
        "question": words(f"ask_{turn.wish.reason}", language, **known),
        "question_type": "decision_required",
        "context": {
            "user_question": turn.wish.text,
            "relevant_info": words("order", language, **known),
            "order_id": order["order_id"],
        },
        "options": [
            {"id": FULL, "label": words("option_full", language), "description": "100 %"},
            {"id": HALF, "label": words("option_half", language), "description": "50 %"},
            {"id": NONE, "label": words("option_none", language), "description": "0 %"},
        ],
        "urgency": "high",
    }
    return call(("ask_human_agent", question), saying=words("checking_refund", language, orders=order["order_id"]))


def _pay(turn: CustomerTurn, orders: list[Order]) -> AIMessage:
    language = turn.language
    refusals = [refusal for order in orders if (refusal := _refusal(turn, order))]
    payable = [order for order in orders if not _refusal(turn, order)]
    done = turn.of("refund_order")
    if payable and not done:
        names = listed([order["order_id"] for order in payable], language)
        calls = [("refund_order", {"order_id": order["order_id"], "amount": _amount(turn, order)}) for order in payable]
        return call(*calls, saying=words("checking_refund", language, orders=names))
    return say_all([*(_outcome(turn, result) for result in done), *refusals, *unknown_orders(turn)])


def _amount(turn: CustomerTurn, order: Order) -> float:
    left = float(order["total"]) - float(order["refunded"])
    return round(left if turn.wish.amount is None else turn.wish.amount, 2)


def _refusal(turn: CustomerTurn, order: Order) -> str:
    """Return why an order cannot be refunded, as a sentence; nothing when it can."""
    number, language = order["order_id"], turn.language
    before = [
        result for result in turn.earlier if result.tool == "refund_order" and result.args.get("order_id") == number
    ]
    if any(result.failed and not was_not_reviewed(result) for result in before):
        return words("declined_before", language, order=number)
    if order["status"] == "pending":
        return words("not_paid", language, order=number)
    if float(order["refunded"]) >= float(order["total"]) or order["status"] == "cancelled":
        return words("already_refunded", language, order=number, refunded=order["refunded"])
    left = float(order["total"]) - float(order["refunded"])
    if turn.wish.amount is not None and not 0 < turn.wish.amount <= left:
        return words("too_much", language, order=number, left=f"{left:.2f}")
    return ""


def _outcome(turn: CustomerTurn, result: Result) -> str:
    language, number = turn.language, result.args.get("order_id", "")
    if was_not_reviewed(result):
        return words("nobody_reviewed", language)
    if result.failed:
        reason = reason_in(result)
        if not reason:
            return words("refund_declined_plain", language, order=number)
        return words("refund_declined", language, reason=reason)
    if why := refusal_in(turn, result):
        return words("refund_refused", language, order=number, reason=why)
    if result.data.get("status") != "refunded":
        return words("refund_declined_plain", language, order=number)
    several = len(turn.of("refund_order")) > 1
    return words("refunded_of" if several else "refunded", language, order=number, amount=result.data["amount"])


def _status(turn: CustomerTurn, orders: list[Order]) -> AIMessage:
    lines = [
        words(
            "refund_state" if float(order["refunded"]) else "no_refund",
            turn.language,
            **described(order, turn.language),
        )
        for order in orders
    ]
    return say_all([*lines, *unknown_orders(turn)])


POLICY: Mapping[Intent, Callable[[CustomerTurn], AIMessage]] = {"refund": refund, "refund_status": refund_status}
