"""Corrections: one value of an edit as its schema reads it, and nothing else of the edit touched.

A schema's reading of a whole edit is not for sending: secrets come back as stars, dates as their author prints them.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pydantic import AliasChoices, BaseModel


def corrected(sent: Any, read: Any, path: tuple[int | str, ...]) -> Any:
    """Return `sent` with the value at `path` as it was read, where that is the same number, or a yes or no.

    A path may name branches of a union, which are in no data: those are passed over.
    """
    if not isinstance(sent, dict | list):
        return read if _says_the_same(sent, read) else sent
    if not path:
        return sent
    step, rest = path[0], path[1:]
    if isinstance(sent, dict) and step in sent:
        return {**sent, step: corrected(sent[step], _part(read, step), rest)}
    if isinstance(sent, list) and isinstance(step, int) and step < len(sent):
        return [*sent[:step], corrected(sent[step], _part(read, step), rest), *sent[step + 1 :]]
    return corrected(sent, read, rest)


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
