"""Arguments: what an operator typed, made to fit the tool's schema or refused.

A schema's reading of a whole edit is not for sending: secrets come back as stars, dates as their author prints them. So
only single values are corrected by it, and nothing else of the edit is touched.
"""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import AliasChoices, BaseModel, ValidationError

from handraise.core.errors import InvalidDecision

ArgsSchema = type[BaseModel] | dict[str, Any] | None

_NUMBERS = {"integer": int, "number": float}
_JSON_TYPES: dict[str, type | tuple[type, ...]] = {
    "integer": int,
    "number": (int, float),
    "string": str,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def schema_of(tool: BaseTool | None) -> ArgsSchema:
    """Return the schema that the model sees: injected arguments are nobody's to edit."""
    schema = tool.tool_call_schema if tool else None
    if isinstance(schema, dict) or (isinstance(schema, type) and issubclass(schema, BaseModel)):
        return schema
    return None


def fit(args: dict[str, Any], schema: ArgsSchema) -> dict[str, Any]:
    """Return `args` as the schema reads them, or refuse them.

    What already fits is returned as it was sent; a text "10" for a number becomes 10 where the schema allows it.
    """
    if schema is None:
        return args
    if isinstance(schema, dict):
        return _fit_json_schema(args, schema)
    try:
        schema.model_validate_json(json.dumps(args), strict=True)
    except ValidationError as strict:
        return _fit_model(args, schema, [error["loc"] for error in strict.errors(include_url=False)])
    return args


def _fit_model(args: dict[str, Any], schema: type[BaseModel], misfits: list[tuple[int | str, ...]]) -> dict[str, Any]:
    try:
        read = schema.model_validate(args)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise _misfit(".".join(map(str, first["loc"])), first["msg"]) from None
    for path in misfits:
        args = _corrected(args, read, path)
    return args


def _corrected(sent: Any, read: Any, path: tuple[int | str, ...]) -> Any:
    """Return `sent` with the value at `path` as it was read, where that is the same number, or a yes or no.

    A path may name branches of a union, which are in no data: those are passed over.
    """
    if not isinstance(sent, dict | list):
        return read if _says_the_same(sent, read) else sent
    if not path:
        return sent
    step, rest = path[0], path[1:]
    if isinstance(sent, dict) and step in sent:
        return {**sent, step: _corrected(sent[step], _part(read, step), rest)}
    if isinstance(sent, list) and isinstance(step, int) and step < len(sent):
        return [*sent[:step], _corrected(sent[step], _part(read, step), rest), *sent[step + 1 :]]
    return _corrected(sent, read, rest)


def _says_the_same(sent: Any, read: Any) -> bool:
    if type(read) is bool:
        return isinstance(sent, str | int | float)
    if type(read) not in (int, float) or isinstance(sent, bool):
        return False
    try:
        return bool(type(read)(sent) == read)
    except (TypeError, ValueError, OverflowError):
        return False


def _part(read: Any, step: int | str) -> Any:
    """Return one part of what was read, or None where it cannot be told which: then it stays as it was sent."""
    if isinstance(read, BaseModel):
        for name, field in type(read).model_fields.items():
            other = field.validation_alias
            choices = other.choices if isinstance(other, AliasChoices) else [other]
            if step in (name, field.alias, *choices):
                return getattr(read, name)
        return (read.model_extra or {}).get(str(step))
    with suppress(LookupError, TypeError):
        return read[step]
    return getattr(read, str(step), None)


def _fit_json_schema(args: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in args:
            raise _misfit(name, "Field required")
    fitted = {name: _fit_value(name, value, properties.get(name, {})) for name, value in args.items()}
    if find_spec("jsonschema"):
        _check_deeply(fitted, schema)
    return fitted


def _fit_value(name: str, value: Any, schema: dict[str, Any]) -> Any:
    wanted = schema.get("type")
    if isinstance(value, str) and wanted in _NUMBERS:
        try:
            return _NUMBERS[wanted](value)
        except ValueError:
            raise _misfit(name, f"Input should be a valid {wanted}, got {value!r}") from None
    if isinstance(wanted, str) and wanted in _JSON_TYPES:
        wrong = not isinstance(value, _JSON_TYPES[wanted]) or (isinstance(value, bool) and wanted in _NUMBERS)
        if wrong:
            raise _misfit(name, f"Input should be a valid {wanted}, got {value!r}")
    return value


def _check_deeply(args: dict[str, Any], schema: dict[str, Any]) -> None:
    """Check every keyword of the schema. The top level is checked without this package; the server brings it."""
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(schema).iter_errors(args):
        raise _misfit(".".join(map(str, error.absolute_path)), error.message)


def _misfit(where: str, why: str) -> InvalidDecision:
    return InvalidDecision(
        f"The edited arguments do not fit the tool: {where or 'the arguments'}: {why}.",
        fix="Nothing was saved; correct the arguments and answer again.",
    )
