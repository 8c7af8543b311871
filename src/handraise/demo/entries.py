"""What the shop's knowledge base knows from the start. Points are left out: that gap is for the visitor to find."""

from __future__ import annotations

from handraise.core.text.tokens import language_of
from handraise.knowledge.curation import NewEntry

_TOLD = (
    (
        "运费怎么算？满多少包邮？",
        "满 99 元包邮，不满 99 元收 8 元运费，偏远地区另计。",
        "运费",
    ),
    (
        "七天无理由退货是什么政策？",
        "签收后七天内，未拆封、不影响二次销售的商品可以无理由退货；拆封商品需要审批。",
        "退货",
    ),
    (
        "退款多久到账？",
        "审核通过后原路退回，一般 1-3 个工作日到账。",
        "退款",
    ),
    (
        "支持哪些支付方式？",
        "支持支付宝、微信支付、银联和信用卡。",
        "支付",
    ),
    (
        "商品保修多久？",
        "电子产品保修一年，其他商品保修三个月，凭订单号即可。",
        "保修",
    ),
    (
        "客服上班时间是几点？",
        "智能客服全天在线，人工同事每天 9:00 到 21:00。",
        "客服",
    ),
    (
        "How much is shipping?",
        "Free from 99; below that it is 8, and more for remote places.",
        "shipping",
    ),
    (
        "What is your return policy?",
        "Unopened goods can be returned within seven days of delivery. Opened goods need an approval.",
        "returns",
    ),
    (
        "How long does a refund take to arrive?",
        "It goes back the way it was paid, usually within 1 to 3 working days.",
        "refunds",
    ),
    (
        "Which payment methods do you accept?",
        "Alipay, WeChat Pay, UnionPay and credit cards.",
        "payment",
    ),
    (
        "How long is the warranty?",
        "One year for electronics, three months for everything else.",
        "warranty",
    ),
    (
        "What are your opening hours?",
        "The assistant is always here; colleagues are here from 9:00 to 21:00 every day.",
        "service",
    ),
)

ENTRIES = tuple(
    NewEntry(question=question, answer=answer, tags=(tag,), language=language_of(question))
    for question, answer, tag in _TOLD
)
