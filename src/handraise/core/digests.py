"""Digests: SHA-256 over the canonical JSON (RFC 8785) of a tool's name and arguments.

Two calls have the same digest if and only if their names and arguments are equal as JSON, so `1` and `1.0`
agree, and `1` and `true` do not.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import math
from functools import lru_cache
from typing import Any

import rfc8785

from handraise.core.errors import NotCanonical

MAX_DEPTH = 64
"""Arguments nested deeper than this are refused: nobody could review them, and parsers differ past it."""

MAX_INTEGER = 2**53 - 1
"""The largest integer that JSON readers agree on; RFC 8785 sets the same bound."""

_LONGEST_REMEMBERED = 4_096


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of `value`, or refuse it with the path of what is wrong."""
    _check(value, path="$", depth=0)
    return rfc8785.dumps(value)


def digest(tool: str, args: dict[str, Any]) -> str:
    """Return the digest that binds an approval to what will run."""
    try:
        # Plain values only, and different bytes for different ones: `1` and `True` do not meet in the memory.
        saved = marshal.dumps(args, 2)
    except ValueError:
        return _digest(tool, args)
    return _remembered(tool, saved) if len(saved) <= _LONGEST_REMEMBERED else _digest(tool, args)


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values are equal as JSON: `1` is `1.0`, and `1` is not `true`."""
    try:
        return canonical(one) == canonical(other)
    except NotCanonical:
        # No request that was opened has such a value; one that stands in an older log is told apart by its text.
        return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@lru_cache(maxsize=256)
def _remembered(tool: str, saved: bytes) -> str:
    """Return a digest that was computed before: one call is checked at the gate, at the door and by the ledger."""
    return _digest(tool, marshal.loads(saved))


def _digest(tool: str, args: dict[str, Any]) -> str:
    return hashlib.sha256(canonical({"args": args, "tool": tool})).hexdigest()


def _check(value: Any, *, path: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _refuse(path, f"is nested deeper than {MAX_DEPTH} levels", "Flatten it, or pass it as a JSON string.")
    match value:
        case None | bool():
            return
        case str():
            _check_text(value, path=path)
        case int():
            if abs(value) > MAX_INTEGER:
                # Python refuses to print integers of thousands of digits.
                shown = str(value) if abs(value) < 10**40 else "an integer of more than 40 digits"
                raise _refuse(path, f"is {shown}, which is more than JSON readers agree on", "Pass it as a string.")
        case float():
            if not math.isfinite(value):
                raise _refuse(path, f"is {value}, which JSON cannot express", "Pass a finite number or null.")
        case list() | tuple():
            for index, item in enumerate(value):
                _check(item, path=f"{path}[{index}]", depth=depth + 1)
        case dict():
            for key, item in value.items():
                if not isinstance(key, str):
                    raise _refuse(path, f"has the key {key!r}, which is not text", "Use text for every key.")
                _check_text(key, path=f"{path} (a key)")
                _check(item, path=f"{path}.{key}", depth=depth + 1)
        case _:
            raise _refuse(
                path,
                f"is of type {type(value).__name__}, which JSON cannot express",
                "Pass text, a number, true, false, null, a list or an object.",
            )


def _check_text(text: str, *, path: str) -> None:
    if "\x00" in text:
        raise _refuse(path, "contains a NUL character", "Remove it: databases and terminals cut text there.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _refuse(
            path,
            f"contains the lone surrogate U+{ord(text[error.start]):04X} at position {error.start}",
            "Replace it: it is half of a character and has no UTF-8 form.",
        ) from None


def _refuse(path: str, what: str, fix: str) -> NotCanonical:
    shown = path if len(path) <= 120 else f"{path[:117]}..."
    return NotCanonical(f"The value at {shown.encode(errors='backslashreplace').decode()} {what}.", fix=fix)
