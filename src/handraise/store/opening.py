"""From a database URL to a store."""

from __future__ import annotations

from pathlib import Path

from handraise.core.errors import Misconfigured
from handraise.store.drivers.sqlite import SqliteDriver
from handraise.store.store import Store


def open_store(url: str) -> Store:
    """Return the store for `url`: `sqlite:///file.db`, a file's path, or `postgresql://...`."""
    if is_postgres(url):
        try:
            # Imported here: PostgreSQL is an extra that an embedded service does without.
            from handraise.store.drivers.postgres import PostgresDriver
        except ModuleNotFoundError as error:
            raise Misconfigured(
                f"PostgreSQL needs the package {error.name!r}, which is not installed.",
                fix="Run: pip install 'handraise[postgres]'",
            ) from None
        return Store(PostgresDriver(url))
    if "://" in url and not url.startswith("sqlite:///"):
        raise Misconfigured(
            f"The database URL {url.split('://', maxsplit=1)[0]}://... is not supported.",
            fix="Use sqlite:///path/to/file.db or postgresql://user@host/name.",
        )
    if url.removeprefix("sqlite:///") in ("", ":memory:"):
        raise Misconfigured(
            f"The database URL {url!r} names no file, and what is kept in memory does not survive a restart.",
            fix="Name a file: sqlite:///path/to/file.db.",
        )
    return Store(SqliteDriver(sqlite_path(url)))


def is_postgres(url: str) -> bool:
    """Return whether `url` names a PostgreSQL database."""
    return url.startswith(("postgresql://", "postgres://"))


def sqlite_path(url: str) -> Path:
    """Return the file that a SQLite `url` names."""
    return Path(url.removeprefix("sqlite:///")).expanduser()
