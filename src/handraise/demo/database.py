"""The shop's own database: one SQLite file, apart from Handraise's, that the demo's tools read and change.

Every conversation is a customer of its own with the same few orders, so that whatever is tried can be tried again. A
tool learns who the customer is from the session, never from the model.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from handraise.core.errors import Misconfigured
from handraise.demo.goods import CUSTOMER_NAMES, ORDERS, POINTS, SCHEMA, TIER

DAY = "%Y-%m-%d"


class ShopRefusal(Exception):
    """The shop does not do that; `why` is a word that the agent puts into a sentence."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, kw_only=True)
class Order:
    """One order as the shop has it. Money is in cents, dates are days."""

    number: str
    status: str
    cents: int
    items_zh: str
    items_en: str
    address: str
    warehouse: str
    carrier: str | None
    tracking: str | None
    shipped: str | None
    expected: str | None
    refunded_cents: int


class Shop:
    """What the shop can do. Each call is one transaction on a connection of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise Misconfigured(
                f"The shop's database {path} cannot be used: {error}.", fix="Name another folder with --data."
            ) from None

    def order(self, customer: str, number: str) -> Order | None:
        """Return an order of this customer, or None when there is none of that number."""
        with self._as(customer) as connection:
            return _order(connection, customer, number)

    def orders(self, customer: str, *, status: str | None = None) -> list[Order]:
        """Return the customer's orders, the newest first; only those of one status when it is given."""
        with self._as(customer) as connection:
            found = connection.execute(
                f"{_ORDER} WHERE o.customer = ? AND (? IS NULL OR o.status = ?) ORDER BY o.ordered DESC, o.number",
                (customer, status, status),
            )
            return [Order(**row) for row in found]

    def refund(self, customer: str, number: str, cents: int, *, key: str) -> str:
        """Pay back, and return the refund's reference. A key that paid before pays nothing again."""
        with self._as(customer) as connection:
            paid = connection.execute("SELECT reference FROM refunds WHERE idempotency_key = ?", (key,)).fetchone()
            if paid is not None:
                return str(paid["reference"])
            order = _must_have(connection, customer, number)
            if order.status == "pending":
                raise ShopRefusal("not_paid")
            if not 0 < cents <= order.cents - order.refunded_cents:
                raise ShopRefusal("already_refunded" if order.refunded_cents else "too_much")
            reference = f"R{uuid.uuid4().hex[:10].upper()}"
            connection.execute(
                "INSERT INTO refunds (reference, customer, number, cents, status, idempotency_key, at) "
                "VALUES (?, ?, ?, ?, 'paid', ?, ?)",
                (reference, customer, number, cents, key, datetime.now(UTC).isoformat(timespec="seconds")),
            )
            if cents == order.cents - order.refunded_cents:
                _set_status(connection, customer, [number], "refunded")
            return reference

    def cancel(self, customer: str, numbers: Sequence[str]) -> list[Order]:
        """Cancel orders that have not left the warehouse: all or none. What was paid becomes due for refund."""
        with self._as(customer) as connection:
            orders = [_must_have(connection, customer, number) for number in numbers]
            if stuck := [order for order in orders if order.status not in {"pending", "paid"}]:
                raise ShopRefusal(stuck[0].status)
            _set_status(connection, customer, numbers, "cancelled")
            for order in orders:
                if order.status == "paid":
                    connection.execute(
                        "INSERT INTO refunds (reference, customer, number, cents, status, idempotency_key, at) "
                        "VALUES (?, ?, ?, ?, 'due', NULL, ?)",
                        (f"D{uuid.uuid4().hex[:10].upper()}", customer, order.number, order.cents, _today()),
                    )
            return orders

    def change_address(self, customer: str, number: str, address: str) -> None:
        """Send an order elsewhere, as long as it has not left the warehouse."""
        with self._as(customer) as connection:
            order = _must_have(connection, customer, number)
            if order.status not in {"pending", "paid"}:
                raise ShopRefusal(order.status)
            connection.execute(
                "UPDATE orders SET address = ? WHERE customer = ? AND number = ?", (address, customer, number)
            )

    def membership(self, customer: str) -> tuple[str, int]:
        """Return the customer's tier and points."""
        with self._as(customer) as connection:
            row = connection.execute("SELECT tier, points FROM memberships WHERE customer = ?", (customer,)).fetchone()
            return str(row["tier"]), int(row["points"])

    def grant_points(self, customer: str, points: int) -> int:
        """Add points, and return how many the customer has then."""
        with self._as(customer) as connection:
            row = connection.execute(
                "UPDATE memberships SET points = points + ? WHERE customer = ? RETURNING points", (points, customer)
            ).fetchone()
            return int(row["points"])

    @contextmanager
    def _as(self, customer: str) -> Iterator[sqlite3.Connection]:
        """Open a transaction in which the customer exists: whoever comes for the first time gets orders."""
        with closing(sqlite3.connect(self.path, timeout=10, isolation_level=None)) as connection:
            connection.row_factory = _named
            connection.execute("BEGIN IMMEDIATE")
            try:
                _welcome(connection, customer)
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()


_ORDER = """
SELECT o.number, o.status, o.cents, o.address, o.warehouse, s.carrier, s.tracking, s.shipped, s.expected,
  (SELECT group_concat(name_zh, '、') FROM items i WHERE i.customer = o.customer AND i.number = o.number) AS items_zh,
  (SELECT group_concat(name_en, ', ') FROM items i WHERE i.customer = o.customer AND i.number = o.number) AS items_en,
  (SELECT coalesce(sum(cents), 0) FROM refunds r WHERE r.customer = o.customer AND r.number = o.number)
    AS refunded_cents
FROM orders o LEFT JOIN shipping s ON s.customer = o.customer AND s.number = o.number
"""


def _order(connection: sqlite3.Connection, customer: str, number: str) -> Order | None:
    row = connection.execute(f"{_ORDER} WHERE o.customer = ? AND o.number = ?", (customer, number)).fetchone()
    return None if row is None else Order(**row)


def _must_have(connection: sqlite3.Connection, customer: str, number: str) -> Order:
    order = _order(connection, customer, number)
    if order is None:
        raise ShopRefusal("unknown")
    return order


def _set_status(connection: sqlite3.Connection, customer: str, numbers: Sequence[str], status: str) -> None:
    connection.executemany(
        "UPDATE orders SET status = ? WHERE customer = ? AND number = ?",
        [(status, customer, number) for number in numbers],
    )


def _welcome(connection: sqlite3.Connection, customer: str) -> None:
    name = CUSTOMER_NAMES[sum(customer.encode()) % len(CUSTOMER_NAMES)]
    if not connection.execute("INSERT OR IGNORE INTO customers (id, name) VALUES (?, ?)", (customer, name)).rowcount:
        return
    connection.execute("INSERT INTO memberships (customer, tier, points) VALUES (?, ?, ?)", (customer, TIER, POINTS))
    for good in ORDERS:
        connection.execute(
            "INSERT INTO orders (customer, number, status, cents, address, warehouse, ordered) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (customer, good.number, good.status, good.cents, good.address, good.warehouse, _today(-good.days_ago)),
        )
        connection.execute(
            "INSERT INTO items (customer, number, name_zh, name_en) VALUES (?, ?, ?, ?)",
            (customer, good.number, good.item_zh, good.item_en),
        )
        if good.tracking:
            shipped, expected = _today(1 - good.days_ago), _today(3 - good.days_ago)
            connection.execute(
                "INSERT INTO shipping (customer, number, carrier, tracking, shipped, expected) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (customer, good.number, good.carrier, good.tracking, shipped, expected),
            )


def _today(days: int = 0) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).strftime(DAY)


def _named(cursor: sqlite3.Cursor, row: tuple[object, ...]) -> dict[str, object]:
    return dict(zip((column[0] for column in cursor.description), row, strict=True))
