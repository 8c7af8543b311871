"""What a database driver must do, and how a store is brought up to the newest schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from handraise.core.errors import Misconfigured
from handraise.store.connection import Connection
from handraise.store.migrations import MIGRATIONS

T = TypeVar("T")
Work = Callable[[Connection], Coroutine[Any, Any, T]]
Topics = frozenset[str]


class Driver(Protocol):
    """Runs work in transactions. `write` returns only when the commit is durable."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def write(self, work: Work[T], /) -> T: ...

    async def read(self, work: Work[T], /) -> T: ...

    async def read_one(self, work: Work[T], /) -> T:
        """Run work that is a single statement, and reads: it needs no transaction."""
        ...

    async def write_one(self, work: Work[T], /) -> T:
        """Run work that is a single statement, and writes: it commits by itself. It may be run twice."""
        ...

    async def leave_no_trace(self) -> None:
        """Remove copies of overwritten and deleted rows that the database keeps beside its tables."""
        ...

    def serving(self) -> AbstractContextManager[bool]:
        """Run what is queued while the context lasts. It says whether no other process can be doing the same."""
        ...

    async def announce(self, connection: Connection, topics: Topics, /) -> None:
        """Tell every listener, here and in other processes, about `topics` once `connection` has committed."""
        ...

    def listen(self, listener: Callable[[Topics], None], /) -> None:
        """Call `listener` on the event loop with what was announced, even when the one who wrote it is gone."""
        ...


def wrote_in_a_read() -> RuntimeError:
    """Return the error for work that was given to `read` and tried to write."""
    return RuntimeError("Work inside a read tried to write. Nothing was saved; give it to `write` instead.")


async def migrate(connection: Connection, *, serial: str, where: str) -> None:
    """Bring the schema to the newest version. The caller holds a lock, so only one process does it."""
    await connection.run(
        "CREATE TABLE IF NOT EXISTS handraise_migrations (number INTEGER PRIMARY KEY, applied_at BIGINT)"
    )
    row = await connection.one("SELECT COALESCE(MAX(number), 0) FROM handraise_migrations")
    applied = row[0] if row else 0
    if applied > len(MIGRATIONS):
        raise Misconfigured(
            f"The database {where} has schema {applied}, newer than this version's {len(MIGRATIONS)}.",
            fix="Upgrade handraise, or name another database.",
        )
    for number, statements in enumerate(MIGRATIONS[applied:], start=applied + 1):
        for statement in statements:
            if not isinstance(statement, str):
                await statement(connection)
                continue
            # A statement for one database alone says so first.
            if (only := re.match(r"\s*/\*(\w+)\*/", statement)) and only[1] != connection.backend:
                continue
            await connection.run(statement.replace("{serial}", serial))
        await connection.run(
            "INSERT INTO handraise_migrations (number, applied_at) VALUES (:number, now_us())", {"number": number}
        )
