"""Forms: an answer to a question that was asked with a schema, whose fields may have any names."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, JsonValue, ValidationError

from handraise.core.errors import InvalidDecision
from handraise.dialects.human_request import EXPIRED, WITHDRAWN


def filled_in(form: type[BaseModel], answer: dict[str, Any]) -> JsonValue:
    """Return the form's fields as they were read, from the answer itself or from its `response`."""
    refused: list[InvalidDecision] = []
    for reading in _readings(form, answer):
        try:
            return _filled(form, reading)
        except InvalidDecision as error:
            refused.append(error)
    raise refused[-1 if isinstance(answer.get("response"), dict) else 0]


def is_filled_in(form: type[BaseModel], answer: dict[str, Any]) -> bool:
    """Return whether an answer that looks like the clock's is a person's, to a form with a field named `status`."""
    if answer.get("error") in (EXPIRED, WITHDRAWN) or not set(answer) <= _fields(form):
        return False
    try:
        _filled(form, answer)
    except InvalidDecision:
        return False
    return True


def _readings(form: type[BaseModel], answer: dict[str, Any]) -> list[Any]:
    """Return what may be the form's fields, the likelier first: a field may be named `response` or `status` too."""
    response = answer.get("response")
    if response is None:
        return [answer]
    if not set(answer) <= _fields(form):
        return [response]
    return [response, answer] if answer.get("status") == "answered" else [answer, response]


def _fields(form: type[BaseModel]) -> set[str]:
    return {*form.model_fields, *form.model_json_schema().get("properties", ())}


def _filled(form: type[BaseModel], response: Any) -> JsonValue:
    try:
        filled = form.model_validate_json(response) if isinstance(response, str) else form.model_validate(response)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InvalidDecision(
            f"The answer does not fit {form.__name__}: {'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}.",
            fix=f"Send an object with: {', '.join(form.model_fields)}.",
        ) from None
    dumped: JsonValue = filled.model_dump(mode="json")
    return dumped
