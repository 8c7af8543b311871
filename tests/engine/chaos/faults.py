"""What fails besides: a frozen process, a database that goes away, a full disk; and moves in any order."""

from __future__ import annotations

import asyncio
import threading

from tests.engine import test_database_away as away
from tests.engine.chaos.lanes import Job, Lane
from tests.engine.chaos.table import Row
from tests.engine.crash.test_frozen import FROZEN_AT, freeze_and_thaw, frozen_at
from tests.engine.crash.verdict import judge
from tests.engine.test_request_model import live
from tests.engine.world import Bank
from tests.postgres import own_postgres


def frozen(database: str, *, times: int) -> list[Job]:
    """Freeze a process past its lease at each of four points; thawed, it must not change a single row."""

    def job(point: str) -> Job:
        def play(lane: Lane, row: Row) -> None:
            scenario = frozen_at(point, lane.urls[database], lane.new_folder())
            before, after = asyncio.run(freeze_and_thaw(lane.zygote, scenario))
            row.killed()
            changed = [table for table in before if before[table] != after[table]]
            assert not changed, f"{scenario} thawed and changed {changed}"
            row.ended(asyncio.run(judge(scenario)))

        return play

    return [job(point) for _ in range(times) for point in FROZEN_AT]


def model(database: str, *, examples: int) -> list[Job]:
    """Live through the life of requests in any order of moves, beside a model of it."""

    def play(lane: Lane, row: Row) -> None:
        row.runs += live(lane.apart[database], examples=examples) - 1
        row.ended()

    return [play]


def restarts(*, times: int) -> list[Job]:
    """Stop PostgreSQL under load, and start it again."""
    one_at_a_time = threading.Lock()  # what starts the server is not made for two threads

    def play(lane: Lane, row: Row) -> None:
        with one_at_a_time, own_postgres() as server:
            server.execute("CREATE DATABASE test")
            bank = Bank(lane.new_folder() / "payments")
            row.killed()
            asyncio.run(away.test_postgres_is_restarted_under_load_and_every_session_gets_its_answer(server, bank))
        row.ended()

    return [play] * times


def cuts(*, times: int) -> list[Job]:
    """Cut every connection to PostgreSQL, four times under load."""

    def play(lane: Lane, row: Row) -> None:
        bank = Bank(lane.new_folder() / "payments")
        row.killed(4)
        url = lane.urls["PostgreSQL"]
        asyncio.run(away.test_cut_connections_are_mended_and_every_session_gets_its_answer(url, bank))
        row.ended()

    return [play] * times


def full_disks(*, times: int) -> list[Job]:
    """Let a SQLite file's disk be full, and have room again."""

    def play(lane: Lane, row: Row) -> None:
        away.test_on_a_full_disk_nothing_is_half_done_and_it_goes_on_when_there_is_room(lane.new_folder())
        row.ended()

    return [play] * times
