"""The membership agent: tiers and points. Adding points is a decorated tool, which a colleague reviews."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from langchain_core.messages import AIMessage

from handraise.demo.reading.intents import Intent
from handraise.demo.script.looking import Order, was_not_reviewed, with_orders
from handraise.demo.script.replies import TIERS
from handraise.demo.script.speaking import call, say, words
from handraise.demo.script.turns import CustomerTurn


def membership(turn: CustomerTurn) -> AIMessage:
    """Say what the customer's membership is."""
    found = turn.last("look_up_membership")
    if found is None:
        return call(("look_up_membership", {}))
    tier = TIERS[found.data["tier"]][turn.language]
    return say("membership", turn.language, tier=tier, points=found.data["points"])


def missing_points(turn: CustomerTurn) -> AIMessage:
    """Add the points of an order, once a colleague agrees."""
    return with_orders(turn, _grant)


def _grant(turn: CustomerTurn, orders: list[Order]) -> AIMessage:
    language, order = turn.language, orders[0]["order_id"]
    result = turn.last("grant_points")
    if result is None:
        points = int(float(orders[0]["total"]))
        reason = words("points_reason", language, order=order)
        saying = words("checking_points", language, order=order)
        return call(("grant_points", {"points": points, "reason": reason}), saying=saying)
    if was_not_reviewed(result):
        return say("nobody_reviewed", language)
    if result.data.get("status") == "granted":
        return say("points_granted", language, points=result.data["points"], total=result.data["total"])
    # A colleague answered in the tool's place.
    return say("advice", language, response=result.text)


POLICY: Mapping[Intent, Callable[[CustomerTurn], AIMessage]] = {
    "membership": membership,
    "missing_points": missing_points,
}
