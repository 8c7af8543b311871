"""Cancelling orders: one, several, or all that are not paid."""

from __future__ import annotations

from langchain_core.messages import AIMessage

from handraise.demo.reading.verdicts import CONFIRM, DECLINE, timed_out, verdict_of
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


def cancel(turn: CustomerTurn) -> AIMessage:
    """Cancel the orders that the customer names."""
    return with_orders(turn, _cancel_known)


def cancel_all(turn: CustomerTurn) -> AIMessage:
    """Cancel every unpaid order but those to be spared, after a colleague has confirmed: so much at once is a risk."""
    found = turn.last("list_orders")
    if found is None:
        return call(("list_orders", {"status": "pending"}))
    orders = [order for order in found.data["orders"] if order["order_id"] not in turn.wish.spared]
    if not orders:
        return say("no_orders", turn.language)
    answer = turn.last("ask_human_agent")
    if answer is None:
        return _ask(turn, orders)
    if timed_out(answer.data):
        return AIMessage(not_answered(turn, answer))
    if verdict_of(answer.data) != "yes":
        chosen = "selected_option" in answer.data
        return _declined(turn, why="" if chosen else str(answer.data.get("response", "")))
    done = turn.last("cancel_orders")
    if done is None:
        return call(("cancel_orders", {"order_ids": [order["order_id"] for order in orders]}))
    return _outcome(turn, done)


def _ask(turn: CustomerTurn, orders: list[Order]) -> AIMessage:
    language = turn.language
    numbers = [order["order_id"] for order in orders]
    total = f"{sum(float(order['total']) for order in orders):.2f}"
    names = listed([f"#{number}" for number in numbers], language)
    question = {
        "question": words("ask_cancel_all", language, count=len(orders), orders=names, total=total),
        "question_type": "risk_confirmation",
        "context": {"user_question": turn.wish.text, "relevant_info": names, "order_ids": numbers},
        "options": [
            {"id": CONFIRM, "label": words("option_confirm", language)},
            {"id": DECLINE, "label": words("option_decline", language)},
        ],
        "urgency": "high",
    }
    saying = words("checking_cancel", language, count=len(orders), total=total)
    return call(("ask_human_agent", question), saying=saying)


def _cancel_known(turn: CustomerTurn, orders: list[Order]) -> AIMessage:
    language = turn.language
    done = turn.last("cancel_order") or turn.last("cancel_orders")
    if done is not None:
        return _outcome(turn, done)
    late = [order for order in orders if order["status"] not in {"pending", "paid"}]
    open_still = [order for order in orders if order not in late]
    if not open_still:
        what = words("what_cancel", language)
        lines = [words("too_late", language, **described(order, language), what=what) for order in late]
        return say_all([*lines, *unknown_orders(turn)])
    numbers = [order["order_id"] for order in open_still]
    if len(numbers) == 1:
        saying = words("checking_cancel_one", language, order=numbers[0])
        return call(("cancel_order", {"order_id": numbers[0]}), saying=saying)
    total = f"{sum(float(order['total']) for order in open_still):.2f}"
    saying = words("checking_cancel", language, count=len(numbers), total=total)
    return call(("cancel_orders", {"order_ids": numbers}), saying=saying)


def _outcome(turn: CustomerTurn, result: Result) -> AIMessage:
    """Say what became of a cancellation, and which of the orders it could not include."""
    language, data = turn.language, result.data
    if was_not_reviewed(result):
        return say("nobody_reviewed", language)
    if result.failed or data.get("status") != "cancelled":
        return _declined(turn, why=reason_in(result) or refusal_in(turn, result))
    numbers = data["order_ids"]
    reply = "cancelled" if len(numbers) == 1 else "cancelled_many"
    lines = [words(reply, language, orders=listed(numbers, language), count=len(numbers))]
    if data.get("due"):
        lines.append(words("due", language, due=data["due"]))
    for looked_up in turn.of("look_up_order"):
        order = looked_up.data
        if order.get("status") not in {"pending", "paid", "unknown"}:
            lines.append(words("too_late", language, **described(order, language), what=words("what_cancel", language)))
    return say_all([*lines, *unknown_orders(turn)])


def _declined(turn: CustomerTurn, *, why: str) -> AIMessage:
    lines = [words("cancel_declined", turn.language)]
    return say_all([*lines, *([words("because", turn.language, reason=why)] if why else [])])
