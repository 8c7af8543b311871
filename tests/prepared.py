"""Processes of ours that start at once: forked from one that has imported everything, which is most of a start.

Such a process is real: it has its own memory, sockets and end, and can be killed. What a start imports, and from what
environment, is tested with processes that start from nothing, in test_cli.py, test_commands.py and test_wheel.py.
"""

from __future__ import annotations

import gc
import io
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]
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

    def __init__(
        self, arguments: list[str], environment: dict[str, str], *, cwd: Path | None = None, and_errors: bool = False
    ) -> None:
        """Start it; `and_errors` when what it says of errors shall be read from `stdout` too."""
        read, write = multiprocessing.Pipe(duplex=False)
        outputs = (1, 2) if and_errors else (1,)
        self._process = _server().Process(target=_tell, args=(arguments, environment, cwd, write, outputs), daemon=True)
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


def _server() -> ForkServerContext:
    """Return what starts processes; it is said aloud, since the quick tests must not come here."""
    sys.audit("handraise.tests.prepared")
    return _started_server()


@cache
def _started_server() -> ForkServerContext:
    """Start the process that all others are forked from, without what the tests set for themselves."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("LANGGRAPH_STRICT_MSGPACK", raising=False)
        from multiprocessing.forkserver import ensure_running

        ensure_running()
    return context


def run_prepared(
    *arguments: str | Path, cwd: Path, environment: dict[str, str] | None = None, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run one command of ours to its end, or a script if its file is named first, as `subprocess.run` does."""
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder, name) for name in ("typed", "printed", "errors")]
        streams[0].write_text(typed, encoding="utf-8")
        given = dict(os.environ if environment is None else environment)
        process = _server().Process(target=_ends, args=([*arguments], given, cwd, streams), daemon=True)
        process.start()
        process.join(PATIENCE * 2)
        if process.exitcode is None:
            process.kill()
            process.join()
        printed, errors = (stream.read_text(encoding="utf-8") for stream in streams[1:])
        assert process.exitcode is not None
        return subprocess.CompletedProcess([*map(str, arguments)], process.exitcode, printed, errors)


def _tell(
    arguments: list[str], environment: dict[str, str], cwd: Path | None, told: Connection, outputs: tuple[int, ...]
) -> None:
    for output in outputs:
        os.dup2(told.fileno(), output)
    told.close()
    _run([*arguments], environment, cwd)


def _ends(arguments: list[str | Path], environment: dict[str, str], cwd: Path, streams: list[Path]) -> None:
    for number, (stream, flags) in enumerate(zip(streams, (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2), strict=True)):
        opened = os.open(stream, flags)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    for output in (sys.stdout, sys.stderr):
        assert isinstance(output, io.TextIOWrapper)
        output.reconfigure(encoding="utf-8")
    _run(arguments, environment, cwd)


def _run(arguments: Sequence[str | Path], environment: dict[str, str], cwd: Path | None) -> None:
    """Be the process that `python -m handraise` or `python script.py` would be, once everything is imported."""
    # What came with the fork is not this process's to clean up: looking through it would copy it, page by page.
    gc.freeze()
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = [path for path in sys.path if path not in ("", str(ROOT))]
    sys.path[:0] = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    if cwd:
        os.chdir(cwd)
    if isinstance(script := arguments[0], Path):
        sys.path.insert(0, str(script.parent))
        sys.argv = [*map(str, arguments)]
        runpy.run_path(str(script), run_name="__main__")
        return
    sys.path.insert(0, str(Path.cwd()))
    sys.argv = ["handraise", *map(str, arguments)]
    from handraise.cli import main

    main()
