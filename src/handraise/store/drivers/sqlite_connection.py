"""A SQLite connection that speaks our SQL, and how to run the coroutines that use it."""

from __future__ import annotations

import sqlite3
from collections.abc import Coroutine, Mapping
from typing import Any, Final, TypeVar

from handraise.store.connection import Backend, Row

T = TypeVar("T")

_BOUNDARIES = ("BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE")


class SqliteConnection:
    """A connection whose coroutines finish at once."""

    backend: Final[Backend] = "sqlite"

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self.announced: frozenset[str] = frozenset()

    async def all(self, sql: str, params: Mapping[str, Any] | None = None) -> list[Row]:
        return self._execute(sql, params).fetchall()

    async def one(self, sql: str, params: Mapping[str, Any] | None = None) -> Row | None:
        cursor = self._execute(sql, params)
        row: Row | None = cursor.fetchone()
        # A cursor left open after RETURNING keeps its statement alive, and COMMIT would refuse.
        cursor.close()
        return row

    async def run(self, sql: str, params: Mapping[str, Any] | None = None) -> int:
        return self._execute(sql, params).rowcount

    def _execute(self, sql: str, params: Mapping[str, Any] | None) -> sqlite3.Cursor:
        if sql.lstrip()[:9].upper().startswith(_BOUNDARIES):
            raise RuntimeError(
                f"{sql.split(maxsplit=1)[0]} inside a transaction would break those that share its commit."
            )
        return self.raw.execute(sql, params or {})


def drive(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits, on this thread."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # a StopIteration does not say what it carries
    coroutine.close()
    raise RuntimeError("Work inside a transaction waited for something other than its database connection.")
