"""The one thing an aggregate needs of a database: a connection that speaks our SQL.

Our SQL is the part that SQLite and PostgreSQL share, with `:name` parameters and four words of our own:
`now_us()`, the database's clock in microseconds since 1970, `clock_us()`, the same at the very moment that it is asked
rather than at the statement's start, and `/*skip locked*/` and `/*for share*/`, which a driver with row locks expands.
Times are stored in microseconds, documents as JSON text: exactly what was written comes back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Protocol

from handraise.core.errors import NotCanonical

Row = tuple[Any, ...]
Backend = Literal["sqlite", "postgresql"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Connection(Protocol):
    """A connection inside a transaction."""

    @property
    def backend(self) -> Backend:
        """Which database this is, for the few things that both can do and neither in the other's words."""
        ...

    async def all(self, sql: str, params: Mapping[str, Any] | None = None) -> list[Row]:
        """Return every row."""
        ...

    async def one(self, sql: str, params: Mapping[str, Any] | None = None) -> Row | None:
        """Return the first row, or None."""
        ...

    async def run(self, sql: str, params: Mapping[str, Any] | None = None) -> int:
        """Return how many rows were changed."""
        ...


def to_us(time: datetime | None) -> int | None:
    """Return a time as the database keeps it."""
    return None if time is None else (time - _EPOCH) // timedelta(microseconds=1)


def from_us(microseconds: int | None) -> datetime | None:
    """Return a time as the domain keeps it."""
    return None if microseconds is None else _EPOCH + timedelta(microseconds=microseconds)


def listed(members: Iterable[str]) -> str:
    """Return members of one of our own closed sets as SQL literals, for `IN (...)`; no index would fit parameters."""
    members = tuple(members)
    if strange := [each for each in members if not each.isidentifier()]:
        raise AssertionError(f"{strange} are no members of a closed set: such values are passed as parameters")
    return ", ".join(f"'{each}'" for each in members)


def one_of(column: str, members: Iterable[str]) -> str:
    """Return the condition that a column has one of these values."""
    members = tuple(members)
    return f"{column} = {listed(members)}" if len(members) == 1 else f"{column} IN ({listed(members)})"


def to_json(value: Any) -> str:
    """Return a document as the database keeps it, or refuse what would not come back as it was."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode()
    except ValueError as error:
        raise NotCanonical(f"The database cannot keep a document: {error}.", fix="Nothing was saved.") from None
    return text


def read_json(text: str) -> Any:
    """Return the document in a text, if it is written as `to_json` writes it; raise ValueError otherwise."""
    value = json.loads(text)
    if to_json(value) != text:
        raise ValueError("the document is not written as this store writes documents")
    return value


def to_text(text: str) -> str:
    """Return text of unknown origin with what a database cannot keep replaced, so that saving it never fails."""
    return text.encode(errors="replace").decode().replace("\x00", "\N{REPLACEMENT CHARACTER}")
