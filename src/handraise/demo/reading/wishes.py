"""Reading customers: from everything that one wrote to what they want now.

A wish carries over what a later message leaves out: "and order 1003?" asks the same of another order, and "cancel it"
means the order that was just spoken of.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from handraise.core.languages import Language
from handraise.demo.reading.intents import DESK_OF, NEED_ORDER, Intent, intent_of
from handraise.demo.reading.money import read_money
from handraise.demo.reading.negations import without_refusals
from handraise.demo.reading.sparing import without_exceptions

Reason = Literal["", "opened", "damaged"]

_SPACES = re.compile(r"\s+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ORDER = re.compile(r"(?<![\d.])\d{3,8}(?![\d.]*\d)(?!\s*(?:%|积分|分|points?))", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:改成|改为|改到|换成|换到|寄到|送到|更新为|变更为|新地址(?:是|为)?)[：:\s]*(?P<zh>[^，。,]{4,}.*)$|"
    r"\b(?:to|is)\b[:\s]+(?P<en>(?!order\b|another\b|a different\b|a new\b|change\b|update\b)\S.{5,})$",
    re.IGNORECASE,
)
_REASONS: tuple[tuple[Reason, str], ...] = (
    (
        "opened",
        r"拆封|拆开|拆了|开封|打开过|用过|试用|\bopened\b|\bopen the box|\bunseal|\bunbox|\bused (it|them)|\bseal\b",
    ),
    (
        "damaged",
        r"坏了|坏的|破损|碎了|损坏|质量|不能用|\bbroken|\bdamaged|\bdefective|\bfaulty|\bcracked|n'?t work|not work",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a customer wants now."""

    intent: Intent
    language: Language
    text: str
    orders: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    """Orders that they said to leave as they are."""
    amount: float | None = None
    """How much money they named, in a wish for a refund."""
    reason: Reason = ""
    address: str = ""


def read_wish(said: Sequence[str]) -> Wish:
    """Return what a customer wants who wrote these messages, the newest last."""
    wish = Wish(intent="greeting", language="en", text="")
    topic: Wish | None = None
    for text in said:
        wish = _read(text, topic=topic, before=wish.language)
        if DESK_OF.get(wish.intent) is not None:
            topic = wish
    return wish


def language_of(text: str, *, before: Language) -> Language:
    """Return the language of a message; a message without letters keeps the one before it."""
    if _HAN.search(text):
        return "zh"
    return "en" if re.search(r"[A-Za-z]{2}", text) else before


def _read(text: str, *, topic: Wish | None, before: Language) -> Wish:
    # Lines stay lines, but no run of spaces is longer than one: the patterns would try every part of it.
    plain = _SPACES.sub(lambda run: "\n" if "\n" in run[0] else " ", unicodedata.normalize("NFKC", text)).strip()
    language = language_of(plain, before=before)
    about, spared = without_exceptions(plain)
    wanted = without_refusals(about)
    amount, rest = read_money(wanted)
    intent = intent_of(wanted.strip(), language)
    said = Wish(
        # Whoever says only what not to do wants nothing done.
        intent="leave" if wanted != about and intent in {"order", "follow_up", "unclear", "thanks"} else intent,
        language=language,
        text=text.strip(),
        # "Don't refund 1001, cancel 1002" is about 1002; "don't refund 1001, where is it?" is about 1001.
        orders=_orders_in(rest) or _orders_in(read_money(about)[1]),
        spared=spared,
        amount=amount,
        reason=next((reason for reason, pattern in _REASONS if re.search(pattern, wanted, re.IGNORECASE)), ""),
        address=_address_in(wanted),
    )
    wish = _completed(said, topic)
    return replace(wish, orders=tuple(order for order in wish.orders if order not in spared))


def _completed(said: Wish, topic: Wish | None) -> Wish:
    """Add what the customer left out, because it was said before."""
    if said.intent == "follow_up":
        if topic is None:
            return replace(said, intent="order")
        return replace(
            topic,
            text=said.text,
            language=said.language,
            orders=said.orders,
            spared=said.spared,
            amount=said.amount,
        )
    if topic and topic.intent == "change_address" and not topic.address and said.intent in {"unclear", "shipping"}:
        return replace(topic, address=said.text, text=said.text, language=said.language)
    if said.intent in {"unclear", "policy"} and said.orders:
        return replace(said, intent=topic.intent if topic else "order")
    if not said.orders and said.intent in NEED_ORDER:
        orders = topic.orders if topic else ()
        # "How long does a refund take?" is about the shop's rules, not about an order.
        return replace(said, orders=orders, intent="policy" if _asks_for_rules(said, orders) else said.intent)
    if said.intent == "cancel_all" and said.orders:
        return replace(said, intent="cancel")
    return said


def _asks_for_rules(said: Wish, orders: tuple[str, ...]) -> bool:
    return said.intent == "refund_status" and not orders


def _orders_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_ORDER.findall(text)))


def _address_in(text: str) -> str:
    found = _ADDRESS.search(text)
    return (found["zh"] or found["en"]).strip(" 。.") if found else ""
