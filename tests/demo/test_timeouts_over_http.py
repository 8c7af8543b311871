"""When nobody answers in time: what the customer is told, and that nothing was done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.conversation import Service, ShopRecords
from tests.running import RunningDemo

BUSY = {
    "zh": "抱歉，当前客服繁忙，我们会尽快处理您的问题；您也可以稍后再试。",
    "en": "Sorry, everyone is busy right now. We will look into it as soon as we can; you can also try later.",
}
ADVICE = {
    "zh": "建议您稍后再试或留下联系方式，我们会尽快回复您。",
    "en": "Please try again later or leave your contact details, and we will get back to you as soon as we can.",
}


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Service]:
    """A demo whose agents wait for a fifth of a second, where they would wait five minutes."""
    url = f"sqlite:///{folder / 'handraise.db'}"
    with RunningDemo(url, "--question-seconds", "0.2") as demo, Service(demo) as running:
        yield running


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("帮我查一下订单 #12345 的发货时间", "zh"),
        ("When was order #12345 shipped?", "en"),
        ("我要退款，但商品已经拆封了", "zh"),
        ("I want a refund, but I have opened the box", "en"),
        ("帮我取消所有待支付的订单", "zh"),
        ("Cancel all my unpaid orders", "en"),
        ("你们的会员积分规则是什么？", "zh"),
        ("How do I earn membership points?", "en"),
    ],
)
def test_a_customer_whom_nobody_answered_is_told_so(
    service: Service, shop: ShopRecords, text: str, language: str
) -> None:
    customer = service.customer()
    customer.writes("hi")
    customer.writes(text)

    busy, advice = customer.reads()
    assert busy == BUSY[language]
    assert advice.endswith(ADVICE[language])
    assert (customer.asked(), shop.refunds(customer)) == ([], [])
    assert customer.status() in {"active", "timeout"}


def test_the_conversation_goes_on_after_a_timeout(service: Service, shop: ShopRecords) -> None:
    customer = service.customer()
    customer.writes("Cancel all my unpaid orders")
    customer.reads()

    [said] = customer.writes("and where is order 1002?")

    assert "SF100200345" in said
    assert len(shop.unpaid(customer)) == 5


@pytest.mark.parametrize(
    ("fallback", "told", "followed_by"),
    [
        ("ticket", "Your ticket is 1; we will answer here within 24 hours.", "a colleague will follow up."),
        ("self_service", "You can also look it up yourself:", "You can look it up yourself meanwhile."),
    ],
)
def test_another_fallback_makes_another_promise(sqlite_url: str, fallback: str, told: str, followed_by: str) -> None:
    options = ("--question-seconds", "0.2", "--fallback", fallback)
    with RunningDemo(sqlite_url, *options) as demo, Service(demo) as service:
        customer = service.customer()
        customer.writes("When was order #12345 shipped?")

        busy, advice = customer.reads()

    assert told in busy
    assert advice.endswith(followed_by)
