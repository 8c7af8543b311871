"""The script understands what customers write, in both languages and in many words."""

from __future__ import annotations

import pytest

from handraise.demo.reading.intents import TABLE, Intent
from handraise.demo.reading.wishes import Wish, read_wish

WORDINGS: list[tuple[str, Intent, tuple[str, ...]]] = [
    ("我要退款，订单 1001", "refund", ("1001",)),
    ("1001这个单子把钱退给我吧", "refund", ("1001",)),
    ("订单#1002和#1003都想退货", "refund", ("1002", "1003")),
    ("你好，我想退１００２", "refund", ("1002",)),
    ("杯子碎了，订单 1001 怎么赔", "refund", ("1001",)),
    ("能退我 20 元吗，订单 1004", "refund", ("1004",)),
    ("我要退款，但商品已经拆封了", "refund", ()),
    ("耳机用过了还能退吗 1002", "refund", ("1002",)),
    ("I want a refund for order 1001", "refund", ("1001",)),
    ("Could I get my money back on #1003, please?", "refund", ("1003",)),
    ("please reimburse me for 1002 and 1003", "refund", ("1002", "1003")),
    ("I'd like to return order 1004", "refund", ("1004",)),
    ("The keyboard (order 1004) is broken", "refund", ("1004",)),
    ("I want to send it back, I opened the box", "refund", ()),
    ("退款到账了吗？订单 1003", "refund_status", ("1003",)),
    ("1003 的退款进度", "refund_status", ("1003",)),
    ("Has the refund for 1003 arrived yet?", "refund_status", ("1003",)),
    ("退款一般多久到账", "policy", ()),
    ("How long does a refund take?", "policy", ()),
    ("帮我查一下订单 #12345 的发货时间", "shipping", ("12345",)),
    ("1002 到哪了", "shipping", ("1002",)),
    ("我买的耳机什么时候到啊，单号1002", "shipping", ("1002",)),
    ("快递还没到，订单1002", "shipping", ("1002",)),
    ("物流信息发我一下，1002、1003", "shipping", ("1002", "1003")),
    ("When was order #12345 shipped?", "shipping", ("12345",)),
    ("Where is my order 1002?", "shipping", ("1002",)),
    ("track 1002", "shipping", ("1002",)),
    ("I still haven't received order 1002", "shipping", ("1002",)),
    ("where's my stuff", "shipping", ()),
    ("has my parcel left yet", "shipping", ()),
    ("帮我取消所有待支付的订单", "cancel_all", ()),
    ("把没付款的订单全部取消", "cancel_all", ()),
    ("未付款的单子都帮我撤销了吧", "cancel_all", ()),
    ("Cancel all my pending orders", "cancel_all", ()),
    ("please drop everything I haven't paid for", "cancel_all", ()),
    ("I want every unpaid order cancelled", "cancel_all", ()),
    ("取消订单 1005", "cancel", ("1005",)),
    ("1005、1006 我不想要了", "cancel", ("1005", "1006")),
    ("Please cancel orders 1005, 1006 and 1008", "cancel", ("1005", "1006", "1008")),
    ("I no longer need 1005", "cancel", ("1005",)),
    ("cancel all of 1005 and 1006", "cancel", ("1005", "1006")),
    ("我有哪些待付款的订单？", "pending_orders", ()),
    ("哪些单还没付款", "pending_orders", ()),
    ("Which orders are still unpaid?", "pending_orders", ()),
    ("我的订单有哪些？", "my_orders", ()),
    ("我都买过什么", "my_orders", ()),
    ("Show me all my orders", "my_orders", ()),
    ("what did I buy from you", "my_orders", ()),
    ("订单 1003", "order", ("1003",)),
    ("帮我看下订单 1003 的情况", "order", ("1003",)),
    ("Tell me about order 1004", "order", ("1004",)),
    ("把订单 1005 的地址改成杭州市西湖区文三路 8 号", "change_address", ("1005",)),
    ("地址填错了，订单 1005", "change_address", ("1005",)),
    ("Please change the address of order 1005 to 12 Long Road, Springfield", "change_address", ("1005",)),
    ("wrong address on 1005!", "change_address", ("1005",)),
    ("我现在有多少积分", "membership", ()),
    ("查一下我的会员等级", "membership", ()),
    ("How many points do I have?", "membership", ()),
    ("what is my membership level", "membership", ()),
    ("订单 1002 的积分没到账", "missing_points", ("1002",)),
    ("My points for order 1002 are missing", "missing_points", ("1002",)),
    ("你们的会员积分规则是什么？", "policy", ()),
    ("积分怎么用？", "policy", ()),
    ("运费怎么算", "policy", ()),
    ("你们支持以旧换新吗", "policy", ()),
    ("What is your return policy?", "policy", ()),
    ("How do I earn membership points?", "policy", ()),
    ("Do you sell bicycles?", "policy", ()),
    ("我要转人工", "person", ()),
    ("let me talk to a real person", "person", ()),
    ("谢谢啦", "thanks", ()),
    ("Thank you so much", "thanks", ()),
    ("没事了，再见", "goodbye", ()),
    ("that's all, bye", "goodbye", ()),
    ("在吗", "greeting", ()),
    ("Hi there", "greeting", ()),
    ("嗯嗯啊", "unclear", ()),
    ("lorem ipsum dolor", "unclear", ()),
]


@pytest.mark.parametrize(("text", "intent", "orders"), WORDINGS, ids=[wording[0] for wording in WORDINGS])
def test_a_wording_is_understood(text: str, intent: Intent, orders: tuple[str, ...]) -> None:
    wish = read_wish([text])

    assert (wish.intent, wish.orders) == (intent, orders)


def test_there_are_wordings_for_every_line_of_the_table_in_both_languages() -> None:
    chinese = {intent for text, intent, _ in WORDINGS if read_wish([text]).language == "zh"}
    english = {intent for text, intent, _ in WORDINGS if read_wish([text]).language == "en"}

    assert {line.intent for line in TABLE} <= chinese & english
    assert len(WORDINGS) >= 60


@pytest.mark.parametrize(
    ("said", "intent", "orders", "language"),
    [
        (["Where is order 1002?", "and order 1003?"], "shipping", ("1003",), "en"),
        (["Where is order 1002?", "thanks", "what about 1003"], "shipping", ("1003",), "en"),
        (["订单 1002 到哪了？", "那 1003 呢？"], "shipping", ("1003",), "zh"),
        (["订单 1002 到哪了？", "1003"], "shipping", ("1003",), "zh"),
        (["我要退款", "1001"], "refund", ("1001",), "zh"),
        (["I want a refund", "it's order 1001"], "refund", ("1001",), "en"),
        (["Where is order 1002?", "cancel it please"], "cancel", ("1002",), "en"),
        (["订单 1002 到哪了？", "那我要退款"], "refund", ("1002",), "zh"),
        (["where is 1002", "订单 1003 呢"], "shipping", ("1003",), "zh"),
        (["refund 1001", "and what are the rules for that?"], "policy", (), "en"),
        (["1001"], "order", ("1001",), "en"),
        (["refund 1001", "1002 and 1003 too"], "refund", ("1002", "1003"), "en"),
    ],
)
def test_a_later_message_means_what_was_said_before(
    said: list[str], intent: Intent, orders: tuple[str, ...], language: str
) -> None:
    wish = read_wish(said)

    assert (wish.intent, wish.orders, wish.language) == (intent, orders, language)


@pytest.mark.parametrize(
    ("text", "amount", "orders"),
    [
        ("退我 200 元，订单 1004", 200.0, ("1004",)),
        ("refund 12.50 dollars of order 1001", 12.5, ("1001",)),
        ("refund $20 for 1002", 20.0, ("1002",)),
        ("1001 退 10 块", 10.0, ("1001",)),
        ("refund order 1001", None, ("1001",)),
        ("退 50% 也行，订单 1004", None, ("1004",)),
        ("订单 1001 花了 42.50 退给我", None, ("1001",)),
        ("I want a refund of 10 for order 1001", 10.0, ("1001",)),
        ("refund 10 from order 1001", 10.0, ("1001",)),
        ("refund me 12.50 for order 1001", 12.5, ("1001",)),
        ("refund of 200 for order 1004", 200.0, ("1004",)),
        ("refund 200 from 1004", 200.0, ("1004",)),
        ("refund 200 for 1004", 200.0, ("1004",)),
        ("refund order 1002 for 50", 50.0, ("1002",)),
        ("refund 1004 for 500, please", 500.0, ("1004",)),
        ("refund order 1001 for 1,000.50", 1000.5, ("1001",)),
        ("refund $1,000.50 for 1001", 1000.5, ("1001",)),
        ("订单 1001 退 10", 10.0, ("1001",)),
        ("refund 1001 and 1002", None, ("1001", "1002")),
        ("refund 1001, 1002 and 1003", None, ("1001", "1002", "1003")),
        ("refund 2 items of order 1001", None, ("1001",)),
        ("退 2 件，订单 1001", None, ("1001",)),
    ],
)
def test_money_is_no_order_number(text: str, amount: float | None, orders: tuple[str, ...]) -> None:
    wish = read_wish([text])

    assert (wish.amount, wish.orders) == (amount, orders)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("我要退款，但商品已经拆封了", "opened"),
        ("耳机试用过了，能退吗", "opened"),
        ("I want a refund but I have opened it", "opened"),
        ("杯子是坏的，我要退款", "damaged"),
        ("refund 1004, it doesn't work", "damaged"),
        ("我要退款，订单 1001", ""),
    ],
)
def test_what_makes_a_refund_a_decision_is_heard(text: str, reason: str) -> None:
    assert (read_wish([text]).intent, read_wish([text]).reason) == ("refund", reason)


@pytest.mark.parametrize(
    ("said", "address"),
    [
        (["把订单 1005 的地址改成杭州市西湖区文三路 8 号"], "杭州市西湖区文三路 8 号"),
        (["Change the address of order 1005 to 12 Long Road, Springfield."], "12 Long Road, Springfield"),
        (["地址填错了，订单 1005", "杭州市西湖区文三路 8 号"], "杭州市西湖区文三路 8 号"),
        (["I gave a wrong address for 1005", "12 Long Road, Springfield"], "12 Long Road, Springfield"),
        (["I want to change the address of order 1005"], ""),
    ],
)
def test_an_address_is_read_from_this_message_or_the_next(said: list[str], address: str) -> None:
    wish = read_wish(said)

    assert (wish.intent, wish.orders, wish.address) == ("change_address", ("1005",), address)


@pytest.mark.parametrize(
    ("text", "intent", "orders"),
    [
        ("I don't want a refund for order 1001", "leave", ("1001",)),
        ("I don’t want my order 1001 cancelled", "leave", ("1001",)),
        ("Please do not cancel order 1001", "leave", ("1001",)),
        ("I'd rather not cancel 1005 and 1006", "leave", ("1005", "1006")),
        ("I want a replacement, not a refund", "leave", ()),
        ("no need to refund 1001", "leave", ("1001",)),
        ("I did not ask for a refund on 1001", "leave", ("1001",)),
        ("I don't want a refund, I just want to know where order 1002 is", "shipping", ("1002",)),
        ("don't refund 1001, where is it?", "shipping", ("1001",)),
        ("Don't refund 1001, cancel 1002", "cancel", ("1002",)),
        ("don't cancel 1005 and refund 1001", "refund", ("1001",)),
        ("cancel 1005 instead of changing it", "cancel", ("1005",)),
        ("请不要取消订单 1005", "leave", ("1005",)),
        ("别退 1001", "leave", ("1001",)),
        ("不用退了，谢谢", "leave", ()),
        ("不要退款，我只想知道订单 1002 到哪了", "shipping", ("1002",)),
        ("不是要退款，订单 1002 什么时候到", "shipping", ("1002",)),
        ("我不想退款，取消订单 1005", "cancel", ("1005",)),
        ("我要退款，不要取消，订单 1001", "refund", ("1001",)),
    ],
)
def test_what_a_customer_does_not_want_is_not_what_they_want(
    text: str, intent: Intent, orders: tuple[str, ...]
) -> None:
    wish = read_wish([text])

    assert (wish.intent, wish.orders) == (intent, orders)


@pytest.mark.parametrize(
    ("text", "intent", "orders", "spared"),
    [
        ("cancel all except 1005", "cancel_all", (), ("1005",)),
        ("Cancel all my unpaid orders except for 1005 and 1006, please", "cancel_all", (), ("1005", "1006")),
        ("cancel everything but order #1005", "cancel_all", (), ("1005",)),
        ("cancel all but 1005", "cancel_all", (), ("1005",)),
        ("Cancel every pending order, but keep 1005", "cancel_all", (), ("1005",)),
        ("cancel 1005, 1006 and 1008, but not 1006", "cancel", ("1005", "1008"), ("1006",)),
        ("refund 1001, apart from 1002", "refund", ("1001",), ("1002",)),
        ("除了1005，其他未付款的订单全部取消", "cancel_all", (), ("1005",)),
        ("把除订单1005和1006以外的待支付订单都取消", "cancel_all", (), ("1005", "1006")),
        ("取消所有待付款订单，1005除外", "cancel_all", (), ("1005",)),
        ("取消所有未付款的订单，保留1005", "cancel_all", (), ("1005",)),
    ],
)
def test_what_a_customer_leaves_out_is_left_alone(
    text: str, intent: Intent, orders: tuple[str, ...], spared: tuple[str, ...]
) -> None:
    wish = read_wish([text])

    assert (wish.intent, wish.orders, wish.spared) == (intent, orders, spared)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("把 1001 和 1002 都退了", "refund"),
        ("1001 退了吗", "refund_status"),
        ("1005 不要了，退款吧", "refund"),
        ("特别想退款 1001", "refund"),
        ("为什么不能退款，订单 1001", "refund"),
        ("订单 1005 我不想要了", "cancel"),
        ("why don't you refund 1001?", "refund"),
        ("You didn't refund 1001", "refund"),
        ("Don't forget to refund 1001", "refund"),
        ("I can't get a refund for 1001?", "refund"),
        ("no refund yet for 1003", "refund_status"),
        ("I don't want order 1001, please cancel it", "cancel"),
        ("I don't need order 1005 any more", "cancel"),
    ],
)
def test_not_every_no_is_a_refusal(text: str, intent: Intent) -> None:
    assert read_wish([text]).intent == intent


@pytest.mark.parametrize(
    "piece", [" ", "\n", "#", "1", "1005,", "1005 ", "除", "不要", "订单", "don't ", "keep ", "cancel all ", "except "]
)
def test_a_long_message_is_read_to_its_end(piece: str) -> None:
    # A pattern that can read a part in many ways would try them all, and never come back.
    text = f"a{piece * (20_000 // len(piece))}b"

    assert read_wish([text]).text == text


def test_before_anybody_wrote_there_is_nothing_to_want() -> None:
    assert read_wish([]) == Wish(intent="greeting", language="en", text="")
