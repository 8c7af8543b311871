"""Edited arguments and answers in a form against their schema, before the decision is stored."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from handraise.core.decisions import Edit, Respond
from handraise.core.errors import InvalidDecision
from handraise.core.masking import values_at, without
from handraise.core.requests import Request

_MOST_TOLD = 20


def check_edit(request: Request, edit: Edit) -> Edit:
    """Return the edit if its arguments fit the tool's schema, or say which fields do not and why."""
    if request.args_schema is None:
        return edit
    if errors := _errors(request.args_schema, edit.args):
        hidden = values_at([request.args, edit.args], [f"/*{path}" for path in request.sensitive])
        raise _refusal(f"The arguments do not fit {request.tool}", "send the edit again", errors, hidden)
    return edit


def check_answer(request: Request, answer: Respond) -> Respond:
    """Return an answer if it fits the form that its question asks for, as data or as JSON text."""
    if request.is_review or request.args_schema is None:
        return answer  # What is said in a call's place need not fit the call.
    given = [answer.data] if answer.data is not None else [answer.text, _read(answer.text)]
    refused = [_errors(request.args_schema, value) for value in given]
    if all(refused):
        raise _refusal("The answer does not fit its form", "answer again with `data`", refused[-1])
    return answer


def _errors(schema: dict[str, Any], value: object) -> list[ValidationError]:
    return list(Draft202012Validator(schema).iter_errors(value))


def _refusal(what: str, again: str, errors: list[ValidationError], hidden: Iterable[str] = ()) -> InvalidDecision:
    best = best_match(errors)
    field = _field(best)
    told = {_field(error): error.message for error in reversed(errors[:_MOST_TOLD])} | {field: best.message}
    fields = {name: without(message, hidden) for name, message in told.items()}
    return InvalidDecision(
        f"{what}: {f'{field}: ' if field else ''}{fields[field]}.",
        fix=f"Correct that value and {again}; nothing was decided yet.",
        details={
            "field": field,
            "fields": [{"field": name, "message": message} for name, message in fields.items()],
        },
    )


def _field(error: ValidationError) -> str:
    return ".".join(str(part) for part in error.absolute_path)


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
