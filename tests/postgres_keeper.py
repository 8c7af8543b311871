"""Ends the tests' PostgreSQL server when the test run ends, also when it is killed.

Its standard input is a pipe from the test run, which the system closes whatever the reason.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path


def end(folder: Path) -> None:
    """Stop the server that lives in `folder`, and remove the folder."""
    pid_file = folder / "data" / "postmaster.pid"
    with suppress(FileNotFoundError, ProcessLookupError):
        server = int(pid_file.read_text().splitlines()[0])
        # At once, without writing the data out first: they are thrown away.
        os.kill(server, signal.SIGQUIT)
        for _ in range(200):
            if not pid_file.exists():
                break
            time.sleep(0.05)
        else:
            os.kill(server, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.stdin.read()
    end(Path(sys.argv[1]))
