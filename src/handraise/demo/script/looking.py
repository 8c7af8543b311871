"""Steps that several agents take: which order, looking it up, and what to say when a colleague is not there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from langchain_core.messages import AIMessage

from handraise.agents.ask_human.texts import TIMEOUT_ERRORS
from handraise.demo.script.replies import STATUS
from handraise.demo.script.speaking import call, described, listed, say, words
from handraise.demo.script.turns import CustomerTurn, Result
from handraise.dialects.langchain import EXPIRED, WITHDRAWN

Order = dict[str, Any]

NOT_REVIEWED = (EXPIRED, WITHDRAWN)


def with_orders(turn: CustomerTurn, go_on: Callable[[CustomerTurn, list[Order]], AIMessage]) -> AIMessage:
    """Look up the orders of a wish, or ask which ones, and go on with those that exist."""
    if not turn.wish.orders:
        return _ask_which(turn)
    seen = {str(result.data.get("order_id")): result.data for result in turn.of("look_up_order")}
    unseen = [order for order in turn.wish.orders if order not in seen]
    if unseen:
        return call(*(("look_up_order", {"order_id": order}) for order in unseen))
    known = [seen[order] for order in turn.wish.orders if seen[order].get("status") != "unknown"]
    return go_on(turn, known) if known else AIMessage("\n".join(unknown_orders(turn)))


def unknown_orders(turn: CustomerTurn) -> Iterator[str]:
    """Return a sentence for each order that the shop does not have."""
    for result in turn.of("look_up_order"):
        if result.data.get("status") == "unknown":
            yield words("unknown_order", turn.language, order=result.data["order_id"])


def was_not_reviewed(result: Result) -> bool:
    """Return whether a call did not run because nobody looked at it, rather than because somebody said no."""
    return any(sentence in result.text for sentence in NOT_REVIEWED)


def reason_in(result: Result) -> str:
    """Return why a person said no; nothing when the gate says only that they did."""
    given = re.search(r"rejected the tool call for .+? with reason: (.+)", result.text, re.DOTALL)
    return given[1].strip() if given else ""


def refusal_in(turn: CustomerTurn, result: Result) -> str:
    """Return why the shop itself did not do what a person had agreed to; nothing when it did, or was not asked."""
    if result.failed or result.data.get("status") != "refused":
        return ""
    why = str(result.data.get("why"))
    if why in STATUS:
        return words("why_status", turn.language, status=STATUS[why][turn.language])
    return words(f"why_{why}", turn.language)


def _ask_which(turn: CustomerTurn) -> AIMessage:
    orders = turn.last("list_orders")
    if orders is None:
        return call(("list_orders", {}))
    names = [f"{each['order_id']} ({each['items'][turn.language]})" for each in orders.data["orders"]]
    return say("which_order", turn.language, orders=listed(names, turn.language))


def not_answered(turn: CustomerTurn, answer: Result) -> str:
    """Return what to say after a question that nobody answered: the tool's error says what the customer was promised.

    That everybody is busy the service has told them itself.
    """
    promised = next(
        (kind for kind, error in TIMEOUT_ERRORS["en"].items() if error == answer.data.get("error")), "inform"
    )
    return words(f"timeout_{promised}", turn.language)


def order_lines(turn: CustomerTurn, orders: list[Order]) -> str:
    """Return a line for each order."""
    return "\n".join(words("order_line", turn.language, **described(order, turn.language)) for order in orders)
