"""What customers want, as a table: the first line whose pattern is found in a message names its intent.

So the order of the lines is the order of precedence: small talk comes last, because "Hello, I want a refund" is about
a refund.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, get_args

from handraise.core.languages import Language

Desk = Literal["reception", "orders", "refunds", "membership"]
DESKS: tuple[Desk, ...] = get_args(Desk)

Intent = Literal[
    "policy", "cancel_all", "change_address", "refund_status", "refund", "cancel", "missing_points", "membership",
    "pending_orders", "shipping", "my_orders", "order", "person", "thanks", "goodbye", "greeting", "follow_up",
    "leave", "unclear",
]  # fmt: skip


class Line(NamedTuple):
    """One line of the table: the agent that deals with an intent (None: whoever is speaking), and its patterns."""

    intent: Intent
    desk: Desk | None
    zh: str
    en: str


TABLE = (
    Line(
        "policy",
        None,
        r"政策|规则|规定|条款|流程|怎么算|如何计算|标准|保修|发票|运费|邮费|包邮|"
        r"(支付|付款)方式|营业时间|上班|门店|优惠券|怎么用|兑换|有效期|过期",
        r"\bpolic(y|ies)\b|\brules?\b|\bwarrant|\binvoice|\breceipt|\b(shipping|delivery) (fees?|costs?|charges?)|"
        r"\bfree (shipping|delivery)|\bpayment (method|option)|\b(opening|office|business) hours|\bcoupon|\bvoucher|"
        r"\bgift ?(card|wrap)|\bhow (do|does|can)\b.*\b(work|earn|collect|redeem)|\bexpir|\bredeem",
    ),
    Line(
        "cancel_all",
        "orders",
        r"(取消|撤销|退订).*(所有|全部|一起|待支付|待付款|未付款|未支付|没付)|(所有|全部|待支付|待付款|未付款|没付).*(取消|撤销|退订)",
        r"\b(cancel|drop|void|scrap)\b.*\b(all|every|everything|pending|unpaid)\b|"
        r"\b(all|every|pending|unpaid)\b.*\bcancel",
    ),
    Line(
        "change_address",
        "orders",
        r"(改|换|变更|更新|填错|写错).{0,8}(地址|收货)|(地址|收货).{0,8}(改|换|填错|写错|错了|变)|改寄|寄到(别|另|其他|新)",
        r"\b(change|update|correct|wrong|different|new|fix|edit)\b.*\baddress|\baddress\b.*\b(change|wrong|update|moved)|"
        r"\b(send|ship|deliver)\b.*\b(instead|to (another|a different|a new))\b",
    ),
    Line(
        "refund_status",
        "refunds",
        r"退款.{0,8}(进度|到账|到了|多久|什么时候|状态|好了|到哪|处理|办)|(什么时候|多久).{0,6}退款|退了[吗没么]",
        r"\brefund\b.*\b(status|arriv\w*|yet|take|progress|done|gone|come)\b|"
        r"\b(when|where|how long|status)\b.*\brefund",
    ),
    Line(
        "refund",
        "refunds",
        r"退款|退钱|退货|退掉|(?<!已经)退了(?![吗没么呢])|钱退|退我|想退|要退|能退|可以退|退一下|退一部分|"
        r"退.{0,6}(元|块)|退 *\d|赔|坏了|坏的|破损|碎了|损坏|质量问题|不能用|拆封.*退|退.*拆",
        r"\brefund|\bmoney back|\breimburs|\bpay me back|\bgive me .*back|"
        r"\b(return|send)\b.*\b(it|this|them|order|back)\b|"
        r"\b(broken|damaged|defective|faulty|cracked)\b|\b(doesn'?t|does not|not) work",
    ),
    Line(
        "cancel",
        "orders",
        r"取消|撤销|退订|不想要了|不要了",
        r"\bcancel|\bcall off|\bno longer (want|need)|\bdon'?t (want|need)\b.*\b(it|order|anymore|any more)",
    ),
    Line(
        "missing_points",
        "membership",
        r"积分.{0,8}(没到|没有到|没加|未到|少了|不对|漏|没给|没收到|缺)|(补|少了|少给|漏|缺).{0,6}积分",
        r"\bpoints?\b.*\b(missing|not|never|didn'?t|haven'?t|lost|wrong|fewer)\b|\b(missing|lost|forgot)\b.*\bpoints?\b",
    ),
    Line(
        "membership",
        "membership",
        r"(我|查|还有|剩).{0,6}(积分|会员|等级)|多少积分|积分余额|会员(等级|级别|身份)|什么会员",
        r"\bmy (\w+ )?(points?|membership|tier|level)\b|\bhow many points\b|\bpoints? balance|\bwhat (tier|level)\b|"
        r"\bam i a (\w+ )?member",
    ),
    Line(
        "pending_orders",
        "orders",
        r"待支付|待付款|未付款|未支付|没付款|没付钱|没有付",
        r"\bpending\b|\bunpaid\b|\b(not|haven'?t|have not) paid|\boutstanding\b|\bstill (to|have to) pay",
    ),
    Line(
        "shipping",
        "orders",
        r"发货|物流|快递|到哪|到货|送到|送达|派送|签收|单号|什么时候到|几时到|啥时候到|何时到|寄出|还没到|没收到|在路上|多久能到",
        r"\bship|\bdeliver|\btrack|\barriv|\bparcel|\bpackage|\bcourier|\bon (its|the) way|\beta\b|"
        r"\bwhere\b.*\b(order|it|stuff|things?|is \d|are \d)|"
        r"\b(haven'?t|not|never|didn'?t) (received?|got|get)\b|\bget here",
    ),
    Line(
        "my_orders",
        "orders",
        r"(我|有|哪些|哪几|所有|全部|列).{0,8}订单(列表|有|都|$|[吗呢？?。])|订单列表|买(过|了)(什么|哪些)|有(哪些|几个|什么)订单",
        r"\b(my|list|show|all|what|which|any)\b.*\borders\b|\border history|\bwhat (did|have) i (buy|bought|order)",
    ),
    Line("order", "orders", r"订单|单子", r"\borders?\b"),
    Line(
        "person",
        None,
        r"人工|真人|转接|找(你们)?经理|投诉",
        r"\b(human|real person|representative|manager|supervisor|somebody real|complain)",
    ),
    Line(
        "thanks",
        None,
        r"谢|感谢|辛苦|太好了|好的$|明白了|知道了",
        r"\bthank|\bthx\b|\bcheers\b|\bgreat\b|\bperfect\b|^ok(ay)?\W*$",
    ),
    Line("goodbye", None, r"再见|拜拜|没事了|没有了|不用了", r"\b(good)?bye\b|\bthat'?s all|\bnothing else|\bsee you"),
    Line(
        "greeting",
        None,
        r"你好|您好|在吗|有人吗|早上好|下午好|晚上好|嗨",
        r"^\W*(hello|hi|hey|good (morning|afternoon|evening))\b",
    ),
    Line(
        "policy",
        None,
        r"[？?]|吗|什么|怎么|怎样|如何|多少|哪|能不能|可不可以|是否|几",
        r"\?|^\W*(do|does|can|could|is|are|will|would|what|which|who|how|why|when|where|may)\b",
    ),
)

DESK_OF: dict[Intent, Desk | None] = {line.intent: line.desk for line in TABLE}

NEED_ORDER: frozenset[Intent] = frozenset(
    {"refund_status", "refund", "cancel", "change_address", "missing_points", "shipping", "order"}
)
"""What cannot be done before the customer has said which order it is about."""

_FOLLOW_UP = re.compile(
    r"(那|呢|还有|以及|和|跟|的|也|再|看看|查查|订单|单号|号|是|另外|一个|and|what|how|about|or|also|too|order|orders|number|"
    r"no|nr|the|one|for|please|then|same|it'?s|is|#|\d|\W|_)*",
    re.IGNORECASE,
)
_PATTERNS: dict[Language, list[tuple[Intent, re.Pattern[str]]]] = {
    "zh": [(line.intent, re.compile(line.zh)) for line in TABLE],
    "en": [(line.intent, re.compile(line.en, re.IGNORECASE)) for line in TABLE],
}


def intent_of(text: str, language: Language) -> Intent:
    """Return what a message is about, by itself. A mere order number is a follow-up on what was said before."""
    if re.search(r"\d", text) and _FOLLOW_UP.fullmatch(text):
        return "follow_up"
    found = next((intent for intent, pattern in _PATTERNS[language] if pattern.search(text)), None)
    return found or "unclear"
