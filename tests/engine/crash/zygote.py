"""A process that has everything imported, and forks a fresh one for each scenario: a start costs milliseconds.

It reads one JSON command a line: `{"fork": {...}}` answers `{"pid": n}`, `{"wait": n}` answers `{"exit": code}` (the
negative signal for a killed process) or `{"stopped": true}`. When its input ends, it ends its children and itself.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.engine.crash.scenario import Scenario, play


def serve() -> None:
    """Obey commands until there are no more."""
    children: set[int] = set()
    for line in sys.stdin:
        match json.loads(line):
            case {"fork": spec}:
                pid = _fork(spec)
                children.add(pid)
                _answer({"pid": pid})
            case {"wait": pid}:
                _, status = os.waitpid(pid, os.WUNTRACED)
                if os.WIFSTOPPED(status):
                    _answer({"stopped": True})
                else:
                    children.discard(pid)
                    _answer({"exit": os.waitstatus_to_exitcode(status)})
            case unknown:
                raise ValueError(f"no such command: {unknown}")
    for pid in children:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _fork(spec: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 4
    try:
        os.close(0)
        with (Path(spec["folder"]) / "output").open("a") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        code = play(Scenario(**{**spec, "off": tuple(spec["off"])}))
    except BaseException:  # noqa: BLE001  # it must not go on as a second server
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _answer(value: dict[str, Any]) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    serve()
