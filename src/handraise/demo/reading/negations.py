"""What a customer says that they do not want. The table of intents knows no "not", so it never gets to read that.

Only a refusal counts. "It does not work", "not paid", "I don't want it any more" and "why don't you refund me?" say
"not" too, and ask for something.
"""

from __future__ import annotations

import re

_ZH = (
    # 不想要 stands before a thing as often as before an act, so there the act must follow at once.
    r"(?:不想要|(?:不要|不用|不必|不需要|不打算|无需|没有?要|没说要|不是要|不是想|先不|暂不|不想|勿|(?<![特级性分区个])别(?!人|的)))"
    r"(?:再|给我|帮我|为我|替我|把|将|申请|办理?|做|任何|我的?|这[个笔单]|那[个笔单]|订单|全[额部]|所有|都|急着|直接|自动|先|的|号|"
    r"[\d#、和跟\s])*"
    r"(?:退款|退钱|退货|退掉|退订|退|取消|撤销|修?改.{0,4}地址|换地址|改)"
    r"(?:(?![，。；！？,;!?\n]|\.(?!\d)|但|而是|只|就|我|请|帮).)*"
)
_ACT = r"(?:refund|reimburse|cancel|return|chang|updat|edit|money back)\w*"
_DONE = r"(?:refunded|reimbursed|cancell?ed|returned|changed|updated)\b"
_WISH = r"(?:want|need|ask(?:ed|ing)?|wish|mean|like|intend|plan|request(?:ed)?|say|said|look(?:ing)?)"
_AROUND = r"(?:to|for|a|an|any|the|my|me|you|your|that|really|even|full|partial|yet|go|and|ever|either)"
_WHICH = r"(?:my|the|it|this|that|them|these|orders?|number|to|be|have|and|[#\d,]+)"
_EN = (
    r"(?:"
    rf"(?<!why )(?<!they )(?<!you )\b(?:do not|don'?t)(?! (?:you|i|we|they)\b)(?: {_WISH})?(?: {_AROUND})* {_ACT}|"
    rf"\b(?:do not|don'?t|did not|didn'?t|never) (?:want|need|wish|like)(?: {_WHICH})+ {_DONE}|"
    rf"\b(?:did not|didn'?t|never|am not|'m not|not) {_WISH}(?: {_AROUND})* {_ACT}|"
    rf"\b(?:rather|please|but|better) not(?: {_AROUND})* {_ACT}|(?:^|[,;.] *)not(?: {_AROUND})* {_ACT}|"
    rf"\b(?:no need (?:to|for)|no reason to|instead of|rather than|without)(?: {_AROUND})* {_ACT}|"
    r"(?<!still )\bno (?:refund|cancellation)s?(?= *(?:needed|necessary|required|please|for|[,.;!]|$))"
    r")"
    r"(?:(?![,;!?\n]|\.(?!\d)|\b(?:but|just|only|instead|rather|however|i)\b|\band\b(?! *(?:orders? *)?#?\d)).)*"
)
_REFUSED = re.compile(f"{_ZH}|{_EN}", re.IGNORECASE)


def without_refusals(text: str) -> str:
    """Return a message without the clauses in which the customer says what not to do; itself when there are none."""
    return _REFUSED.sub(" ", text.replace("’", "'"))
