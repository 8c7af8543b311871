"""Concepts: the same meaning in other words, and no meaning where there is none."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.core.text.concepts import concepts, is_concept, is_thing, meanings
from handraise.core.text.tokens import tokens


@pytest.mark.parametrize(
    ("one", "other", "concept"),
    [
        ("Your site won't let me in", "Why is my account locked?", "§locked"),
        ("could you knock a bit off the price", "Is there a discount?", "§discount"),
        ("I sent it to my old flat by mistake", "Can I change the delivery address?", "§change-address"),
        ("hasn't turned up yet", "还没收到", "§not-arrived"),
        ("拆开一看里面全碎了", "收到的商品破损怎么处理？", "§arrived-damaged"),
        ("钱什么时候能退到我卡里", "When will my refund arrive?", "§refund"),
        ("my old pram", "婴儿推车", "§§pushchair"),
    ],
)
def test_two_who_mean_the_same_say_the_same_concept(one: str, other: str, concept: str) -> None:
    assert concept in concepts(one)
    assert concept in concepts(other)


@pytest.mark.parametrize(
    "text", ["", "?!", "tell me a joke about penguins", "帮我写一首关于春天的诗", "世界上最高的山"]
)
def test_what_no_customer_asks_a_shop_says_no_concept(text: str) -> None:
    assert not concepts(text)


def test_a_very_long_text_without_a_comma_is_read_and_says_what_it_says() -> None:
    # Compared in pairs, the phrases of the whole text would take minutes.
    assert concepts("退款多久到账" * 40_000).keys() == concepts("退款多久到账" * 2).keys()


def test_a_phrase_does_not_reach_over_a_full_stop() -> None:
    assert "§return" in concepts("I want to send it back")
    assert "§return" not in concepts("I saw what you send. Back home it rained")


def test_a_word_inside_another_is_not_heard() -> None:
    assert "§install" in concepts("这个怎么装")
    assert "§install" not in concepts("包装很好看")


def test_the_words_that_say_a_concept_are_known() -> None:
    assert concepts("can I get my money back?")["§refund"] == set(tokens("money back"))


def test_forms_of_a_verb_are_one() -> None:
    assert concepts("my parcel was stolen").keys() == concepts("somebody steals my parcel").keys()


def test_concepts_stand_behind_the_words() -> None:
    found = meanings("Refund for the headphones?")
    words = tokens("Refund for the headphones?")
    assert found[: len(words)] == words
    assert {"§refund", "§§headphones"} <= set(found[len(words) :])
    assert [is_thing(token) for token in ("§§headphones", "§refund", "refund")] == [True, False, False]


@given(st.text())
def test_no_word_looks_like_a_concept_and_no_concept_breaks_a_query(text: str) -> None:
    assert not any(is_concept(token) for token in tokens(text))
    assert not [concept for concept in concepts(text) if not re.fullmatch(r"§§?[a-z0-9-]+", concept)]


def test_the_thesaurus_has_three_columns_and_names_each_concept_once() -> None:
    for name in ("concepts", "products"):
        text = (files("handraise.core.text") / "thesaurus" / f"{name}.tsv").read_text(encoding="utf-8")
        rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
        assert {len(row) for row in rows} == {3}
        assert len({row[0] for row in rows}) == len(rows)
        for _, english, chinese in rows:
            for phrases in (english.split(", "), chinese.split(",")):
                assert len(set(phrases)) == len(phrases)
                assert all(phrase == phrase.strip() != "" for phrase in phrases)
