"""The sign-in page: plain HTML, so that it works before the console has loaded anything."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal

from handraise.core.people import Operator

Language = Literal["zh", "en"]

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "title": "Sign in",
        "demo": "This is the demo: choose who you want to be.",
        "link": "Operators sign in with a one-time link. Whoever runs this service makes one with:",
        "used": "This link was used already, or it is too old.",
        "as": "Sign in as {name}",
        "operator": "operator",
        "lead": "lead",
        "admin": "admin",
    },
    "zh": {
        "title": "登录",
        "demo": "这是演示环境：请选择一个身份。",
        "link": "客服人员使用一次性链接登录。服务管理员可用以下命令生成：",
        "used": "此链接已被使用或已过期。",
        "as": "以 {name} 的身份登录",
        "operator": "客服",
        "lead": "主管",
        "admin": "管理员",
    },
}
_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:15vh auto;"
    "padding:0 1.5rem}button{font:inherit;display:block;width:100%;padding:.75rem;margin:.5rem 0;cursor:pointer;"
    "color:#fff;background:#3b5bdb;border:0;border-radius:4px}button:hover{background:#364fc7}"
    "code{display:block;padding:.75rem;border:1px solid;border-radius:4px}[role=alert]{font-weight:600}"
)


def sign_in_page(operators: Sequence[Operator], *, to: str, used_up: bool, language: Language) -> str:
    """Return the page: a button for each operator, or how to get a link when there are none to choose."""
    words = _WORDS[language]
    buttons = "".join(
        f'<button name="operator" value="{escape(operator.id)}">'
        f"{escape(words['as'].format(name=operator.name))} ({words[operator.role]})</button>"
        for operator in operators
    )
    way_in = (
        f'<p>{words["demo"]}</p><form method="post" action="/sign-in">'
        f'<input type="hidden" name="next" value="{escape(to)}">{buttons}</form>'
        if operators
        else f"<p>{words['link']}</p><code>handraise operators link</code>"
    )
    alert = f'<p role="alert">{words["used"]}</p>' if used_up else ""
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Handraise · {words['title']}</title><style>{_STYLE}</style>"
        f"<main><h1>{words['title']}</h1>{alert}{way_in}</main></html>"
    )
