"""The first run's conversations, as data. The engine plays them, so what operators find was really asked."""

from __future__ import annotations

from dataclasses import dataclass

from handraise.core.decisions import AnyDecision, Approve, Edit, Reject, Respond
from handraise.core.languages import Language

ADA, LIN = "ada", "lin"


@dataclass(frozen=True)
class Decided:
    """What an operator does about the request that is open then."""

    by: str
    decision: AnyDecision


Step = str | Decided
"""What the customer writes, or what an operator decides."""


@dataclass(frozen=True)
class Story:
    """One conversation. Where it ends with something open, that waits for whoever tries the demo."""

    language: Language
    customer: str
    steps: tuple[Step, ...]


PAST = (
    Story("en", "Grace", ("I'd like my money back for order 1003", Decided(ADA, Approve()), "Thank you!")),
    Story("zh", "周敏", ("订单 1002 我要退款", Decided(LIN, Reject(reason="商品已发出，请先拒收")), "好的，谢谢")),
    Story("zh", "陈浩", ("耳机我拆封试用过了，1002 还能退款吗", Decided(LIN, Respond(selected_option="B")))),
    Story(
        "en",
        "Noah",
        (
            "Please refund order 1004, some keys stick",
            Decided(ADA, Edit(args={"order_id": "1004", "amount": 120.0})),
            "ok thanks",
        ),
    ),
    Story("zh", "吴倩", ("把没付款的订单全部取消", Decided(ADA, Respond(selected_option="confirm")))),
    Story("en", "Olivia", ("cancel everything I have not paid", Decided(LIN, Respond(selected_option="decline")))),
    Story(
        "en",
        "Mia",
        (
            "When will order 12345 ship?",
            Decided(LIN, Respond(text="It leaves the partner's warehouse tomorrow morning.")),
        ),
    ),
    Story("en", "Leo", ("My points for order 1003 never arrived", Decided(ADA, Approve()))),
    Story("zh", "何静", ("订单 1002 到哪了？", "那 1003 呢？", "谢谢")),
    Story(
        "zh",
        "郑凯",
        (
            "可以开公司抬头的发票吗？",
            Decided(LIN, Respond(text="可以，下单后在订单页填写公司名称和税号，三天内发到邮箱。")),
        ),
    ),
    Story(
        "en",
        "Emma",
        ("Do you offer gift wrapping?", Decided(ADA, Respond(text="Yes, for 5 per parcel; tick it at the checkout."))),
    ),
)

UNANSWERED = (Story("zh", "孙悦", ("订单 12345 的物流单号是多少？",)),)
"""Nobody was there in time, so that the record has one of these too."""

AFTERWARDS = (Story("zh", "冯磊", ("发票能写公司抬头吗？",)),)
"""A customer with a question that was a gap before."""

WAITING = (
    Story("en", "Grace", ("I want a refund for order 1001",)),
    Story("zh", "周敏", ("键盘有两个键不太灵，订单 1004 退我 200 元吧",)),
    Story("zh", "陈浩", ("我要退款，但商品已经拆封了",)),
    Story("en", "Noah", ("Please cancel all my unpaid orders",)),
    Story("en", "Olivia", ("Cancel orders 1005, 1006 and 1008 please",)),
    Story("zh", "吴倩", ("你们支持以旧换新吗？",)),
    Story("en", "Leo", ("The points for order 1002 are missing",)),
)

NEARLY_DUE = (Story("zh", "何静", ("帮我查一下订单 12345 的发货时间，比较急",)),)

PUBLISHED = "公司抬头"
"""What is in the question of the answer that was captured and published; the other one stays a draft."""
