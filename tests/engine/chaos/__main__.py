"""The long part of the proof: crashes at every point, frozen processes, opposed operators, databases that fail.

Run: make chaos [SEEDS=300] [MINUTES=40] [EVERY=1] [LANES=3] [ONLY=words], where EVERY=5 takes every fifth crash point
only, and ONLY=PostgreSQL the scenarios whose names have that word. Each gets its share of the time that is left. It
prints a table, and exits with 1 when anything was lost, duplicated or broken.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import structlog

from tests.engine.chaos import crashes, faults
from tests.engine.chaos.lanes import Job, Lane, opened_lanes, run
from tests.engine.chaos.table import HEADER, Row
from tests.postgres import own_postgres

DATABASES = ("SQLite", "PostgreSQL")


class Plan(NamedTuple):
    """A scenario, and its share of the time."""

    name: str
    share: int
    jobs: Callable[[], list[Job]]


def plans(lane: Lane, *, seeds: int, every: int) -> list[Plan]:
    """Return every scenario, the short ones first."""
    which = "every crash point" if every == 1 else f"every {every}th crash point"
    few, lives, opposed = max(1, seeds // 60), max(1, seeds * 2 // 3), max(1, seeds // 3)
    # How much of the time each may take, on SQLite and on PostgreSQL, where a lease must run out before each recovery.
    on_both: dict[tuple[str, int, int], Callable[[str], list[Job]]] = {
        ("frozen at four points", 1, 3): partial(faults.frozen, times=few),
        ("any order of moves", 1, 2): partial(faults.model, examples=lives),
        ("killed in a tool x 3 settlements", 2, 3): crashes.settlements,
        (f"{which} x 3 decisions", 4, 9): partial(crashes.every_point, lane, every=every),
        ("crash, and again in recovery", 5, 12): partial(crashes.double_crashes, seeds=seeds),
        ("opposed operators, killed at random", 3, 4): partial(crashes.opposed_operators, seeds=opposed),
    }
    return [
        Plan("a full disk, SQLite", 1, partial(faults.full_disks, times=min(3, few))),
        Plan("restarted under load, PostgreSQL", 1, partial(faults.restarts, times=few)),
        Plan("connections cut under load, PostgreSQL", 1, partial(faults.cuts, times=few)),
        *(
            Plan(f"{name}, {database}", share, partial(jobs, database))
            for (name, *shares), jobs in on_both.items()
            for database, share in zip(DATABASES, shares, strict=True)
        ),
    ]


def play(planned: Sequence[Plan], lanes: Sequence[Lane], *, minutes: float) -> list[Row]:
    """Play every scenario, printing its row when it is done; what it leaves of its share is for those after it."""
    ends = time.monotonic() + minutes * 60
    rows = []
    for number, plan in enumerate(planned):
        left = max(0, ends - time.monotonic())
        share = left * plan.share / sum(each.share for each in planned[number:])
        rows.append(run(Row(plan.name), plan.jobs(), lanes, until=time.monotonic() + share))
        print("\n".join([str(rows[-1]), *rows[-1].broken]), flush=True)
    return rows


def main() -> int:
    """Print the table; return 1 when a promise was broken."""
    seeds, minutes = int(os.environ.get("SEEDS", "300")), float(os.environ.get("MINUTES", "40"))
    every, number = int(os.environ.get("EVERY", "1")), int(os.environ.get("LANES", "3"))
    only = os.environ.get("ONLY", "")
    began = time.monotonic()
    # What is done to the databases here is worth a warning each time, and would hide the table.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)
    with (
        tempfile.TemporaryDirectory() as folder,
        own_postgres() as server,
        opened_lanes(number, Path(folder), server) as lanes,
    ):
        print(HEADER, flush=True)
        planned = [plan for plan in plans(lanes[0], seeds=seeds, every=every) if only in plan.name]
        rows = play(planned, lanes, minutes=minutes)
    print(
        f"\n{(time.monotonic() - began) / 60:.1f} minutes, {'BROKEN' if any(row.bad for row in rows) else 'all kept'}"
    )
    return int(any(row.bad for row in rows))


if __name__ == "__main__":
    sys.exit(main())
