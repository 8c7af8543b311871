"""Rulings: what a policy said of a call, kept with the request so that it is asked only once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Verdict = Literal["allow", "ask", "deny"]

_WILDCARD = re.compile(r"\[[^]]*\]|[*?]")


class Ruling(BaseModel):
    """A policy's word on one call, with the rule that gave it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Verdict
    rule: str = ""
    reason: str = ""


def is_glob(key: str) -> bool:
    """Return whether a rule's key is a pattern rather than one tool's name."""
    return _WILDCARD.search(key) is not None


def best_key(tool: str, keys: Iterable[str], *, strictness: Callable[[str], Any] | None = None) -> str | None:
    """Return the key whose rule applies to `tool`, or None.

    The exact name wins; among globs the one that spells out the most characters, and then the one with the stricter
    rule, so that the order in which rules are written never matters.
    """
    matching = [key for key in keys if key == tool or fnmatchcase(tool, key)]
    if tool in matching:
        return tool

    def rank(key: str) -> tuple[int, Any, str]:
        return len(_WILDCARD.sub("", key)), strictness(key) if strictness else 0, key

    return max(matching, key=rank, default=None)
