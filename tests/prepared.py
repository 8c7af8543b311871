"""Processes of ours that start at once: forked from one that has imported everything, which is most of a start.

Such a process is real: it has its own memory, sockets and end, and can be killed. What a start imports, and from what
environment, is tested with processes that start from nothing: test_cli.py, test_commands.py, test_wheel.py.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from types import TracebackType
from typing import Self, TextIO

import pytest

IMPORTED = [
    "handraise.cli",
    "handraise.service.server",
    "handraise.service.app",
    "handraise.store.opening",
    "handraise.store.drivers.postgres",
    "handraise.engine.checkpoints.postgres",
    "handraise.engine.checkpoints.sqlite",
    "handraise.demo.gates",
    "handraise.demo.first_run",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
    "uvloop",
]


class Prepared:
    """A process that runs one command of ours; it behaves as `subprocess.Popen` does."""

    def __init__(self, arguments: list[str], environment: dict[str, str], *, and_errors: bool = False) -> None:
        """Start it; `and_errors` when what it says of errors shall be read from `stdout` too."""
        read, write = multiprocessing.Pipe(duplex=False)
        outputs = (1, 2) if and_errors else (1,)
        self._process = _server().Process(target=_run, args=(arguments, environment, write, outputs), daemon=True)
        self._process.start()
        write.close()
        self.stdout: TextIO = os.fdopen(os.dup(read.fileno()))
        read.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stdout.close()
        self.wait()

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.exitcode is None and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("handraise", timeout or 0)
        return self._process.exitcode


@cache
def _server() -> ForkServerContext:
    """Start the process that all others are forked from, without what the tests set for themselves."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("LANGGRAPH_STRICT_MSGPACK", raising=False)
        from multiprocessing.forkserver import ensure_running

        ensure_running()
    return context


def _run(arguments: list[str], environment: dict[str, str], told: Connection, outputs: tuple[int, ...]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.argv = ["handraise", *arguments]
    for output in outputs:
        os.dup2(told.fileno(), output)
    told.close()
    from handraise.cli import main

    main()
