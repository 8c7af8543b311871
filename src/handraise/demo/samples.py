"""Questions that the chat page offers to whoever does not know what to write: one for each thing worth seeing."""

from __future__ import annotations

from collections.abc import Mapping

from handraise.core.languages import Language

SAMPLES: Mapping[Language, list[str]] = {
    "zh": [
        "我要退款，订单 1001",
        "帮我查一下订单 #12345 的发货时间",
        "我要退款，但商品已经拆封了",
        "帮我取消所有待支付的订单",
        "你们的会员积分规则是什么？",
        "订单 1002 到哪了？",
    ],
    "en": [
        "I want a refund for order 1001",
        "When was order #12345 shipped?",
        "I want a refund, but I have opened the box",
        "Cancel all my unpaid orders",
        "How do I earn membership points?",
        "Where is order 1002?",
    ],
}
