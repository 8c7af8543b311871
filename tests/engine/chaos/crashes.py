"""Processes that are killed: at every point, twice, at random, and inside a tool whose outcome a person settles."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress

from tests.engine.chaos.lanes import Job, Lane
from tests.engine.chaos.table import Row
from tests.engine.crash.agents import GATED, KINDS
from tests.engine.crash.processes import Played
from tests.engine.crash.scenario import Scenario, Settles, Verdict
from tests.engine.crash.verdict import judge

VERDICTS: tuple[Verdict, ...] = ("approve", "edit", "reject")
ANSWERS: tuple[Settles, ...] = ("ran", "run_again", "leave")
SETTLES: tuple[Settles, ...] = ("truth", *ANSWERS)


def every_point(lane: Lane, database: str, /, *, every: int) -> list[Job]:
    """Kill at every point that a dry run finds, for every decision."""

    def jobs() -> Iterator[Job]:
        for verdict in VERDICTS:
            dry = lane.scenario(database, verdict=verdict)
            lane.zygote.play(dry)
            points = len(dry.trace.read_text().splitlines())
            for number, at in enumerate(range(1, points + 1, every)):
                # Each kind of gate takes its turn at every point; the first decision takes the plainest one everywhere.
                agent = GATED[0] if verdict == "approve" else GATED[number % len(GATED)]
                settles = SETTLES[number % len(SETTLES)]
                yield _crashes([at], database, verdict=verdict, agent=agent, settles=settles)

    return [*jobs()]


def double_crashes(database: str, *, seeds: int) -> list[Job]:
    """Kill at a random point, and again at a random point of the recovery."""

    def job(seed: int) -> Job:
        dice = random.Random(seed)
        points = [dice.randint(1, 80), dice.randint(1, 60)]
        verdict, agent, settles = dice.choice(VERDICTS), dice.choice(GATED), dice.choice(SETTLES)
        return _crashes(points, database, verdict=verdict, agent=agent, settles=settles)

    return [job(seed) for seed in range(seeds)]


def settlements(database: str) -> list[Job]:
    """Kill inside every kind of tool, before and after it did its work, with each of a person's three answers."""
    kinds = [kind for kind in KINDS if kind != "repeatable"]
    return [
        _crashes([at], database, agent=kind, settles=settles, indeterminate=1)
        for kind in kinds
        for at in ("tool starts", "tool paid")
        for settles in ANSWERS
    ]


def opposed_operators(database: str, *, seeds: int) -> list[Job]:
    """Let two operators decide the opposite while processes are killed at random; a slow tool makes kills land in it.

    On PostgreSQL each operator has a process of their own; a SQLite file has one, and both sit at it.
    """

    def job(seed: int) -> Job:
        def play(lane: Lane, row: Row) -> None:
            dice = random.Random(seed)
            ann = lane.scenario(database, agent=dice.choice(GATED), settles=dice.choice(SETTLES), slow=0.15)
            if database == "PostgreSQL":
                ben = dataclasses.replace(ann, operator="ben", verdict="reject", writes=False)
                processes = [lane.zygote.start(ann), lane.zygote.start(ben)]
            else:
                ann = dataclasses.replace(ann, opponent="ben")
                processes = [lane.zygote.start(ann)]
            for _ in range(dice.randint(1, 3)):
                victim = _next_victim(processes, dice)
                row.killed(_kill(processes[victim]))
                processes[victim] = lane.zygote.start(processes[victim].scenario)
            codes = [process.wait() for process in processes]
            assert not any(codes), f"{ann} ended with {codes}: {ann.output.read_text()[-2000:]}"
            row.ended(asyncio.run(judge(ann, opposed=True)))

        return play

    return [job(seed) for seed in range(seeds)]


def _crashes(points: list[int] | list[str], database: str, *, indeterminate: int | None = None, **terms: object) -> Job:
    def play(lane: Lane, row: Row) -> None:
        scenario = lane.scenario(database, **terms)
        for at in points:
            row.killed(lane.zygote.play(dataclasses.replace(scenario, at=at)) == -signal.SIGKILL)
        recovered = lane.zygote.play(scenario)
        assert recovered == 0, f"{_told(scenario, points)}: recovery did not end: {scenario.output.read_text()[-2000:]}"
        try:
            outcome = asyncio.run(judge(scenario))
        except AssertionError as error:
            raise AssertionError(f"{_told(scenario, points)}: {error}") from error
        assert indeterminate in (None, outcome.indeterminate), f"{_told(scenario, points)}: {outcome}"
        row.ended(outcome)

    return play


def _told(scenario: Scenario, points: list[int] | list[str]) -> str:
    return f"{scenario} killed at {points}"


def _next_victim(processes: list[Played], dice: random.Random) -> int:
    """Wait for a moment to kill a process, and return which: at any time, or inside its tool."""
    if dice.random() < 0.4:
        time.sleep(dice.uniform(0.05, 0.5))
        return dice.randrange(len(processes))
    before = [_tools_started(process) for process in processes]
    patience = time.monotonic() + 5
    while time.monotonic() < patience:
        for number, process in enumerate(processes):
            if _tools_started(process) > before[number]:
                time.sleep(dice.uniform(0, process.scenario.slow * 1.2))
                return number
        time.sleep(0.01)
    return dice.randrange(len(processes))


def _tools_started(process: Played) -> int:
    trace = process.scenario.trace
    return trace.read_text().count("tool starts") if trace.exists() else 0


def _kill(process: Played) -> int:
    """Kill a process, and return 1 unless it had come to its end before."""
    with suppress(ProcessLookupError):
        process.kill()
    return int(process.wait() == -signal.SIGKILL)
