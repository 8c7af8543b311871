"""What a customer leaves out of a wish: "cancel all except 1005" is about every order but that one."""

from __future__ import annotations

import re

_NUMBERS = r"(?:[#号订单]*\s*\d{3,8}(?!\d)\s*(?:,|、|，|和|跟|及|与|\band\b|\bor\b|&)?\s*)+"
_ZH = (
    rf"除(?:了|去|开)?\s*(?:订单|单号)?\s*{_NUMBERS}(?:[号单这那个笔订]*)(?:以外|之外|外)?(?:的|，|,)?|"
    rf"(?:订单|单号)?\s*{_NUMBERS}[号单这那个笔订]*除外|"
    rf"(?:保留|留着|留下|别动|不要动)\s*(?:订单|单号)?\s*{_NUMBERS}[号单]*"
)
_EN = (
    r"\b(?:except(?:ing)?(?: for| from)?|excluding|other than|apart from|aside from|save for|all but|everything but|"
    rf"but not|but keep|keep|leave out)\s+(?:the\s+|my\s+)?(?:orders?\s+|numbers?\s+|no\.?\s*)?{_NUMBERS}"
)
_LEFT_OUT = re.compile(f"{_ZH}|{_EN}", re.IGNORECASE)


def without_exceptions(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a message without what it leaves out, and the orders that are left out."""
    spared = [number for clause in _LEFT_OUT.findall(text) for number in re.findall(r"\d{3,8}", clause)]
    # "All but 1005" must still say "all".
    kept = _LEFT_OUT.sub(lambda clause: " all " if re.match(r"(all|every)", clause[0], re.IGNORECASE) else " ", text)
    return kept, tuple(dict.fromkeys(spared))
