"""Controls: with its mechanism switched off, each promise's test fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from handraise.store.store import Store
from tests.engine.crash.processes import Zygote
from tests.engine.crash.scenario import Scenario
from tests.engine.crash.switches import switched_off
from tests.engine.crash.test_crash_points import crash_and_recover
from tests.engine.crash.test_frozen import freeze_and_thaw, frozen_at
from tests.store.samples import ANN, BEN, a_request, add_sessions, decide, expire, get_request, open_requests


async def test_without_the_ledger_a_crash_inside_a_tool_pays_twice(
    zygote: Zygote, database_url: str, tmp_path: Path
) -> None:
    for number, off in enumerate([(), ("ledger",)]):
        crashed = Scenario(url=database_url, folder=str(tmp_path / f"{number}"), at="tool paid", off=off)  # type: ignore[arg-type]  # a list of tuples is not one of literals

        outcome = await crash_and_recover(zygote, crashed)

        assert (outcome.duplicated, outcome.indeterminate) == ((1, 0) if off else (0, 1))


async def test_without_the_fence_a_thawed_process_overwrites_what_its_successor_did(
    zygote: Zygote, database_url: str, tmp_path: Path
) -> None:
    before, after = await freeze_and_thaw(zygote, frozen_at("tool paid", database_url, tmp_path, "fence"))

    assert after != before


async def test_without_compare_and_set_several_contenders_win(store: Store) -> None:
    for number, off in enumerate([(), ("compare-and-set",)]):
        name = f"r{number}"
        await add_sessions(store, f"s{number}")
        await open_requests(store, a_request(name, session_id=f"s{number}"))
        seen = await get_request(store, name)
        with switched_off(*off):  # type: ignore[arg-type]  # a list of tuples is not one of literals
            won = [await decide(store, seen, by=ANN), await decide(store, seen, by=BEN), await expire(store, seen)]

        assert won == ([True, True, True] if off else [True, False, False])


async def test_with_next_instead_of_tasks_a_crash_ends_a_run_too_early(
    zygote: Zygote, database_url: str, tmp_path: Path
) -> None:
    dry = Scenario(url=database_url, folder=str(tmp_path / "dry"))
    assert zygote.play(dry) == 0
    # Between the tool's saved result and the next checkpoint, `next` is empty and there is work left.
    first = dry.trace.read_text().splitlines().index("after RunLedger.finish") + 1

    ended_early = 0
    for at in range(first + 2, first + 4):
        sound = Scenario(url=database_url, folder=str(tmp_path / f"sound {at}"), at=at)
        assert (await crash_and_recover(zygote, sound)).lost == 0
        crashed = Scenario(url=database_url, folder=str(tmp_path / f"{at}"), at=at, off=("tasks",))
        try:
            await crash_and_recover(zygote, crashed)
        except AssertionError:
            ended_early += 1

    assert ended_early >= 1


async def test_without_the_serving_lock_two_processes_serve_one_file(sqlite_url: str, tmp_path: Path) -> None:
    from tests.engine.test_stopping import test_a_sqlite_file_has_one_serving_process
    from tests.engine.world import Bank

    with switched_off("serving lock"), pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        await test_a_sqlite_file_has_one_serving_process(sqlite_url, Bank(tmp_path / "payments"))
