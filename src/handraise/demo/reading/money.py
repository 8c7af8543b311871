"""How much money a customer names: with a currency anywhere, and without one where only money can be meant."""

from __future__ import annotations

import re

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?(?!\d)"
_SMALL = rf"(?:\d{{1,2}}(?![\d,.]*\d)|(?=\d+(?:,\d{{3}})*\.\d|\d{{1,3}},\d{{3}}(?!\d)){_NUMBER})"
"""A number that can be no order's: too short for one, or written with a point or with separators."""

_ORDER = r"(?:my |the )?(?:order *(?:no\.? *|number *)?#? *|#)"
_NO_UNIT = (
    r"(?! *(?:%|percent|per cent|items?\b|orders?\b|pieces?\b|pcs\b|days?\b|weeks?\b|times?\b|of (?:them|these)\b))"
)
_REFUND = r"\b(?:refund(?:ed)?|reimburse|pay(?: me)? back)(?: me)?(?: (?:of|for|with|just|only|about))*"
_AFTER_AN_ORDER = "(?:" + "|".join(rf"(?<=[ #]\d{{{digits}}})" for digits in range(4, 9)) + ")"

_MONEY = re.compile(
    "|".join(
        (
            rf"[¥￥$€£] *(?P<sign>{_NUMBER})",
            rf"(?<![\d.,])(?P<unit>{_NUMBER}) *(?:元|块|yuan\b|rmb\b|cny\b|dollars?\b|usd\b|euros?\b|eur\b|bucks\b)",
            rf"{_REFUND} (?P<part>{_NUMBER})(?= (?:from|off|out of) |(?: of| on| for) {_ORDER}\d)",
            rf"{_REFUND} (?P<three>\d{{3}})(?= (?:of|on|for) #?\d{{4,8}}\b)",
            rf"{_REFUND} (?P<small>{_SMALL}){_NO_UNIT}",
            rf"{_AFTER_AN_ORDER} for (?P<price>{_NUMBER}){_NO_UNIT}(?= *(?:$|[.,;!?]|(?:please|only|and|back)\b))",
            rf"退(?:款|我|回|给我)? *(?P<zh>{_SMALL})(?! *(?:%|件|个|单|次|天|成|笔|积分|分))",
        )
    ),
    re.IGNORECASE,
)


def read_money(text: str) -> tuple[float | None, str]:
    """Return the first amount in a message, and the message without its amounts: what is left has the order numbers."""
    amounts = [
        next(number for number in found.groupdict().values() if number is not None) for found in _MONEY.finditer(text)
    ]
    return (float(amounts[0].replace(",", "")) if amounts else None), _MONEY.sub(" ", text)
