"""What a customer leaves out of a wish: "cancel all except 1005" is about every order but that one."""

from __future__ import annotations

import re

# Every repetition has an end, and a list can be read in one way only: what a customer writes may be long, and must
# not keep the service busy.
_ORDER = r"(?:(?:订单|单号) ?)?#?\d{3,8}(?!\d)号?"
_NUMBERS = rf"{_ORDER}(?:(?: ?(?:,|、|，|和|跟|及|与|\band\b|\bor\b|&) ?| ){_ORDER}){{0,29}}"
_ZH = (
    rf"除[了去开]? ?{_NUMBERS} ?[单这那个笔订]{{0,4}}(?:以外|之外|外)?[的，,]?|"
    rf"{_NUMBERS} ?[单这那个笔订]{{0,4}}除外|"
    rf"(?:保留|留着|留下|别动|不要动) ?{_NUMBERS}"
)
_EN = (
    r"\b(?:except(?:ing)?(?: for| from)?|excluding|other than|apart from|aside from|save for|all but|everything but|"
    rf"but not|but keep|keep|leave out) (?:the |my )?(?:orders? |numbers? |no\.? ?)?{_NUMBERS}"
)
_LEFT_OUT = re.compile(f"{_ZH}|{_EN}", re.IGNORECASE)


def without_exceptions(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a message without what it leaves out, and the orders that are left out."""
    spared = [number for clause in _LEFT_OUT.findall(text) for number in re.findall(r"\d{3,8}", clause)]
    # "All but 1005" must still say "all".
    kept = _LEFT_OUT.sub(lambda clause: " all " if re.match(r"(all|every)", clause[0], re.IGNORECASE) else " ", text)
    return kept, tuple(dict.fromkeys(spared))
