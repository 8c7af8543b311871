"""The shop's own database: money moves once, and only what is there can be changed."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from handraise.core.errors import Misconfigured
from handraise.demo.database import Shop, ShopRefusal

pytestmark = pytest.mark.real


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "shop.db")


def paid(shop: Shop) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(shop.path)) as connection:
        return connection.execute("SELECT number, cents FROM refunds WHERE status = 'paid'").fetchall()


def test_one_key_pays_once_however_often_it_is_tried(shop: Shop) -> None:
    with ThreadPoolExecutor(8) as threads:
        references = set(threads.map(lambda _: shop.refund("ann", "1001", 20_00, key="k1"), range(8)))

    assert len(references) == 1
    assert paid(shop) == [("1001", 20_00)]


def test_a_second_key_pays_no_more_than_what_is_left(shop: Shop) -> None:
    shop.refund("ann", "1001", 40_00, key="k1")

    with pytest.raises(ShopRefusal, match="already_refunded"):
        shop.refund("ann", "1001", 2_51, key="k2")
    shop.refund("ann", "1001", 2_50, key="k3")

    order = shop.order("ann", "1001")
    assert order is not None
    assert (order.status, order.refunded_cents) == ("refunded", 42_50)


def test_the_database_itself_refuses_a_payment_without_a_key_or_with_a_used_one(shop: Shop) -> None:
    shop.refund("ann", "1001", 1_00, key="k1")
    insert = "INSERT INTO refunds VALUES (?, 'ann', '1001', 100, 'paid', ?, '2025-01-01')"

    with closing(sqlite3.connect(shop.path)) as connection:
        for key in (None, "k1"):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(insert, ("R1", key))


@pytest.mark.parametrize(
    ("number", "cents", "why"),
    [("4711", 1_00, "unknown"), ("1005", 1_00, "not_paid"), ("1001", 42_51, "too_much"), ("1001", 0, "too_much")],
)
def test_what_cannot_be_refunded_is_refused(shop: Shop, number: str, cents: int, why: str) -> None:
    with pytest.raises(ShopRefusal, match=why):
        shop.refund("ann", number, cents, key="k1")

    assert paid(shop) == []


def test_several_orders_are_cancelled_together_or_not_at_all(shop: Shop) -> None:
    with pytest.raises(ShopRefusal, match="shipped"):
        shop.cancel("ann", ["1005", "1002"])
    assert len(shop.orders("ann", status="pending")) == 5

    shop.cancel("ann", ["1005", "1006"])
    assert len(shop.orders("ann", status="pending")) == 3


def test_an_address_can_be_changed_until_the_order_leaves(shop: Shop) -> None:
    shop.change_address("ann", "1001", "12 Long Road")
    with pytest.raises(ShopRefusal, match="shipped"):
        shop.change_address("ann", "1002", "12 Long Road")

    changed = shop.order("ann", "1001")
    assert changed is not None
    assert changed.address == "12 Long Road"


def test_every_customer_has_orders_of_their_own(shop: Shop) -> None:
    shop.refund("ann", "1001", 42_50, key="k1")
    shop.grant_points("ann", 5)

    untouched = shop.order("bob", "1001")
    assert untouched is not None
    assert (untouched.status, shop.membership("bob"), shop.membership("ann")[1]) == ("paid", ("gold", 1280), 1285)


def test_a_folder_that_cannot_hold_a_database_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "shop.db").mkdir()

    with pytest.raises(Misconfigured, match=r"The shop's database .* cannot be used"):
        Shop(tmp_path / "shop.db")
