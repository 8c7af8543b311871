"""Masking: arguments that are declared sensitive are for the tool alone. People see that there is a value, not which.

A path says where a sensitive value is, as `/card/number`; `*` stands for every item of a list or object.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from handraise.core.errors import InvalidDecision

MASK = "••••••"
DEEPEST = 20
SHORTEST = 6
"""A shorter value is not looked for in texts: it would be found everywhere."""

REMEMBERED = 10_000

SENSITIVE_NAMES = (
    "*password*", "*passphrase*", "*secret*", "*api_key*", "*apikey*", "*private_key*", "token", "*_token",
    "*card_number*", "cvv", "cvc",
)  # fmt: skip
"""Arguments with such names are taken for sensitive even where no schema says so."""


def sensitive_paths(args: Any, schema: Mapping[str, Any] | None, names: Sequence[str]) -> tuple[str, ...]:
    """Return where sensitive values are, or may be: as the schema declares them, or by the names of arguments.

    A schema declares one by `"sensitive": true`, `"writeOnly": true` or `"format": "password"`.
    """
    root = schema or {}
    found = _walk(root, args, (), root=root, names=[name.lower() for name in names], depth=0)
    return tuple(sorted({"".join(f"/{_escaped(step)}" for step in path) for path in found}))


def mask(value: Any, paths: Iterable[str]) -> Any:
    """Return a copy of `value` with what lies at the paths masked."""
    for path in paths:
        value = _masked(value, _steps(path))
    return value


def restore(edited: Any, original: Any, paths: Iterable[str]) -> Any:
    """Return edited arguments with the original wherever the mask was left as it is."""
    for path in paths:
        edited = _restored(edited, original, _steps(path), path)
    return edited


def values_at(value: Any, paths: Iterable[str]) -> list[str]:
    """Return the texts of what lies at the paths, the longest first."""
    texts = {text for path in paths for found in _at(value, _steps(path)) for text in _texts(found)}
    return sorted((text for text in texts if len(text) >= SHORTEST and text != MASK), key=len, reverse=True)


def without(text: str, values: Iterable[str]) -> str:
    """Return a text with the values in it masked, also where they are quoted as JSON."""
    for value in values:
        text = text.replace(value, MASK)
        quoted = json.dumps(value, ensure_ascii=False)[1:-1]
        text = text if quoted == value else text.replace(quoted, MASK)
    return text


class Secrets:
    """The sensitive values that this process has seen lately, so that they can be kept out of texts about them."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()

    def note(self, values: Iterable[str]) -> None:
        """Remember values."""
        for value in values:
            self._known[value] = None
            self._known.move_to_end(value)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def scrub(self, text: str) -> str:
        """Return a text without them."""
        return without(text, sorted(self._known, key=len, reverse=True)) if self._known else text


def _walk(
    schema: Any, value: Any, path: tuple[str, ...], *, root: Mapping[str, Any], names: list[str], depth: int
) -> Iterator[tuple[str, ...]]:
    if depth > DEEPEST:
        return
    schema = _resolved(schema, root)
    if schema.get("sensitive") is True or schema.get("writeOnly") is True or schema.get("format") == "password":
        yield path
        return

    def deeper(part: Any, inner: Any, *steps: str) -> Iterator[tuple[str, ...]]:
        return _walk(part, inner, (*path, *steps), root=root, names=names, depth=depth + 1)

    for part in (part for word in ("anyOf", "oneOf", "allOf") for part in schema.get(word) or ()):
        yield from _walk(part, value, path, root=_root_of(part, root), names=names, depth=depth + 1)
    properties = schema.get("properties") or {}
    held = value if isinstance(value, dict) else {}
    for key in {**properties, **held}:
        if any(fnmatchcase(key.lower(), name) for name in names):
            yield (*path, key)
        else:
            rest = schema.get("additionalProperties")
            yield from deeper(properties.get(key, rest), held.get(key), key)
    items = schema.get("items")
    for item in value if isinstance(value, list) else [None] if items else []:
        yield from deeper(items, item, "*")


def _root_of(part: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return where references in a part lead: a part with definitions of its own is a schema by itself."""
    return part if isinstance(part, dict) and "$defs" in part else root


def _resolved(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    for _ in range(DEEPEST):
        if not isinstance(schema, dict):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        target: Any = root
        for step in reference[2:].split("/"):
            target = target.get(step) if isinstance(target, dict) else None
        schema = {**target, **beside} if isinstance(target, dict) else beside
    return {}


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def _steps(path: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]


def _masked(value: Any, steps: list[str]) -> Any:
    if not steps:
        return None if value is None else MASK
    step, *rest = steps
    match value:
        case dict():
            return {key: _masked(item, rest) if step in {key, "*"} else item for key, item in value.items()}
        case list() if step == "*":
            return [_masked(item, rest) for item in value]
        case _:
            return value


def _restored(edited: Any, original: Any, steps: list[str], path: str) -> Any:
    if not steps:
        if edited == MASK and original is None:
            raise InvalidDecision(
                f"The value at {path} is masked, and there is none to keep there.", fix="Write the value itself."
            )
        return original if edited == MASK else edited
    step, *rest = steps
    match edited:
        case dict():
            held = original if isinstance(original, dict) else {}
            return {
                key: _restored(item, held.get(key), rest, path) if step in {key, "*"} else item
                for key, item in edited.items()
            }
        case list() if step == "*":
            kept = original if isinstance(original, list) else []
            return [
                _restored(item, kept[place] if place < len(kept) else None, rest, path)
                for place, item in enumerate(edited)
            ]
        case _:
            return edited


def _at(value: Any, steps: list[str]) -> Iterator[Any]:
    if not steps:
        yield value
        return
    step, *rest = steps
    match value:
        case dict():
            for key, item in value.items():
                if step in {key, "*"}:
                    yield from _at(item, rest)
        case list() if step == "*":
            for item in value:
                yield from _at(item, rest)
        case _:
            return


def _texts(value: Any) -> Iterator[str]:
    match value:
        case None | bool():
            return
        case dict():
            for item in value.values():
                yield from _texts(item)
        case list():
            for item in value:
                yield from _texts(item)
        case _:
            yield str(value)
