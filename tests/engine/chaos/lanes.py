"""Lanes: scenarios run side by side, each lane with databases and a zygote of its own, until there is no more time."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from tests.engine.chaos.table import Row
from tests.engine.crash.processes import Zygote, started_zygote
from tests.engine.crash.scenario import Scenario
from tests.postgres import PostgresServer

PROGRESS_SECONDS = 15


@dataclass(frozen=True)
class Lane:
    """Where one scenario at a time runs. Those of a lane share its databases, each with a customer of its own."""

    folder: Path
    zygote: Zygote
    urls: dict[str, str]
    apart: dict[str, str]
    """Databases for what leaves requests behind, whose deadlines would come in the middle of other scenarios."""
    _numbers: Iterator[int] = field(default_factory=count)

    def scenario(self, database: str, **terms: Any) -> Scenario:
        """Return a new scenario on one of this lane's databases."""
        return Scenario(url=self.urls[database], folder=str(self.new_folder()), **terms)

    def new_folder(self) -> Path:
        """Return a folder that nobody else uses."""
        folder = self.folder / f"{next(self._numbers)}"
        folder.mkdir(parents=True)
        return folder


Job = Callable[[Lane, Row], None]


@contextmanager
def opened_lanes(number: int, folder: Path, server: PostgresServer) -> Iterator[list[Lane]]:
    """Open lanes, with zygotes that end with them."""
    with ExitStack() as stack:
        lanes = []
        for each in range(number):
            home = folder / f"lane{each}"
            home.mkdir()
            urls, apart = (_new_databases(server, home, name) for name in (f"lane{each}", f"lane{each}_apart"))
            lanes.append(Lane(home, stack.enter_context(started_zygote()), urls, apart))
        yield lanes


def _new_databases(server: PostgresServer, folder: Path, name: str) -> dict[str, str]:
    server.execute(f"CREATE DATABASE {name}")
    return {"SQLite": f"sqlite:///{folder}/{name}.db", "PostgreSQL": server.url(name)}


def run(row: Row, jobs: Sequence[Job], lanes: Sequence[Lane], *, until: float) -> Row:
    """Run jobs on all lanes at once; none starts after `until`. What goes wrong in one is kept, and the next starts."""
    row.planned = len(jobs)
    waiting = iter(jobs)
    taking = threading.Lock()
    said = time.monotonic()

    def next_job() -> Job | None:
        nonlocal said
        with taking:
            if time.monotonic() - said > PROGRESS_SECONDS:
                said = time.monotonic()
                left = max(0, until - said) / 60
                print(
                    f"  {row.scenario}: {row.runs} of {row.planned}, {left:.1f} min left", file=sys.stderr, flush=True
                )
            return next(waiting, None) if time.monotonic() < until else None

    def work(lane: Lane) -> None:
        while (job := next_job()) is not None:
            try:
                job(lane, row)
            except Exception:  # noqa: BLE001  # whatever it is, it is a line of the table
                row.broke(traceback.format_exc())

    with ThreadPoolExecutor(len(lanes)) as threads:
        for lane in lanes:
            threads.submit(work, lane)
    return row
