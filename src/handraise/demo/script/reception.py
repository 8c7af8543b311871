"""What every agent does, whichever is speaking: small talk, and questions to the knowledge base."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage

from handraise.core.languages import Language
from handraise.core.text.tokens import is_single, tokens
from handraise.demo.reading.intents import Intent
from handraise.demo.reading.verdicts import timed_out
from handraise.demo.script.looking import not_answered
from handraise.demo.script.speaking import call, say, words
from handraise.demo.script.turns import CustomerTurn

ENOUGH: Mapping[Language, float] = {"zh": 0.34, "en": 0.6}
"""The part of a question's words that a passage must have. Half of a Chinese question's pairs are no words."""


def look_up(turn: CustomerTurn) -> AIMessage:
    """Answer from the knowledge base; where it has a gap, a colleague fills it."""
    found = turn.last("knowledge_search")
    if found is None:
        return call(("knowledge_search", {"query": turn.wish.text}))
    fitting = [passage for passage in found.data.get("passages", []) if _answers(turn, passage)]
    if fitting:
        return AIMessage(fitting[0]["answer"])
    answer = turn.last("ask_human_agent")
    if answer is None:
        question = {
            "question": words("ask_gap", turn.language, question=turn.wish.text.rstrip("。.")),
            "question_type": "knowledge_gap",
            "context": {"user_question": turn.wish.text},
            "urgency": "low",
        }
        return call(("ask_human_agent", question), saying=words("checking_gap", turn.language))
    if timed_out(answer.data):
        return AIMessage(not_answered(turn, answer))
    return AIMessage(str(answer.data.get("response", "")))


def _answers(turn: CustomerTurn, passage: dict[str, Any]) -> bool:
    """Return whether a passage is about the question. A model would judge; the script compares their words."""
    asked = {token for token in tokens(turn.wish.text) if not is_single(token)}
    told = set(tokens(f"{passage['question']} {passage['answer']}"))
    return len(asked & told) >= ENOUGH[turn.language] * len(asked)


def _small_talk(reply: str, turn: CustomerTurn) -> AIMessage:
    return say(reply, turn.language)


POLICY: Mapping[Intent, Callable[[CustomerTurn], AIMessage]] = {
    "policy": look_up,
    "person": partial(_small_talk, "person"),
    "thanks": partial(_small_talk, "thanks"),
    "goodbye": partial(_small_talk, "goodbye"),
    "greeting": partial(_small_talk, "greeting"),
    "leave": partial(_small_talk, "leave"),
    "unclear": partial(_small_talk, "unclear"),
}
