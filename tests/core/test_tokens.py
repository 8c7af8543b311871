"""Tokens: what search compares, whatever the script, the width and the case."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.core.text.tokens import MAX_LENGTH, MAX_TOKENS, is_single, language_of, plain, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("会员积分", ["会", "员", "积", "分", "会员", "员积", "积分"]),
        ("我的积分", ["积", "分", "积分"]),
        ("退款多久？", ["退", "款", "多", "久", "退款", "款多", "多久"]),
        ("iPhone 15 坏了", ["iphon", "15", "坏"]),
        ("ＡＢＣ１２３", ["abc123"]),
        ("Café", ["cafe"]),
        ("How do I return an item?", ["return", "item"]),
        ("怎么了？", []),
        ("!!! — …", []),
        ("", []),
    ],
)
def test_a_text_becomes_characters_pairs_and_words(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("returns", "returned"),
        ("exchange", "Exchanging"),
        ("delivery", "delivered"),
        ("countries", "country"),
        ("can't pay", "Can’t pay"),
        ("退貨運費", "退货运费"),
    ],
)
def test_forms_of_one_word_are_one_token(one: str, other: str) -> None:
    assert tokens(one) == tokens(other) != []


def test_a_word_with_a_hyphen_is_found_by_its_parts_and_as_one() -> None:
    assert tokens("e-mail") == ["e", "mail", "email"]


@given(st.text())
def test_tokens_never_hold_what_an_index_would_cut_or_a_query_could_mistake(text: str) -> None:
    found = tokens(text)
    assert not [token for token in found if not token or re.search(r"[\s\"'\\|&()!:*<>-]", token)]
    assert len(found) <= MAX_TOKENS


@given(st.text())
def test_folding_is_done_once_and_for_all(text: str) -> None:
    assert plain(plain(text)) == plain(text)


def test_a_long_text_is_searched_by_its_beginning() -> None:
    assert len(tokens("退款" * 5_000)) == MAX_TOKENS


def test_a_long_word_is_searched_by_its_beginning() -> None:
    assert tokens("x" * 5_000) == ["x" * MAX_LENGTH]


def test_a_single_character_is_told_from_a_word() -> None:
    assert is_single("退")
    assert not is_single("退款")
    assert not is_single("a")


def test_the_language_is_guessed_from_the_script() -> None:
    assert (language_of("退款 refund"), language_of("refund")) == ("zh", "en")
