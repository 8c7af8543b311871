"""Real processes for the crash tests, started by the zygote and killed for real."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.engine.crash.scenario import Scenario

ROOT = Path(__file__).parents[3]


class Zygote:
    """Starts processes that play scenarios."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lock = threading.Lock()

    def start(self, scenario: Scenario) -> Played:
        Path(scenario.folder).mkdir(parents=True, exist_ok=True)
        return Played(self, self._ask({"fork": dataclasses.asdict(scenario)})["pid"], scenario)

    def play(self, scenario: Scenario) -> int:
        """Play a scenario to its end, and return the exit code: negative when a signal ended it."""
        return self.start(scenario).wait()

    def wait(self, pid: int) -> dict[str, Any]:
        return self._ask({"wait": pid})

    def _ask(self, command: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(f"{json.dumps(command)}\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


@dataclass
class Played:
    """A process that plays a scenario."""

    zygote: Zygote
    pid: int
    scenario: Scenario

    def wait(self) -> int:
        answer = self.zygote.wait(self.pid)
        assert "exit" in answer, answer
        return int(answer["exit"])

    def wait_until_frozen(self) -> bool:
        """Return whether it froze; False when it came to its end before."""
        return bool(self.zygote.wait(self.pid).get("stopped"))

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


@contextmanager
def started_zygote() -> Iterator[Zygote]:
    """Start a zygote, and end it with all its children."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "LANGSMITH_TRACING": "false"}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.engine.crash.zygote"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    ) as process:
        yield Zygote(process)
        assert process.stdin is not None
        process.stdin.close()
