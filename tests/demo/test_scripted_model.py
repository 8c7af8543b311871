"""The scripted model streams as a real one does, and its sentences are complete in both languages."""

from __future__ import annotations

import re

import pytest
from langchain_core.messages import AIMessage

from handraise.demo.script.replies import REPLIES, STATUS, TIERS
from handraise.testing import ScriptedModel


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("订单 1002 已发货。", ["订", "单 ", "1002 ", "已", "发", "货", "。"]),
        ("Order 1002 is on its way.", ["Order ", "1002 ", "is ", "on ", "its ", "way."]),
        ("共 5000.00 元\n谢谢", ["共 ", "5000.00 ", "元\n", "谢", "谢"]),
    ],
)
def test_text_is_streamed_word_by_word_and_chinese_by_character(text: str, pieces: list[str]) -> None:
    model = ScriptedModel.replaying(AIMessage(text))

    assert [chunk.text for chunk in model.stream("hi") if chunk.text] == pieces


def test_a_call_follows_the_text_in_the_stream() -> None:
    call = {"name": "look_up_order", "args": {"order_id": "1002"}, "id": "call_1"}
    model = ScriptedModel.replaying(AIMessage("One moment.", tool_calls=[call]))

    chunks = list(model.stream("hi"))
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk

    assert whole.text == "One moment."
    assert [(made["name"], made["args"]) for made in whole.tool_calls] == [("look_up_order", {"order_id": "1002"})]


def test_every_sentence_is_there_in_both_languages_with_the_same_blanks() -> None:
    for name, sentences in {**REPLIES, **STATUS, **TIERS}.items():
        assert sentences.keys() == {"zh", "en"}, name
        blanks = [set(re.findall(r"{(\w+)}", sentence)) for sentence in sentences.values()]
        assert blanks[0] == blanks[1], name
        assert re.search(r"[\u4e00-\u9fff]", sentences["zh"]), name
        assert not re.search(r"[\u4e00-\u9fff]", sentences["en"]), name
