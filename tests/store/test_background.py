"""Work in the background goes on, whatever went wrong in the round before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from handraise.core.errors import Unavailable
from handraise.store import background
from handraise.store.background import Background
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction

pytestmark = pytest.mark.real

NEVER = timedelta(hours=1)


class Rounds(Background):
    """Makes rounds, each of which goes as it is told."""

    name = "rounds"

    def __init__(self, store: Store, *told: Exception | timedelta | None) -> None:
        super().__init__(store)
        self.told = list(told)
        self.made = 0

    async def _round(self) -> timedelta | None:
        self.made += 1
        told = self.told.pop(0) if self.told else NEVER
        if isinstance(told, Exception):
            raise told
        return told


async def until(ready: Callable[[], bool]) -> None:
    for _ in range(1500):
        if ready():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came")


async def happen(store: Store) -> None:
    """Let something happen that wakes whoever follows the events."""

    async def work(tx: Transaction) -> None:
        tx.wake("events")

    await store.write(work)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'handraise.db'}"


async def test_no_error_ends_it(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "AFTER_A_FAILURE", timedelta())
    async with open_store(url) as store:
        away = Unavailable("The database is away.", fix="Wait.")
        async with Rounds(store, away, ZeroDivisionError("a mistake"), timedelta()) as rounds:
            await until(lambda: rounds.made == 4)
            assert rounds.alive
    assert not rounds.alive


async def test_a_round_that_asks_for_no_time_comes_again_at_once_and_one_that_waits_is_woken(url: str) -> None:
    async with open_store(url) as store, Rounds(store, timedelta(), None) as rounds:
        await until(lambda: rounds.made == 2)
        await happen(store)
        await until(lambda: rounds.made == 3)


async def test_it_is_over_when_it_is_left(url: str) -> None:
    async with open_store(url) as store:
        rounds = Rounds(store)
        async with rounds:
            await until(lambda: rounds.made == 1)
        await happen(store)
        assert rounds.made == 1
        assert not rounds.alive
