"""Pages by keyset: a cursor is the sort key of the last row shown, so that no page counts or skips what came before."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field, TypeAdapter

from handraise.core.errors import InvalidInput
from handraise.store.connection import to_json

T = TypeVar("T")
K = TypeVar("K", bound=tuple[Any, ...])

NEVER = 2**62
"""A sort key for what has no time of its own: later than every time."""

Whole = Annotated[int, Field(ge=-NEVER, le=NEVER)]
Name = Annotated[str, Field(pattern=r"^[^\x00]*$")]


@dataclass(frozen=True, kw_only=True)
class Page(Generic[T]):
    """Some rows, and where the next page starts."""

    items: list[T]
    next_cursor: str | None


def check_limit(limit: int) -> None:
    """Refuse a page that holds nothing."""
    if limit < 1:
        raise InvalidInput(f"A page cannot hold {limit} rows.", fix="Ask for at least 1.")


def write_cursor(*key: Any) -> str:
    """Return a sort key as an opaque text."""
    return base64.urlsafe_b64encode(to_json(key).encode()).decode()


def read_cursor(cursor: str, shape: TypeAdapter[K]) -> K:
    """Return the sort key in a cursor, or refuse one that this list never gave."""
    try:
        return shape.validate_json(base64.urlsafe_b64decode(cursor), strict=True)
    except (binascii.Error, ValueError):
        raise InvalidInput(
            "The cursor is not one that a list gave.",
            fix="Use `next_cursor` of the page before, or none for the first.",
        ) from None
