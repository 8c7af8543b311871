"""Four help-desk scenarios over HTTP, in both languages and several wordings: the customer, the operator, the shop."""

from __future__ import annotations

import pytest

from tests.demo.conversation import Service, ShopRecords
from tests.service.talking import until

UNPAID = ["1005", "1006", "1007", "1008", "1009"]


@pytest.mark.parametrize(
    ("text", "meanwhile", "question", "answer", "final"),
    [
        (
            "帮我查一下订单 #12345 的发货时间",
            "正在为您核实订单 #12345 的发货信息，请稍候。",
            "请帮我查询订单 #12345 的发货时间和物流单号",
            "订单已于 2025-12-20 发货，物流单号 SF123456",
            "为您查到：订单已于 2025-12-20 发货，物流单号 SF123456",
        ),
        (
            "12345 这单到哪了，好急",
            "正在为您核实订单 #12345 的发货信息，请稍候。",
            "请帮我查询订单 #12345 的发货时间和物流单号",
            "明天发货",
            "为您查到：明天发货",
        ),
        (
            "When was order #12345 shipped?",
            "I am checking the shipping of order #12345, one moment please.",
            "Please look up when order #12345 was shipped, and its tracking number",
            "On 2025-12-20, SF123456",
            "Here is what I found: On 2025-12-20, SF123456",
        ),
        (
            "hey, I still haven't received 12345",
            "I am checking the shipping of order #12345, one moment please.",
            "Please look up when order #12345 was shipped, and its tracking number",
            "It is lost, a new one left today",
            "Here is what I found: It is lost, a new one left today",
        ),
    ],
)
def test_information_comes_from_a_colleague_when_the_shop_cannot_see_it(
    service: Service, text: str, meanwhile: str, question: str, answer: str, final: str
) -> None:
    customer = service.customer()

    assert customer.writes(text) == [meanwhile]
    request = customer.the_request()
    assert (request["question_type"], request["question"]) == ("information_query", question)
    assert request["context"] == {"user_question": text, "order_id": "#12345"}
    assert (request["agent"], customer.status()) == ("orders", "waiting_for_human")

    assert customer.is_decided({"type": "respond", "text": answer}) == [final]
    assert customer.status() == "active"


@pytest.mark.parametrize(
    ("text", "order", "option", "refunded", "final"),
    [
        (
            "我要退款，但商品已经拆封了",
            "1004",
            "B",
            [("1004", 149_50)],
            "您的退款申请已审批：按订单 1004 的 50% 退款。退款已办理，149.50 元将原路退回。",
        ),
        (
            "订单 1002 的耳机试用过了，还能退吗",
            "1002",
            "A",
            [("1002", 128_00)],
            "您的退款申请已审批：按订单 1002 的 100% 退款。退款已办理，128.00 元将原路退回。",
        ),
        ("1003 是坏的，把钱退给我", "1003", "C", [], "很抱歉，订单 1003 的退款申请没有通过。"),
        (
            "I want a refund, but I have opened the box",
            "1004",
            "B",
            [("1004", 149_50)],
            "Your request was approved with 50 % of order 1004. Done: 149.50 has been refunded to your card.",
        ),
        (
            "order 1003 arrived broken, give me my money back",
            "1003",
            "A",
            [("1003", 9_90)],
            "Your request was approved with 100 % of order 1003. Done: 9.90 has been refunded to your card.",
        ),
        (
            "Can I return 1002? I used it once, the seal is broken",
            "1002",
            "C",
            [],
            "I am sorry, the refund for order 1002 was declined.",
        ),
    ],
)
def test_a_colleague_chooses_and_the_shop_pays_what_was_chosen(
    service: Service, shop: ShopRecords, text: str, order: str, option: str, refunded: list[tuple[str, int]], final: str
) -> None:
    customer = service.customer()

    customer.writes(text)
    request = customer.the_request()
    assert (request["question_type"], request["urgency"]) == ("decision_required", "high")
    assert [each["id"] for each in request["options"]] == ["A", "B", "C"]
    assert request["context"]["user_question"] == text
    assert order in request["question"]
    assert shop.refunds(customer) == []

    assert customer.is_decided({"type": "respond", "selected_option": option}) == [final]
    assert shop.refunds(customer) == refunded
    # The colleague has decided already, so nobody is asked a second time.
    assert customer.asked() == []


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ("退一半吧", 149_50),
        ("refund 20%", 59_80),
        ("可以全额退", 299_00),
        ("不行，超过期限了", 0),
        ("ask the lab first", 0),
    ],
)
def test_a_colleague_may_also_answer_in_words(service: Service, shop: ShopRecords, answer: str, share: int) -> None:
    customer = service.customer()
    customer.writes("我要退款，但商品已经拆封了")

    customer.is_decided({"type": "respond", "text": answer})

    assert sum(cents for _, cents in shop.refunds(customer)) == share


@pytest.mark.parametrize(
    ("text", "answer", "final", "left"),
    [
        (
            "帮我取消所有待支付的订单",
            {"type": "respond", "text": "确认执行"},
            "已为您取消 5 个订单：1005、1006、1007、1008、1009。",
            [],
        ),
        (
            "没付款的单子都撤销了吧",
            {"type": "respond", "selected_option": "decline"},
            "很抱歉，这次没有取消，您的订单没有变化。",
            UNPAID,
        ),
        (
            "Cancel all my pending orders",
            {"type": "respond", "selected_option": "confirm"},
            "Done: 5 orders are cancelled: 1005, 1006, 1007, 1008, 1009.",
            [],
        ),
        (
            "please drop everything I haven't paid for",
            {"type": "respond", "text": "No, he is on the phone with us"},
            "I am sorry, it was not cancelled; your orders are unchanged.\nThe reason: No, he is on the phone with us",
            UNPAID,
        ),
    ],
)
def test_a_risk_is_confirmed_before_anything_is_cancelled(
    service: Service, shop: ShopRecords, text: str, answer: dict[str, str], final: str, left: list[str]
) -> None:
    customer = service.customer()

    [meanwhile] = customer.writes(text)
    request = customer.the_request()
    assert "5000.00" in meanwhile
    assert (request["question_type"], request["urgency"]) == ("risk_confirmation", "high")
    assert request["context"]["order_ids"] == UNPAID
    assert "5000.00" in request["question"]
    assert shop.unpaid(customer) == UNPAID

    assert customer.is_decided(answer) == [final]
    assert shop.unpaid(customer) == left


@pytest.mark.parametrize("text", ["Cancel all my pending orders except 1005", "取消所有待支付的订单，1005除外"])
def test_what_the_customer_leaves_out_is_neither_asked_about_nor_cancelled(
    service: Service, shop: ShopRecords, text: str
) -> None:
    customer = service.customer()
    customer.writes(text)

    assert customer.the_request()["context"]["order_ids"] == UNPAID[1:]
    customer.is_decided({"type": "respond", "selected_option": "confirm"})
    assert shop.unpaid(customer) == UNPAID[:1]


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        ("你们的会员积分规则是什么？", "会员积分是怎么算的？", "1 元消费 = 1 积分，100 积分 = 1 元"),
        ("你们支持以旧换新吗？", "请问能以旧换新吗", "支持，手机和耳机可以以旧换新。"),
        (
            "How do I earn membership points?",
            "how can I earn points as a member?",
            "1 point for each unit; members earn more.",
        ),
        ("Do you offer gift wrapping?", "is there any gift wrapping you offer", "Yes, tick it at the checkout."),
    ],
)
def test_a_gap_is_filled_once_and_the_next_customer_reads_the_answer(
    service: Service, first: str, second: str, answer: str
) -> None:
    customer = service.customer()
    customer.writes(first)
    request = customer.the_request()
    assert (request["question_type"], request["urgency"]) == ("knowledge_gap", "low")
    assert first in request["question"]

    assert customer.is_decided({"type": "respond", "text": answer}) == [answer]
    # The event log is read for answers a moment after it is written.
    [draft] = until(lambda: [entry for entry in service.entries("draft") if entry["question"] == first])
    assert (draft["answer"], draft["request_id"]) == (answer, request["id"])
    service.publish(draft["id"])

    following = service.customer()
    assert following.writes(second) == [answer]
    assert following.asked() == []
    [entry] = [entry for entry in service.entries("published") if entry["question"] == first]
    assert entry["uses"] == 1
