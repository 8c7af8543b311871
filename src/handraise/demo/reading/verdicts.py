"""Reading a colleague's answer: the option that they chose, or what their own words come to.

The gates and the script read answers by the same rules, so that what was agreed to is not asked twice, and what was not
is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

CONFIRM, DECLINE = "confirm", "decline"
FULL, HALF, NONE = "A", "B", "C"

Verdict = Literal["yes", "no", "unclear"]

_NO = re.compile(r"不|拒|别|勿|暂缓|\bno\b|\bnot\b|n't\b|\bdeclin|\breject|\bdeny|\bstop\b|\brefuse", re.IGNORECASE)
_YES = re.compile(
    r"确认|同意|可以|批准|执行|通过|好的|没问题|"
    r"\byes\b|\bok(ay)?\b|\bconfirm|\bapprov|\bgo ahead|\bsure\b|\bfine\b|\bproceed",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(\d{1,3})\s*[%％]")
_HALF = re.compile(r"一半|半价|五折|\bhalf\b", re.IGNORECASE)
_FULL = re.compile(r"全额|全部|全退|\bfull", re.IGNORECASE)


def timed_out(answer: Mapping[str, Any]) -> bool:
    """Return whether nobody answered in time."""
    return answer.get("status") == "timeout"


def verdict_of(answer: Mapping[str, Any]) -> Verdict:
    """Return whether a colleague agreed. A no anywhere in their words counts more than a yes."""
    chosen, text = answer.get("selected_option"), str(answer.get("response", ""))
    if chosen in {CONFIRM, DECLINE}:
        return "yes" if chosen == CONFIRM else "no"
    if _NO.search(text):
        return "no"
    return "yes" if _YES.search(text) else "unclear"


def share_of(answer: Mapping[str, Any]) -> float | None:
    """Return which part of an order's total a colleague grants, from 0 to 1; None when their words do not say."""
    by_option = {FULL: 1.0, HALF: 0.5, NONE: 0.0}
    chosen, text = answer.get("selected_option"), str(answer.get("response", ""))
    if chosen in by_option:
        return by_option[chosen]
    if percent := _PERCENT.search(text):
        return min(int(percent[1]), 100) / 100
    if _NO.search(text):
        return 0.0
    if _HALF.search(text):
        return 0.5
    return 1.0 if _FULL.search(text) or _YES.search(text) else None
