"""What a script gives back: a sentence, or calls with a sentence before them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from langchain_core.messages import AIMessage

from handraise.core.languages import Language
from handraise.demo.script.replies import REPLIES, STATUS

Call = tuple[str, dict[str, Any]]


def words(reply: str, language: Language, **fields: Any) -> str:
    """Return a sentence of the table with its blanks filled."""
    return REPLIES[reply][language].format(**fields)


def say(reply: str, language: Language, **fields: Any) -> AIMessage:
    """Answer with one sentence of the table."""
    return AIMessage(words(reply, language, **fields))


def say_all(lines: Iterable[str]) -> AIMessage:
    """Answer with several sentences, a line each."""
    return AIMessage("\n".join(lines))


def call(*calls: Call, saying: str = "") -> AIMessage:
    """Call tools, after telling the customer."""
    made = [{"name": tool, "args": args, "id": f"call_{uuid.uuid4().hex[:12]}"} for tool, args in calls]
    return AIMessage(saying, tool_calls=made)


def listed(orders: Iterable[str], language: Language) -> str:
    """Return order numbers as one reads them out."""
    return ("、" if language == "zh" else ", ").join(orders)


def described(order: dict[str, Any], language: Language) -> dict[str, Any]:
    """Return the blanks that an order fills."""
    shipping = order.get("shipping")
    return {
        **(shipping if isinstance(shipping, dict) else {}),
        "order": order["order_id"],
        "items": order["items"][language],
        "total": order["total"],
        "refunded": order["refunded"],
        "address": order["address"],
        "status": STATUS[order["status"]][language],
    }
