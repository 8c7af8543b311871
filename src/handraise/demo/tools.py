"""The tools of the shop's agents. Each answers in JSON, so that a model and a script read the same.

Who the customer is comes from the session; a model cannot name somebody else's orders.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from pydantic import Field

from handraise.agents.tools.decorators import human_in_the_loop
from handraise.agents.tools.effect import effect
from handraise.core.effects.ledger import idempotency_key
from handraise.demo.database import Order, Shop, ShopRefusal

Status = Literal["pending", "paid", "shipped", "delivered", "cancelled", "refunded"]
Address = Annotated[str, Field(min_length=1, pattern=r"\S")]
Amount = Annotated[float, Field(gt=0)]


@dataclass(frozen=True, kw_only=True)
class ShopTools:
    """Every tool on one shop, by what the agents call it."""

    look_up_order: BaseTool
    list_orders: BaseTool
    cancel_order: BaseTool
    cancel_orders: BaseTool
    change_address: BaseTool
    refund_order: BaseTool
    look_up_membership: BaseTool
    grant_points: BaseTool


def tools_on(shop: Shop) -> ShopTools:
    """Return the tools, each of which opens the shop's database itself."""

    @tool
    def look_up_order(order_id: str, config: RunnableConfig) -> str:
        """Look up one of the customer's orders: items, status, shipping and refunds."""
        order = shop.order(_customer(config), order_id)
        return _json(_shown(order)) if order else _json({"order_id": order_id, "status": "unknown"})

    @tool
    def list_orders(config: RunnableConfig, status: Status | None = None) -> str:
        """List the customer's orders; only those of one status when it is given (pending means not paid yet)."""
        return _json({"orders": [_shown(order) for order in shop.orders(_customer(config), status=status)]})

    @tool
    def cancel_order(order_id: str, config: RunnableConfig) -> str:
        """Cancel one order that was not shipped yet."""
        return _done("cancelled", lambda: _cancelled(shop.cancel(_customer(config), [order_id])))

    @tool
    def cancel_orders(order_ids: list[str], config: RunnableConfig) -> str:
        """Cancel several orders at once: all of them or, if one was shipped, none."""
        return _done("cancelled", lambda: _cancelled(shop.cancel(_customer(config), order_ids)))

    @tool
    def change_address(order_id: str, address: Address, config: RunnableConfig) -> str:
        """Send an order to another address, as long as it was not shipped."""

        def change() -> dict[str, Any]:
            shop.change_address(_customer(config), order_id, address)
            return {"order_id": order_id, "address": address}

        return _done("changed", change)

    @effect
    @tool
    def refund_order(order_id: str, amount: Amount, config: RunnableConfig) -> str:
        """Pay an order back to the customer, in whole or in part."""
        # The shop keeps the key with the payment: whatever runs this call twice, the money moves once.
        key = idempotency_key() or f"unrecorded_{uuid.uuid4().hex}"

        def pay() -> dict[str, Any]:
            reference = shop.refund(_customer(config), order_id, round(amount * 100), key=key)
            return {"order_id": order_id, "amount": f"{amount:.2f}", "reference": reference}

        return _done("refunded", pay)

    @tool
    def look_up_membership(config: RunnableConfig) -> str:
        """Look up the customer's membership tier and points."""
        tier, points = shop.membership(_customer(config))
        return _json({"tier": tier, "points": points})

    @human_in_the_loop
    @tool
    def grant_points(points: int, reason: str, config: RunnableConfig) -> str:
        """Add points to the customer's membership. A colleague reviews it first."""
        return _done("granted", lambda: {"points": points, "total": shop.grant_points(_customer(config), points)})

    return ShopTools(
        look_up_order=look_up_order,
        list_orders=list_orders,
        cancel_order=cancel_order,
        cancel_orders=cancel_orders,
        change_address=change_address,
        refund_order=refund_order,
        look_up_membership=look_up_membership,
        grant_points=grant_points,
    )


def _customer(config: RunnableConfig) -> str:
    return str((config.get("configurable") or {}).get("thread_id", "walk-in"))


def _done(status: str, act: Callable[[], dict[str, Any]]) -> str:
    try:
        return _json({"status": status, **act()})
    except ShopRefusal as refused:
        return _json({"status": "refused", "why": refused.why})


def _cancelled(orders: Sequence[Order]) -> dict[str, Any]:
    paid = sum(order.cents for order in orders if order.status == "paid")
    return {
        "order_ids": [order.number for order in orders],
        "total": _money(sum(order.cents for order in orders)),
        "due": _money(paid) if paid else "",
    }


def _shown(order: Order) -> dict[str, Any]:
    shown = {
        "order_id": order.number,
        "status": order.status,
        "items": {"zh": order.items_zh, "en": order.items_en},
        "total": _money(order.cents),
        "refunded": _money(order.refunded_cents),
        "address": order.address,
    }
    if order.tracking:
        shipping = {"carrier": order.carrier, "tracking": order.tracking}
        return {**shown, "shipping": {**shipping, "shipped": order.shipped, "expected": order.expected}}
    if order.warehouse == "partner":
        return {**shown, "shipping": "not visible here: it ships from a partner's warehouse, ask a colleague"}
    return shown


def _money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
