"""Questions of agents: what each asks about, which of them ask the same, and what was answered."""

from __future__ import annotations

import hashlib
import json
from typing import assert_never

from pydantic import JsonValue

from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.core.requests import Request
from handraise.core.text.tokens import plain


def is_for_people(request: Request) -> bool:
    """Return whether a request is a question to an operator, whose answer may serve again."""
    match request.kind:
        case "question":
            return request.audience == "operator"
        case "approval" | "settlement":
            # Whether one call ran says nothing about another.
            return False
        case _ as never:
            assert_never(never)


def subject_of(request: Request) -> str:
    """Return what a question is about: the customer's own words where the agent passed them on."""
    asked = request.context.get("user_question")
    return asked if isinstance(asked, str) and plain(asked) else request.question


def key_of(request: Request) -> str:
    """Return what is equal for requests that one answer can serve.

    A gap in the knowledge concerns no one customer, so the question alone tells. Any other question may be about this
    order or that person: everything that the agent told beside it must be equal as well.
    """
    if request.question_type == "knowledge_gap":
        seed: list[JsonValue] = ["knowledge_gap", plain(subject_of(request)), [option.id for option in request.options]]
    else:
        told = {name: value for name, value in request.context.items() if name != "user_question"}
        options: list[JsonValue] = [option.model_dump() for option in request.options]
        seed = [request.question_type or "", plain(request.question), options, told]
    # Not canonical(): that refuses large integers, and a question must never stand in the way of those behind it.
    return hashlib.sha256(json.dumps(seed, sort_keys=True).encode()).hexdigest()[:32]


def answer_of(request: Request) -> str | None:
    """Return a question's answer in words: the text, or what the chosen option says."""
    match request.decision:
        case Respond(text=text) if text.strip():
            return text
        case Respond(selected_option=selected) if selected is not None:
            return next((option.label for option in request.options if option.id == selected), selected)
        case Approve() | Edit() | Reject() | Respond() | None:
            return None
        case _ as never:
            assert_never(never)
