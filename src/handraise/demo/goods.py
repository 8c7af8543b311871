"""The shop's tables, and what every new customer finds in them. Dates are counted back from the day they come."""

from __future__ import annotations

from typing import NamedTuple

SCHEMA = """
CREATE TABLE IF NOT EXISTS customers (id TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS memberships (
  customer TEXT PRIMARY KEY REFERENCES customers, tier TEXT NOT NULL, points INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS orders (
  customer TEXT NOT NULL REFERENCES customers, number TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded')),
  cents INTEGER NOT NULL, address TEXT NOT NULL, warehouse TEXT NOT NULL, ordered TEXT NOT NULL,
  PRIMARY KEY (customer, number)
);
CREATE TABLE IF NOT EXISTS items (
  customer TEXT NOT NULL, number TEXT NOT NULL, name_zh TEXT NOT NULL, name_en TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS items_of_order ON items (customer, number);
CREATE TABLE IF NOT EXISTS shipping (
  customer TEXT NOT NULL, number TEXT NOT NULL, carrier TEXT NOT NULL, tracking TEXT NOT NULL,
  shipped TEXT NOT NULL, expected TEXT NOT NULL, PRIMARY KEY (customer, number)
);
CREATE TABLE IF NOT EXISTS refunds (
  reference TEXT PRIMARY KEY, customer TEXT NOT NULL, number TEXT NOT NULL, cents INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('paid', 'due')),
  idempotency_key TEXT UNIQUE, at TEXT NOT NULL, CHECK (status = 'due' OR idempotency_key IS NOT NULL)
);
CREATE INDEX IF NOT EXISTS refunds_of_order ON refunds (customer, number);
"""


class Good(NamedTuple):
    """One order of a new customer."""

    number: str
    status: str
    cents: int
    item_zh: str
    item_en: str
    days_ago: int
    warehouse: str = "own"
    """Of what ships from a partner's warehouse the shop has no shipping data: a colleague has to look."""
    carrier: str = ""
    tracking: str = ""
    address: str = "上海市静安区南京西路 100 号"


ORDERS = (
    Good("1001", "paid", 42_50, "马克杯", "mug", 4, warehouse="partner"),
    Good("1002", "shipped", 128_00, "无线耳机", "wireless earphones", 2, carrier="SF", tracking="SF100200345"),
    Good("1003", "delivered", 9_90, "手机壳", "phone case", 9, carrier="YTO", tracking="YT300912877"),
    Good("1004", "delivered", 299_00, "机械键盘", "mechanical keyboard", 5, carrier="SF", tracking="SF100400761"),
    Good("1005", "pending", 800_00, "跑步鞋", "running shoes", 1),
    Good("1006", "pending", 1_200_00, "显示器", "monitor", 1),
    Good("1007", "pending", 999_00, "咖啡机", "coffee machine", 1),
    Good("1008", "pending", 1_501_00, "行李箱", "suitcase", 1),
    Good("1009", "pending", 500_00, "台灯", "desk lamp", 1),
    Good("12345", "paid", 5_999_00, "手机", "phone", 6, warehouse="partner"),
)

TIER = "gold"
POINTS = 1_280
CUSTOMER_NAMES = ("周敏", "Grace", "陈浩", "Noah", "吴倩", "Olivia")
