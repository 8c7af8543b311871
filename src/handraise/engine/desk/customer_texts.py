"""What the service itself says to a customer, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from handraise.core import languages
from handraise.core.requests import Fallback
from handraise.core.sessions import Session

Language = languages.Language
Line = Literal["waiting", "taken", "calling", "retrying", "failed"] | Fallback

_LINES: Mapping[Language, Mapping[Line, str]] = {
    "zh": {
        "waiting": "正在为您核实，请稍候……",
        "taken": "客服同事正在与您对话，请稍候……",
        "calling": "正在处理：{tool}",
        "retrying": "出了点问题，正在重试。",
        "failed": "抱歉，这条消息没有处理成功，请再发一次。",
        "inform": "抱歉，当前客服繁忙，我们会尽快处理您的问题；您也可以稍后再试。",
        "ticket": "抱歉，当前客服繁忙。已为您创建工单，编号 {number}，我们会在 24 小时内在此回复您。",
        "self_service": "抱歉，当前客服繁忙。您也可以自助查询：{help}",
    },
    "en": {
        "waiting": "This is being checked, please wait a moment.",
        "taken": "A colleague is talking to you now, please wait a moment.",
        "calling": "Working on it: {tool}",
        "retrying": "Something went wrong; trying again.",
        "failed": "Sorry, this could not be completed. Please send it again.",
        "inform": "Sorry, everyone is busy right now. We will look into it as soon as we can; you can also try later.",
        "ticket": "Sorry, everyone is busy right now. Your ticket is {number}; we will answer here within 24 hours.",
        "self_service": "Sorry, everyone is busy right now. You can also look it up yourself: {help}",
    },
}

HELP: Mapping[Language, str] = {
    "zh": "在您的账户页面可以查看订单、物流和退款进度。",
    "en": "your account page shows orders, shipping and refunds.",
}
"""Where a customer can help themselves, where nobody set anything better."""

_HAN = re.compile(r"[\u3400-\u9fff]")


def language_of(session: Session, said: str) -> Language:
    """Return the language to use with a customer: the session's, else that of what they wrote."""
    if session.language:
        return "zh" if session.language.lower().startswith("zh") else "en"
    return "zh" if _HAN.search(said) else "en"


def customer_text(which: Line, language: Language, *, number: int = 0, help: str = "", tool: str = "") -> str:
    """Return a sentence for the customer."""
    return _LINES[language][which].format(number=number, help=help or HELP[language], tool=tool)
