"""A process frozen past its lease (SIGSTOP) and thawed when another has finished its work: it changes nothing."""

from __future__ import annotations

import asyncio
import dataclasses
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from handraise.store.opening import open_store
from tests.engine.crash.processes import Zygote
from tests.engine.crash.scenario import Scenario
from tests.engine.crash.switches import Switch
from tests.engine.crash.verdict import judge

FROZEN_AT = ["before checkpoint", "after RunLedger.start", "tool paid", "before Runner._answers"]
TABLES = ("sessions", "runs", "requests", "events", "effects", "checkpoints")


async def contents(url: str) -> dict[str, list[Any]]:
    """Return every row of every table that a run writes to."""
    writes = "checkpoint_writes" if url.startswith("postgres") else "writes"
    async with open_store(url) as store:
        return {
            table: sorted(map(repr, await store.read(lambda tx, t=table: tx.connection.all(f"SELECT * FROM {t}"))))  # type: ignore[misc]  # a default is untyped
            for table in (*TABLES, writes)
        }


async def freeze_and_thaw(zygote: Zygote, scenario: Scenario) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """Freeze a process, let another finish, thaw the first, and return what was in the database before and after."""
    frozen = zygote.start(scenario)
    assert frozen.wait_until_frozen()
    try:
        successor = dataclasses.replace(scenario, at=None, operator="ben")
        assert zygote.play(successor) == 0, scenario.output.read_text()
        before = await contents(scenario.url)
    finally:
        frozen.thaw()
    frozen.wait()
    return before, await contents(scenario.url)


def frozen_at(point: str, url: str, folder: Path, *off: Switch) -> Scenario:
    # A SQLite file has one serving process; without that lock, the fence alone must hold.
    off = off if url.startswith("postgres") else (*off, "serving lock")
    return Scenario(url=url, folder=str(folder / f"{folder.name} {point}"), at=point, sent=signal.SIGSTOP, off=off)


@pytest.mark.parametrize("point", FROZEN_AT)
async def test_a_process_frozen_past_its_lease_changes_nothing_afterwards(
    zygote: Zygote, database_url: str, tmp_path: Path, point: str
) -> None:
    scenario = frozen_at(point, database_url, tmp_path)

    before, after = await freeze_and_thaw(zygote, scenario)

    assert after == before
    outcome = await judge(scenario)
    assert (outcome.lost, outcome.duplicated) == (0, 0)


async def test_a_frozen_process_that_nobody_replaced_goes_on_without_asking(
    zygote: Zygote, sqlite_url: str, tmp_path: Path
) -> None:
    scenario = Scenario(url=sqlite_url, folder=str(tmp_path / "alone"), at="tool paid", sent=signal.SIGSTOP)
    frozen = zygote.start(scenario)
    assert frozen.wait_until_frozen()
    await asyncio.sleep(scenario.lease * 1.5)
    refused = dataclasses.replace(scenario, at=None)
    assert zygote.play(refused) != 0
    assert "served by another process" in scenario.output.read_text()

    frozen.thaw()

    assert frozen.wait() == 0
    assert (await judge(scenario)).indeterminate == 0


async def test_of_two_processes_one_is_killed_and_the_other_finishes_its_run(
    zygote: Zygote, postgres_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lease = 2.0
    for attempt in range(20):
        folder = str(tmp_path / f"two {attempt}")
        killed = Scenario(url=postgres_url, folder=folder, at="after RunLedger.finish", lease=lease)
        waiting = zygote.start(dataclasses.replace(killed, operator="ben", at=None, writes=False, decides=False))
        if zygote.play(killed) == -signal.SIGKILL:
            break
        # The other one was quicker and ran the session itself.
        assert waiting.wait() == 0, killed.output.read_text()
    began = time.monotonic()

    assert waiting.wait() == 0, killed.output.read_text()

    took = time.monotonic() - began
    with capsys.disabled():
        print(f"\nkill -9 with a lease of {lease} s: the other process had finished {took:.2f} s later")
    assert (await judge(killed)).duplicated == 0
