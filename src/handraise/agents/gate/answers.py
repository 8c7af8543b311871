"""Answers: what a person sent, checked in full before LangGraph saves it.

LangGraph checks an answer against the type that `interrupt` was given, and saves it only if it fits. Everything a gate
has to say about an answer is therefore said in a check that becomes part of such a type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import InitErrorDetails

from handraise.agents.gate.arguments import fit
from handraise.agents.gate.questions import Question, Shape, batch_shape, decision_shape
from handraise.agents.upstream.gate import why_not_allowed
from handraise.core.digests import digest
from handraise.core.errors import InvalidDecision

Answered = dict[str, Any]
"""One decision in LangChain's words, with arguments that fit the tool."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What may answer a question: the shape that clients see, and the check that has the last word."""

    shape: Shape
    check: Callable[[Any], Any]


def one_answer(question: Question, *, require_named: bool) -> Answers:
    """Return what may answer one call: a single decision."""
    shape = decision_shape(question)

    def check(answer: Any) -> Answered:
        try:
            _must_be_for(question, answer, require_named=require_named)
            return _with_fitting_args(question, shape.adapter.validate_python(_with_args(answer)))
        except InvalidDecision as why:
            # LangChain refuses one decision by pydantic's error, so ours are no others; several, by plain ValueErrors.
            line = InitErrorDetails(type="value_error", loc=(), input=answer, ctx={"error": why})
            raise ValidationError.from_exception_data("Decision", [line]) from None

    return Answers(shape=shape, check=check)


def all_answers(questions: Sequence[Question], *, require_named: bool) -> Answers:
    """Return what may answer several calls: `{"decisions": [...]}`, one for each."""

    def check(answer: Any) -> list[Answered]:
        decisions = answer.get("decisions") if isinstance(answer, dict) else None
        if not isinstance(decisions, list):
            raise InvalidDecision(
                f"The answer is {_brief(answer)}, which has no list of `decisions`.",
                fix='Send {"decisions": [{"type": "approve"}, ...]}, one decision for each call that was shown.',
            )
        if len(decisions) != len(questions):
            raise InvalidDecision(
                f"Number of human decisions ({len(decisions)}) does not match "
                f"number of hanging tool calls ({len(questions)})."
            )
        in_order = _in_order(questions, decisions)
        return [
            _read(question, decision, require_named=require_named)
            for question, decision in zip(questions, in_order, strict=True)
        ]

    return Answers(shape=batch_shape(questions), check=check)


def _read(question: Question, decision: Any, *, require_named: bool) -> Answered:
    if not isinstance(decision, dict) or not isinstance(decision.get("type"), str):
        raise InvalidDecision(
            f"The decision {_brief(decision)} has no `type`.",
            fix=f"Send an object with a `type` of {', '.join(question.config['allowed_decisions'])}.",
        )
    _must_be_for(question, decision, require_named=require_named)
    if decision["type"] not in question.config["allowed_decisions"]:
        refused = why_not_allowed(decision, question.call, question.config)
        raise InvalidDecision(refused or f"The decision {_brief(decision)} is not allowed.")
    try:
        read = decision_shape(question).adapter.validate_python(_with_args(decision))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        # The first part of the path is the branch of the union, which the sender never wrote.
        where = ".".join(str(part) for part in first["loc"] if part != decision["type"])
        raise InvalidDecision(
            f"The decision on `{question.call['name']}` does not fit: {where or 'the decision'}: {first['msg']}.",
            fix="Nothing was saved; correct it and answer again. An edit never changes the tool.",
        ) from None
    return _with_fitting_args(question, read)


def _with_args(decision: Any) -> Any:
    """Read `arguments`, which LangChain's documentation prints, as the `args` that its code uses."""
    action = decision.get("edited_action") if isinstance(decision, dict) else None
    if isinstance(action, dict) and "arguments" in action and "args" not in action:
        renamed = {("args" if key == "arguments" else key): value for key, value in action.items()}
        return {**decision, "edited_action": renamed}
    return decision


def _with_fitting_args(question: Question, decision: Any) -> Answered:
    read: Answered = dict(decision)
    if read["type"] == "edit":
        name = question.call["name"]
        args = fit(dict(read["edited_action"]["args"]), question.args_schema)
        digest(name, args)  # refuses what has no canonical form while the answer can still be corrected
        return {"type": "edit", "edited_action": {"name": name, "args": args}}
    return read


def _must_be_for(question: Question, answer: Any, *, require_named: bool) -> None:
    names = _names_in(answer)
    if require_named and not names:
        raise InvalidDecision(
            f"The decision on `{question.call['name']}` does not name its call.",
            fix="Add its `tool_call_id` or its `digest`, as shown in the request.",
        )
    for key, mine in (("tool_call_id", question.call["id"]), ("digest", question.digest)):
        if key in names and names[key] != mine:
            raise InvalidDecision(
                f"The answer is for the call with {key} {names[key]!r}; this one has {mine!r}.",
                fix="It was meant for another call, or the call has changed: read the request again.",
            )


def _names_in(answer: Any) -> dict[str, Any]:
    if not isinstance(answer, dict):
        return {}
    return {key: answer[key] for key in ("tool_call_id", "digest") if key in answer}


def _in_order(questions: Sequence[Question], decisions: list[Any]) -> list[Any]:
    """Put decisions that name their calls in the order of the questions; without names they are in it already."""
    named = sum(bool(_names_in(decision)) for decision in decisions)
    if not named:
        return decisions
    if named < len(decisions):
        raise InvalidDecision(
            f"{named} of {len(decisions)} decisions name their call.",
            fix="Name every call, or none and keep the order in which they were shown.",
        )
    left = list(decisions)
    return [left.pop(_position_for(question, left)) for question in questions]


def _position_for(question: Question, decisions: list[Any]) -> int:
    about = {"tool_call_id": question.call["id"], "digest": question.digest}
    for position, decision in enumerate(decisions):
        if all(about[key] == name for key, name in _names_in(decision).items()):
            return position
    raise InvalidDecision(
        f"No decision is for `{question.call['name']}` ({about['tool_call_id']}, digest {about['digest']}).",
        fix="A decision was meant for another call, or the call has changed: read the request again.",
    )


def _brief(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 200 else f"{shown[:197]}..."
