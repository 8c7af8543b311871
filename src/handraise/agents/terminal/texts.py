"""What the terminal says to the person who reviews, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from handraise.core.decisions import DecisionKind
from handraise.core.languages import Language


@dataclass(frozen=True, kw_only=True)
class Words:
    """One language of the terminal."""

    approval: str
    question: str
    options: str
    decide: str
    kinds: Mapping[DecisionKind, str]
    keep: str
    not_json: str
    reason: str
    answer: str
    refused: str
    stopped: str


WORDS: Mapping[Language, Words] = {
    "zh": Words(
        approval="智能体想调用",
        question="智能体有一个问题",
        options="选项",
        decide="请决定",
        kinds={"approve": "批准", "edit": "修改", "reject": "拒绝", "respond": "代答"},
        keep="逐项修改参数，直接回车表示不变",
        not_json="这个参数不是文本，请按 JSON 填写，例如 10、true、[1, 2]",
        reason="拒绝的理由（可不填）",
        answer="您的答复",
        refused="答复没有被接受，请再试一次",
        stopped="智能体停在下一步之前，按回车继续",
    ),
    "en": Words(
        approval="The agent wants to call",
        question="The agent has a question",
        options="Options",
        decide="Your decision",
        kinds={"approve": "approve", "edit": "edit", "reject": "reject", "respond": "respond in its place"},
        keep="Change the arguments one by one; press Enter to keep one",
        not_json="This argument is not text: write it as JSON, such as 10, true or [1, 2]",
        reason="The reason (optional)",
        answer="Your answer",
        refused="The answer was not accepted; please try again",
        stopped="The agent stopped before the next step; press Enter to go on",
    ),
}
