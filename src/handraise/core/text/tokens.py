"""Tokens: what full text search compares, the same on every database because they are made here.

Chinese is written without spaces, so every Han character and every pair of neighbours is a token. Words of other
scripts are folded (case, width, accents) and cut to their stem. Words that say nothing separate the others.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_TOKENS = 2_000
"""What a text is searched by at most. The rest of a longer text is kept, but not searched."""

MAX_LENGTH = 64
"""How much of a word counts, in characters. PostgreSQL refuses words of more than two thousand bytes."""

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_PIECES = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:-[^\W_{_HAN}]+)*")
_SINGLE = re.compile(rf"[{_HAN}]")

_SIMPLIFIED = str.maketrans(
    "會員積訂單貨發票優換購買賣錢銀賬帳號碼機驗證國際運費遞網頁聯絡時間問題處壞損壓縮還給沒嗎麼們這個開關查詢"
    "訊資費產質價額級點線聲設備領導務實際類試讓電話後來樣東過為與說請寫選擇權隱",
    "会员积订单货发票优换购买卖钱银账账号码机验证国际运费递网页联络时间问题处坏损压缩还给没吗么们这个开关查询"
    "讯资费产质价额级点线声设备领导务实际类试让电话后来样东过为与说请写选择权隐",
)

_EMPTY_HAN = re.compile(
    "怎么办|怎么样|怎么|怎样|什么时候|什么|为什么|如何|请问|是否|可不可以|可以|能不能|能否|是不是|有没有|"
    "我们|你们|您们|他们|我的|你的|您的|这个|那个|一个|一下|还是|或者|如果|因为|所以|但是|已经|然后|"
    "[的了吗呢吧啊呀哦嘛么我你您他她它是在也都就和与或及把被给很请要想能]"
)
_EMPTY_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a an the and or but if so of to in on at by for from with without into as than then about
        is are was were be been being am do does did done get got tell can cant could would should will shall may might
        i me my mine we us our you your he she it its they them their this that these those there here
        what which who whom whose when where why how not no yes please just too very some any all
        im id ive ill youre dont doesnt didnt isnt must
        """,
    )
)


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, in order, with repetitions."""
    found: list[str] = []
    for piece in _PIECES.findall(folded(text)):
        if _SINGLE.match(piece):
            for run in _EMPTY_HAN.split(piece):
                found += run
                found += (run[at : at + 2] for at in range(len(run) - 1))
        else:
            found += _words(piece)
        if len(found) >= MAX_TOKENS:
            return found[:MAX_TOKENS]
    return found


def is_single(token: str) -> bool:
    """Return whether a token is one Han character, which says much less than a pair of them."""
    return len(token) == 1 and _SINGLE.match(token) is not None


def is_han(character: str) -> bool:
    """Return whether a character belongs to a script that is written without spaces."""
    return _SINGLE.match(character) is not None


def plain(text: str) -> str:
    """Return a text without case, width, punctuation and spaces, to tell whether two people wrote the same."""
    return "".join(character for character in folded(text) if character.isalnum())


def language_of(text: str) -> str:
    """Guess the language of a text: `zh` when it has Han characters, else `en`."""
    return "zh" if re.search("[\u4e00-\u9fff]", text) else "en"


def folded(text: str) -> str:
    """Return a text without case, width, accents, apostrophes and common traditional characters."""
    wide = unicodedata.normalize("NFKC", text).casefold().translate(_SIMPLIFIED)
    bare = "".join(each for each in unicodedata.normalize("NFD", wide) if not unicodedata.combining(each))
    return re.sub(r"(?<=\w)['’](?=\w)", "", unicodedata.normalize("NFC", bare))


def _words(piece: str) -> list[str]:
    parts = piece.split("-")
    words = [*parts, "".join(parts)] if len(parts) > 1 else parts
    return [stem(word[:MAX_LENGTH]) for word in words if word not in _EMPTY_WORDS]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Cut the endings that English words change by; what is left need not be a word."""
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2 and re.search("[aeiouy]", stem):
            word = stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "ls" else stem
            break
    return word[:-1] if len(word) > 4 and word[-1] in "ey" else word
