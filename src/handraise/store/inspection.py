"""Looking at a database without changing it: what `handraise doctor` says about it."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from handraise.core.errors import Misconfigured, Unavailable
from handraise.store.migrations import MIGRATIONS
from handraise.store.opening import is_postgres, sqlite_path


@dataclass(frozen=True, kw_only=True)
class Inspection:
    """What a database is like. `schema` is 0 before the service first used it; `ahead` is its clock minus ours."""

    exists: bool
    schema: int
    newest: int = len(MIGRATIONS)
    ahead_seconds: float = 0.0
    waiting: Mapping[str, int] = field(default_factory=dict)
    """How many runs have been waiting for longer than a minute, by their agent."""


_WAITING = """
SELECT runs.agent, COUNT(*) FROM runs JOIN sessions ON sessions.id = runs.session_id
WHERE runs.status = 'queued' AND runs.blocked = 0 AND sessions.taken_by IS NULL AND runs.not_before < {now} - 60000000
GROUP BY runs.agent
"""


async def inspect(url: str) -> Inspection:
    """Return what the database at `url` is like, or say why it cannot be reached."""
    if is_postgres(url):
        return await _inspect_postgres(url)
    return await asyncio.to_thread(_inspect_sqlite, sqlite_path(url))


def _inspect_sqlite(path: Path) -> Inspection:
    if not path.exists():
        return Inspection(exists=False, schema=0)
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'handraise_migrations'").fetchall()
            row = connection.execute("SELECT MAX(number) FROM handraise_migrations").fetchone() if tables else (0,)
            schema = int(row[0] or 0)
            now = time.time_ns() // 1000
            waiting = connection.execute(_WAITING.format(now=now)).fetchall() if schema >= len(MIGRATIONS) else []
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise Misconfigured(
            f"The database file {path} cannot be used: {error}.", fix="Name another file, or mend its permissions."
        ) from None
    return Inspection(exists=True, schema=schema, waiting=dict(waiting))


async def _inspect_postgres(url: str) -> Inspection:
    try:
        import psycopg
    except ModuleNotFoundError:
        raise Misconfigured(
            "PostgreSQL needs the package 'psycopg'.", fix="Run: pip install 'handraise[postgres]'"
        ) from None
    try:
        async with await psycopg.AsyncConnection.connect(url, connect_timeout=5, autocommit=True) as connection:
            before = time.time()
            cursor = await connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
            clock = await cursor.fetchone()
            ours = (before + time.time()) / 2
            cursor = await connection.execute("SELECT to_regclass('handraise_migrations') IS NOT NULL")
            known = await cursor.fetchone()
            schema, waiting = 0, []
            if known is not None and known[0]:
                cursor = await connection.execute("SELECT MAX(number) FROM handraise_migrations")
                number = await cursor.fetchone()
                schema = int(number[0] or 0) if number is not None else 0
            if schema >= len(MIGRATIONS):
                cursor = await connection.execute(_WAITING.format(now="now_us()").encode())
                waiting = await cursor.fetchall()
    except psycopg.Error as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise Unavailable(
            f"PostgreSQL does not answer: {reason}.", fix="Check the URL and that the server runs."
        ) from None
    ahead = (clock[0] - ours) if clock is not None else 0.0
    return Inspection(exists=True, schema=schema, ahead_seconds=ahead, waiting=dict(waiting))
