"""Answers to one gated call: the decorators' own, and the Agent Inbox's way of saying the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from langchain_core.tools import BaseTool
from pydantic import BaseModel, ValidationError

from handraise.core.errors import InvalidDecision

ReviewWord = Literal["accept", "edit", "response", "ignore"]
REVIEW_WORDS: tuple[ReviewWord, ...] = get_args(ReviewWord)

ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"type": {"enum": list(REVIEW_WORDS)}, "args": {}},
    "required": ["type"],
}


@dataclass(frozen=True)
class ReviewAnswer:
    """What a person said of one call. `args` are the new arguments of an edit, or the content of a response."""

    type: ReviewWord
    args: Any = None


def read_review(answer: Any, /, *, tool: BaseTool) -> ReviewAnswer:
    """Read an answer for `tool`, or raise a ValueError that names what is wrong with it."""
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    if not isinstance(answer, dict) or "type" not in answer:
        raise InvalidDecision(
            f"The answer is {answer!r}, not an object with a `type`.",
            fix=f"Answer with a `type` of {', '.join(REVIEW_WORDS)}.",
        )
    word = answer["type"]
    if word not in REVIEW_WORDS:
        raise InvalidDecision(
            f"Unsupported interrupt response type: {word!r}.", fix=f"Answer with one of: {', '.join(REVIEW_WORDS)}."
        )
    args = answer.get("args")
    if word == "edit":
        args = _edited(args, tool=tool)
    if word == "response" and args is None:
        raise InvalidDecision("The response has no `args`.", fix="Put what the agent should read into `args`.")
    return ReviewAnswer(type=cast("ReviewWord", word), args=args)


def _edited(args: Any, *, tool: BaseTool) -> dict[str, Any]:
    names_action = isinstance(args, dict) and set(args) == {"action", "args"} and not set(args) <= set(tool.args)
    if names_action:
        if args["action"] != tool.name:
            raise InvalidDecision(
                f"The edit names {args['action']!r}, but the call under review is {tool.name!r}.",
                fix="An edit changes arguments, never the tool: reject the call and say what to do instead.",
            )
        args = args["args"]
    if not isinstance(args, dict):
        raise InvalidDecision(
            f"The edit's `args` are {args!r}, not an object.", fix="Send every argument of the call, by name."
        )
    _must_fit(args, tool=tool)
    return args


def _must_fit(args: dict[str, Any], *, tool: BaseTool) -> None:
    schema = tool.tool_call_schema
    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        # A tool described by bare JSON Schema checks its own arguments when it runs.
        return
    try:
        schema.model_validate(args)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InvalidDecision(
            f"The edited arguments do not fit {tool.name!r}: {'.'.join(map(str, first['loc']))}: {first['msg']}.",
            fix="Correct that argument and answer again.",
        ) from None
    takes_any = schema.model_config.get("extra") == "allow"
    if unknown := sorted(set(args) - set(tool.args) - set(schema.model_fields)):
        if takes_any:
            return
        raise InvalidDecision(
            f"{tool.name!r} takes no argument {unknown[0]!r}; it would be dropped unseen.",
            fix=f"Use its own arguments: {', '.join(tool.args) or 'it takes none'}.",
        )
