"""The orders agent: looking up, shipping, cancelling and addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from langchain_core.messages import AIMessage

from handraise.demo.reading.intents import Intent
from handraise.demo.reading.verdicts import timed_out
from handraise.demo.script.cancelling import cancel, cancel_all
from handraise.demo.script.looking import (
    Order,
    not_answered,
    order_lines,
    reason_in,
    refusal_in,
    unknown_orders,
    was_not_reviewed,
    with_orders,
)
from handraise.demo.script.speaking import call, described, listed, say, say_all, words
from handraise.demo.script.turns import CustomerTurn


def shipping(turn: CustomerTurn) -> AIMessage:
    """Say where orders are; a colleague looks where the shop itself cannot."""
    return with_orders(turn, _where)


def _where(turn: CustomerTurn, orders: list[Order]) -> AIMessage:
    language = turn.language
    hidden = [
        order["order_id"] for order in orders if order["status"] == "paid" and isinstance(order.get("shipping"), str)
    ]
    answer = turn.last("ask_human_agent")
    if hidden and answer is None:
        names = listed([f"#{order}" for order in hidden], language)
        question = {
            "question": words("ask_shipping", language, orders=names),
            "question_type": "information_query",
            "context": {"user_question": turn.wish.text, "order_id": names},
        }
        return call(("ask_human_agent", question), saying=words("checking_shipping", language, orders=names))
    lines = [_shipping_line(turn, order) for order in orders if order["order_id"] not in hidden]
    if answer is not None:
        lines.append(
            not_answered(turn, answer)
            if timed_out(answer.data)
            else words("found", language, response=answer.data.get("response", ""))
        )
    return say_all([*lines, *unknown_orders(turn)])


def _shipping_line(turn: CustomerTurn, order: Order) -> str:
    reply = order["status"] if order["status"] in {"shipped", "delivered"} else "not_shipped"
    return words(reply, turn.language, **described(order, turn.language))


def show(turn: CustomerTurn) -> AIMessage:
    """Say what an order is."""
    return with_orders(
        turn,
        lambda turn, orders: say_all(
            [
                *(words("order", turn.language, **described(order, turn.language)) for order in orders),
                *unknown_orders(turn),
            ]
        ),
    )


def my_orders(turn: CustomerTurn) -> AIMessage:
    """List every order."""
    found = turn.last("list_orders")
    if found is None:
        return call(("list_orders", {}))
    return say("your_orders", turn.language, orders=order_lines(turn, found.data["orders"]))


def pending_orders(turn: CustomerTurn) -> AIMessage:
    """List the orders that are not paid."""
    found = turn.last("list_orders")
    if found is None:
        return call(("list_orders", {"status": "pending"}))
    orders = found.data["orders"]
    if not orders:
        return say("no_orders", turn.language)
    total = f"{sum(float(order['total']) for order in orders):.2f}"
    lines = order_lines(turn, orders)
    return say("pending_orders", turn.language, count=len(orders), total=total, orders=lines)


def change_address(turn: CustomerTurn) -> AIMessage:
    """Send an order elsewhere, once that is confirmed."""
    return with_orders(turn, _readdress)


def _readdress(turn: CustomerTurn, orders: list[Order]) -> AIMessage:
    language, order, address = turn.language, orders[0], turn.wish.address
    if order["status"] not in {"pending", "paid"}:
        return say("too_late", language, **described(order, language), what=words("what_address", language))
    number = order["order_id"]
    if not address:
        return say("which_address", language, order=number)
    result = turn.last("change_address")
    if result is None:
        saying = words("checking_address", language, order=number, address=address)
        return call(("change_address", {"order_id": number, "address": address}), saying=saying)
    if was_not_reviewed(result):
        return say("nobody_reviewed", language)
    if result.failed or result.data.get("status") != "changed":
        why = reason_in(result) or refusal_in(turn, result)
        lines = [words("address_declined", language, order=number)]
        return say_all([*lines, *([words("because", language, reason=why)] if why else [])])
    return say("address_changed", language, order=result.data["order_id"], address=result.data["address"])


POLICY: Mapping[Intent, Callable[[CustomerTurn], AIMessage]] = {
    "shipping": shipping,
    "order": show,
    "my_orders": my_orders,
    "pending_orders": pending_orders,
    "cancel": cancel,
    "cancel_all": cancel_all,
    "change_address": change_address,
}
