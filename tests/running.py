"""A real service in a child process."""

from __future__ import annotations

import os
import re
import signal
import sys
from types import TracebackType
from typing import IO, ClassVar, Protocol, Self

import httpx

from tests.patience import PATIENCE
from tests.prepared import Prepared

HANDRAISE = [sys.executable, "-m", "handraise"]
UNUSED = False
"""A client's certificates: nothing is encrypted here, and to read them takes longer than most tests."""


class Process(Protocol):
    """What the tests read from a process, started from nothing or prepared."""

    @property
    def stdout(self) -> IO[str] | None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class RunningDemo:
    """`handraise demo` on a database of the test's own. It can be stopped, killed and started again at its port."""

    command: ClassVar[list[str]] = ["demo", "--fresh"]
    environment: ClassVar[dict[str, str]] = {}

    def __init__(self, database_url: str, *options: str) -> None:
        self.database_url = database_url
        self._options = options
        self.address = ""
        self.sign_in_link = ""
        self.key = ""
        self._port = 0
        self._process: Prepared | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            # What was counted is only written by a process that ends by itself.
            self.stop() if "COVERAGE_PROCESS_CONFIG" in os.environ else self.kill()

    @property
    def process(self) -> Prepared:
        assert self._process is not None
        return self._process

    def start(self) -> None:
        command = [*self.command, "--no-open", "--port", str(self._port), "--database", self.database_url]
        self._process = Prepared([*command, *self._options], _as_a_person_has_it() | self.environment)
        self.address, self.sign_in_link, key = read_welcome(self._process)
        # Only the first start on a database prints one.
        self.key = key or self.key
        self._port = int(self.address.rpartition(":")[2])

    def browser(self, operator: str = "ada") -> httpx.Client:
        """Return a client that behaves as a browser does in which an operator is signed in."""
        client = self.visitor()
        response = client.post("/sign-in", data={"operator": operator})
        assert response.headers["location"] == "/console"
        return client

    def visitor(self) -> httpx.Client:
        """Return a client that behaves as a browser does in which nobody is signed in."""
        return httpx.Client(base_url=self.address, headers={"Origin": self.address}, timeout=PATIENCE, verify=UNUSED)

    def program(self, secret: str = "") -> httpx.Client:
        """Return a client with a key or token, Ada's if none is given, and no cookies."""
        headers = {"Authorization": f"Bearer {secret or self.key}"}
        return httpx.Client(base_url=self.address, headers=headers, timeout=PATIENCE, verify=UNUSED)

    def run(self, *arguments: str, and_errors: bool = False) -> str:
        """Run a command on the service's database, and return what it printed."""
        command = [*arguments, "--database", self.database_url]
        with Prepared(command, _as_a_person_has_it(), and_errors=and_errors) as process:
            printed = process.stdout.read()
            assert process.wait(timeout=PATIENCE) == 0, printed
        return printed

    def stop(self) -> int:
        """Stop it as Ctrl-C does, and return its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self._gone()

    def kill(self) -> int:
        """Pull the plug."""
        self.process.kill()
        return self._gone()

    def _gone(self) -> int:
        with self.process as process:
            code = process.wait(timeout=PATIENCE)
        self._process = None
        return code


def _as_a_person_has_it() -> dict[str, str]:
    """Return the environment without what the tests set for themselves: a service must not depend on it."""
    return {name: value for name, value in os.environ.items() if name != "LANGGRAPH_STRICT_MSGPACK"}


def read_welcome(process: Process) -> tuple[str, str, str]:
    """Return the address, the sign-in link and the key that a service prints once it answers."""
    address = read_address(process)
    assert process.stdout is not None
    link = key = ""
    for line in process.stdout:
        if found := re.search(r"http://\S+/sign-in/\S+", line):
            link = found.group()
        if found := re.search(r"hrk_\S+", line):
            key = found.group()
        if line.startswith("Press Ctrl-C"):
            break
    return address, link, key


def read_address(process: Process) -> str:
    """Return the address that a service prints once it answers."""
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://[\d.:]+", line):
            return found.group()
    raise AssertionError(f"the service ended with {process.wait()} before it printed its address")
