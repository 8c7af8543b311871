"""What else customers do in the demo: refunds, several orders, follow-ups, other agents' matters and small talk."""

from __future__ import annotations

import pytest

from tests.demo.conversation import Service, ShopRecords
from tests.patience import patiently

APPROVE = {"type": "approve"}


@pytest.mark.parametrize(
    ("text", "final"),
    [
        ("I want a refund for order 1001", "Done: 42.50 has been refunded to your card."),
        ("could you give me my money back? it's 1001", "Done: 42.50 has been refunded to your card."),
        ("我要退款，订单 1001", "退款已办理，42.50 元将原路退回。"),
        ("你好，1001 这单把钱退给我", "退款已办理，42.50 元将原路退回。"),
    ],
)
def test_an_approved_refund_is_paid_once_under_its_own_key(
    service: Service, shop: ShopRecords, text: str, final: str
) -> None:
    customer = service.customer()

    customer.writes(text)
    request = customer.the_request()
    assert (request["tool"], request["args"]) == ("refund_order", {"order_id": "1001", "amount": 42.5})
    assert (request["agent"], request["context"]["risk"]) == ("refunds", "high")

    assert customer.is_decided(APPROVE) == [final]
    assert shop.refunds(customer) == [("1001", 42_50)]
    assert len(set(shop.keys(customer))) == 1
    assert not shop.keys(customer)[0].startswith("unrecorded")
    assert shop.order(customer, "1001") == "refunded"


def test_an_edited_refund_pays_what_the_operator_wrote(service: Service, shop: ShopRecords) -> None:
    customer = service.customer()
    customer.writes("键盘有两个键不太灵，订单 1004 退我 200 元吧")
    assert customer.the_request()["args"] == {"order_id": "1004", "amount": 200.0}

    said = customer.is_decided({"type": "edit", "args": {"order_id": "1004", "amount": 80}})

    assert said == ["退款已办理，80.00 元将原路退回。"]
    assert (shop.refunds(customer), shop.order(customer, "1004")) == ([("1004", 80_00)], "delivered")


@pytest.mark.parametrize("amount", [0, -5, "a lot"])
def test_an_edit_that_pays_nothing_or_less_is_refused_and_the_request_stays_open(
    service: Service, shop: ShopRecords, amount: object
) -> None:
    customer = service.customer()
    customer.writes("refund order 1001")
    path = f"/api/v1/requests/{customer.the_request()['id']}/decision"

    refused = service.operators.post(path, json={"type": "edit", "args": {"order_id": "1001", "amount": amount}})

    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_decision")
    assert [field["field"] for field in refused.json()["details"]["fields"]] == ["amount"]
    assert customer.is_decided({"type": "edit", "args": {"order_id": "1001", "amount": 5}}) == [
        "Done: 5.00 has been refunded to your card."
    ]
    assert shop.refunds(customer) == [("1001", 5_00)]


@pytest.mark.parametrize("address", ["", "   "])
def test_an_empty_address_is_refused_and_the_request_stays_open(
    service: Service, shop: ShopRecords, address: str
) -> None:
    customer = service.customer()
    customer.writes("Change the address of order 1005 to 12 Long Road, Springfield")

    refused = customer.confirms({"type": "edit", "args": {"order_id": "1005", "address": address}})

    assert (refused.status_code, refused.json()["details"]["field"]) == (422, "address")
    assert customer.confirms({"type": "approve"}).status_code == 200
    customer.reads()
    assert shop.address(customer, "1005") == "12 Long Road, Springfield"


@pytest.mark.parametrize(
    ("text", "final"),
    [
        (
            "refund order 1001",
            "I am sorry, the refund for order 1001 could not be paid: it is more than can be paid back.",
        ),
        ("我要退款，订单 1001", "很抱歉，订单 1001 的退款无法办理：金额超过了可退的金额。"),
    ],
)
def test_what_the_shop_itself_refuses_is_not_told_as_an_operators_no(
    service: Service, shop: ShopRecords, text: str, final: str
) -> None:
    customer = service.customer()
    customer.writes(text)

    said = customer.is_decided({"type": "edit", "args": {"order_id": "1001", "amount": 99999}})

    assert said == [final]
    assert shop.refunds(customer) == []


def test_a_cancellation_that_the_shop_refuses_says_why(service: Service, shop: ShopRecords) -> None:
    customer = service.customer()
    customer.writes("cancel 1005 and 1006")

    said = customer.is_decided({"type": "edit", "args": {"order_ids": ["1005", "1002"]}})

    assert said == [
        "I am sorry, it was not cancelled; your orders are unchanged.\nThe reason: the order is on its way."
    ]
    assert shop.order(customer, "1005") == "pending"


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("I want a refund of 10 for order 1001", {"order_id": "1001", "amount": 10.0}),
        ("refund 10 from order 1001", {"order_id": "1001", "amount": 10.0}),
        ("refund order 1002 for 50", {"order_id": "1002", "amount": 50.0}),
    ],
)
def test_an_amount_without_a_currency_is_what_is_proposed(
    service: Service, text: str, args: dict[str, str | float]
) -> None:
    customer = service.customer()

    customer.writes(text)

    assert customer.the_request()["args"] == args


def test_an_amount_above_the_total_is_refused_however_it_is_written(service: Service) -> None:
    customer = service.customer()

    said = customer.writes("refund order 1001 for 1,000.50")

    assert said[-1] == "Order 1001 can be refunded up to 42.50, so nothing was paid."
    assert customer.asked() == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I don't want a refund for order 1001", "All right, I leave everything as it is."),
        ("Please do not cancel order 1001", "All right, I leave everything as it is."),
        ("请不要取消订单 1005", "好的，那就保持原样，我什么都没有改动。"),
        ("不要退款，我只想知道订单 1002 到哪了", "订单 1002（无线耳机）已于"),
    ],
)
def test_what_a_customer_does_not_want_is_not_proposed(service: Service, text: str, said: str) -> None:
    customer = service.customer()

    answer = customer.writes(text)

    assert answer[-1].startswith(said)
    assert customer.asked() == []


def test_several_orders_are_refunded_in_the_plainest_words(service: Service) -> None:
    customer = service.customer()

    customer.writes("把 1001 和 1002 都退了")

    assert [(request["tool"], request["args"]["order_id"]) for request in customer.asked()] == [
        ("refund_order", "1001"),
        ("refund_order", "1002"),
    ]


@pytest.mark.parametrize(
    ("text", "again", "reason", "final", "then"),
    [
        (
            "我要退款，订单 1002",
            "还是给我退了吧 1002，我要退款",
            "已超过退款期限",
            "很抱歉，这笔退款没有通过：已超过退款期限",
            "订单 1002 的退款申请之前已经审核过，没有通过，我不能重复提交。",
        ),
        (
            "refund 1002 please",
            "I insist on a refund",
            "it is past the deadline",
            "I am sorry, it was declined: it is past the deadline",
            "The refund for order 1002 was reviewed before and declined, so I cannot submit it again.",
        ),
    ],
)
def test_a_rejected_refund_is_explained_and_not_tried_again(
    service: Service, shop: ShopRecords, text: str, again: str, reason: str, final: str, then: str
) -> None:
    customer = service.customer()
    customer.writes(text)

    assert customer.is_decided({"type": "reject", "reason": reason}) == [final]
    assert customer.writes(again) == [then]
    assert (customer.asked(), shop.refunds(customer)) == ([], [])


def test_several_orders_in_one_message_are_decided_each_for_itself(service: Service, shop: ShopRecords) -> None:
    customer = service.customer()
    customer.writes("Please refund orders 1001, 1003 and 4711")
    assert [request["args"]["order_id"] for request in customer.asked()] == ["1001", "1003"]

    said = customer.is_decided(APPROVE, {"type": "reject"})

    assert said[0].splitlines() == [
        "Done: 42.50 for order 1001 has been refunded to your card.",
        "I am sorry, the refund for order 1003 was declined.",
        "I cannot find an order 4711 of yours. Please check the number.",
    ]
    assert shop.refunds(customer) == [("1001", 42_50)]


def test_a_list_of_orders_to_cancel_waits_at_the_gate_and_can_be_shortened(service: Service, shop: ShopRecords) -> None:
    customer = service.customer()
    customer.writes("取消 1005、1006 和 1002")
    request = customer.the_request()
    assert (request["tool"], request["args"]) == ("cancel_orders", {"order_ids": ["1005", "1006"]})

    said = customer.is_decided({"type": "edit", "args": {"order_ids": ["1006"]}})

    assert said == ["订单 1006 已取消。\n订单 1002 目前是“已发货”，已经不能取消了。"]
    assert (shop.order(customer, "1005"), shop.order(customer, "1006")) == ("pending", "cancelled")


@pytest.mark.parametrize(
    ("texts", "tool", "final"),
    [
        (["cancel order 1001"], "cancel_order", "Done: order 1001 is cancelled.\nThe 42.50 you paid will be returned."),
        (["订单 1009 我不要了"], "cancel_order", "订单 1009 已取消。"),
        (
            ["wrong address on 1005", "12 Long Road, Springfield"],
            "change_address",
            "Done: order 1005 now goes to 12 Long Road, Springfield.",
        ),
        (
            ["把订单 1005 的地址改成杭州市文三路 8 号"],
            "change_address",
            "订单 1005 的收货地址已改为：杭州市文三路 8 号。",
        ),
        (["The points for order 1002 are missing"], "grant_points", "Done: 128 points were added; you now have 1408."),
    ],
)
def test_what_is_confirmed_is_done(service: Service, texts: list[str], tool: str, final: str) -> None:
    customer = service.customer()
    for text in texts:
        customer.writes(text)
    assert customer.the_request()["tool"] == tool

    assert customer.is_decided(APPROVE) == [final]


@pytest.mark.parametrize(
    ("decision", "final", "address"),
    [
        ({"type": "approve"}, "Done: order 1005 now goes to 12 Long Road.", "12 Long Road"),
        ({"type": "reject"}, "All right, the address of order 1005 was not changed.", "上海市静安区南京西路 100 号"),
    ],
)
def test_a_new_address_is_the_customers_own_to_confirm(
    service: Service, shop: ShopRecords, decision: dict[str, str], final: str, address: str
) -> None:
    customer = service.customer()
    customer.writes("Please change the address of order 1005 to 12 Long Road")
    assert customer.the_request()["audience"] == "customer"

    assert customer.confirms(decision).is_success
    assert customer.reads() == [final]
    assert shop.address(customer, "1005") == address


def test_a_refund_is_not_the_customers_to_approve(service: Service, shop: ShopRecords) -> None:
    customer = service.customer()
    customer.writes("I want a refund for order 1001")

    assert customer.confirms(APPROVE).status_code == 404
    assert (customer.the_request()["status"], shop.refunds(customer)) == ("open", [])


def test_a_colleague_may_answer_in_place_of_a_decorated_tool(service: Service, shop: ShopRecords) -> None:
    customer = service.customer()
    customer.writes("订单 1002 的积分没到账")
    assert customer.the_request()["allowed"] == ["approve", "edit", "respond"]

    said = customer.is_decided({"type": "respond", "text": "签收后第二天会自动到账"})

    assert said == ["同事的答复是：签收后第二天会自动到账"]
    assert shop.points(customer) == 1280


@pytest.mark.parametrize(
    ("texts", "needles"),
    [
        (["Where is order 1002?", "and order 1003?", "thanks!"], ["SF100200345", "delivered", "You are welcome"]),
        (["订单 1002 到哪了？", "那 1003 呢？", "谢谢"], ["SF100200345", "已送达", "不客气"]),
        (["1002 和 1003 到哪了", "9999 呢"], ["SF100200345", "没有查到您名下的订单 9999"]),
        (["where's my stuff?", "1002"], ["Which order is it about?", "SF100200345"]),
        (["我现在有多少积分", "我有哪些待付款的订单？"], ["1280", "5 个待支付的订单，共 5000.00 元"]),
        (["hello", "blah", "let me talk to a human"], ["Hello!", "Sorry, I did not quite get that", "I stay with you"]),
        (["refund order 1005", "cancel 1002"], ["was not paid", "too late to cancel it"]),
        (["退我 500 元，订单 1001"], ["最多可以退 42.50 元"]),
        (["Which orders are unpaid?", "tell me about 1006"], ["5 unpaid orders", "monitor, 1200.00"]),
    ],
)
def test_what_needs_no_person_is_answered_at_once(service: Service, texts: list[str], needles: list[str]) -> None:
    customer = service.customer()

    for text, needle in zip(texts, needles, strict=True):
        [said] = customer.writes(text)
        assert needle in said
    assert customer.asked() == []


def _streamed(service: Service, text: str) -> tuple[str, list[str]]:
    """Return an answer with its pieces. A stream that goes live after the answer began shows it whole: ask again."""
    for _ in patiently():
        customer = service.customer()
        [said] = customer.writes(text)
        if customer.pieces:
            break
    return said, customer.pieces


def test_the_answer_is_streamed_in_pieces_in_both_languages(service: Service) -> None:
    for text in ("订单 1002 到哪了？", "Where is order 1002?"):
        said, pieces = _streamed(service, text)

        assert "".join(pieces) == said
        assert len(pieces) > 15


def test_a_conversation_is_handed_from_agent_to_agent(service: Service) -> None:
    customer = service.customer()
    for text in ("Where is order 1002?", "How many points do I have?", "has the refund for 1003 arrived?"):
        customer.writes(text)

    made = [(fact["source"], fact["target"]) for fact in customer.facts if fact["name"] == "handoff.made"]
    assert made == [("reception", "orders"), ("orders", "membership"), ("membership", "refunds")]


def test_no_customer_reaches_the_orders_of_another(service: Service, shop: ShopRecords) -> None:
    one, other = service.customer(), service.customer()
    one.writes("cancel 1005")
    one.is_decided(APPROVE)

    other.writes("hello")
    [said] = other.writes("tell me about 1005")
    assert "waiting for payment" in said
    assert (shop.order(one, "1005"), shop.order(other, "1005")) == ("cancelled", "pending")


def test_the_chat_page_gets_questions_to_offer(service: Service) -> None:
    info = service.info()

    assert info["scripted"] is True
    assert {language: len(samples) >= 5 for language, samples in info["samples"].items()} == {"zh": True, "en": True}
