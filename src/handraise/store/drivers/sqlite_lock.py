"""The right to serve a SQLite file: one process at a time, by a lock that the system gives back when a process ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handraise.core.errors import Misconfigured


@contextmanager
def serving_alone(database: Path) -> Iterator[None]:
    """Serve a file while no other process does, or say which one does.

    The lock is on a file of its own: closing the database's file would drop SQLite's own locks on it.
    """
    path = database.with_name(f"{database.name}.serving")
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _lock(handle):
            raise Misconfigured(
                f"The database {database} is being served by another process ({_whose(handle)}).",
                fix="Stop that one first, name another file, or use PostgreSQL, which processes can share.",
            )
        os.truncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _whose(handle: int) -> str:
    pid = os.pread(handle, 20, 0).decode(errors="replace").strip()
    return f"process id {pid}" if pid else "its process id is not known"


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
