"""A PostgreSQL connection that speaks our SQL, and goes to the server as seldom as it can."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, LiteralString, Self

import psycopg
from psycopg.rows import dict_row
from psycopg.sql import SQL, Literal

from handraise.store.connection import Backend, Row
from handraise.store.drivers.driver import Topics, wrote_in_a_read

Raw = psycopg.AsyncConnection[Row]
Cursor = psycopg.AsyncCursor[Row]
CHANNEL = "handraise"


class PostgresConnection:
    """A connection inside a transaction, which begins with its first statement.

    Without `begin` there is no transaction: the connection then takes one statement, which commits by itself, and
    only one that reads unless it `may_write`.
    """

    backend: Final[Backend] = "postgresql"

    def __init__(self, raw: Raw, *, begin: LiteralString | None, may_write: bool = True) -> None:
        self.raw = raw
        self.announced: Topics = frozenset()
        self.notice = ""
        self._begin = begin
        self._may_write = may_write
        self._used = False

    @classmethod
    def inside(cls, raw: Raw) -> Self:
        """Return a connection whose transaction somebody else has begun, and ends."""
        connection = cls(raw, begin="BEGIN")
        connection._used = True
        return connection

    @property
    def was_dead(self) -> bool:
        """Whether this connection was dead when it was used for the first time: then nothing was done on it."""
        return self.raw.broken and not self._used

    async def all(self, sql: str, params: Mapping[str, Any] | None = None) -> list[Row]:
        return await (await self._execute(sql, params)).fetchall()

    async def one(self, sql: str, params: Mapping[str, Any] | None = None) -> Row | None:
        return await (await self._execute(sql, params)).fetchone()

    async def run(self, sql: str, params: Mapping[str, Any] | None = None) -> int:
        return (await self._execute(sql, params)).rowcount

    async def begin(self) -> None:
        """Begin the transaction now, for somebody who uses the raw connection."""
        if self._begin is not None and not self._used:
            await self.raw.execute(self._begin)
            self._used = True

    async def commit(self) -> None:
        """End the transaction, and tell whoever listens what was announced."""
        if self._begin is None:
            return
        if self.announced:
            await self.begin()
            payload = f"{self.notice} {','.join(sorted(self.announced))}"
            # Both on one way to the server, which takes parameters only for one statement at a time.
            notify = SQL("SELECT pg_notify({}, {}); COMMIT").format(Literal(CHANNEL), Literal(payload))
            await self.raw.execute(notify, prepare=False)
        elif self._used:
            await self.raw.execute("COMMIT")

    async def _execute(self, sql: str, params: Mapping[str, Any] | None) -> Cursor:
        if self._begin is None and not self._may_write and not _reads(sql):
            raise wrote_in_a_read()
        return await self.execute(translate(sql), params or {})

    async def execute(self, sql: str, params: Mapping[str, Any] | Sequence[Any]) -> Cursor:
        """Execute a statement that is in psycopg's words already."""
        if self._begin is None and self._used:
            raise RuntimeError("This is for one statement; give work that needs several to `read` or to `write`.")
        await self.begin()
        cursor = await self.raw.execute(sql, params)
        self._used = True
        return cursor

    async def dicts(self, sql: str, params: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the rows of such a statement by their names; bytes as bytes."""
        await self.begin()
        async with self.raw.cursor(binary=True, row_factory=dict_row) as cursor:
            await cursor.execute(sql, params)
            self._used = True
            return await cursor.fetchall()


def _reads(sql: str) -> bool:
    return sql.lstrip()[:6].upper() == "SELECT" and "FOR UPDATE" not in sql


@lru_cache(maxsize=512)
def translate(sql: str) -> str:
    """Turn our SQL into psycopg's."""
    named = re.sub(r"(?<![:\w]):([a-z_][a-z0-9_]*)", r"%(\1)s", sql.replace("%", "%%"))
    return named.replace("/*skip locked*/", "FOR UPDATE SKIP LOCKED").replace("/*for share*/", "FOR SHARE")
