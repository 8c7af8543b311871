"""kill -9 at points spread over a conversation, then recovery in a new process; `make chaos` takes every point."""

from __future__ import annotations

import dataclasses
import signal
from pathlib import Path

import pytest

from tests.engine.crash.agents import GATED, KINDS, AgentKind
from tests.engine.crash.processes import Zygote
from tests.engine.crash.scenario import Scenario, Settles, Verdict
from tests.engine.crash.verdict import Outcome, judge, sessions_of

POINTS = 6


async def crash_and_recover(zygote: Zygote, scenario: Scenario) -> Outcome:
    """Let a process die at the scenario's point and another one finish; return what came of it."""
    killed = zygote.play(scenario)
    assert killed in {0, -signal.SIGKILL}, scenario.output.read_text()
    recovered = zygote.play(dataclasses.replace(scenario, at=None))
    assert recovered == 0, scenario.output.read_text()
    return await judge(scenario)


@pytest.mark.parametrize("verdict", ["approve", "edit", "reject"])
async def test_a_crash_at_any_point_loses_no_decision_and_repeats_no_effect(
    zygote: Zygote, database_url: str, tmp_path: Path, verdict: Verdict
) -> None:
    dry = Scenario(url=database_url, folder=str(tmp_path / "dry"), verdict=verdict)
    assert zygote.play(dry) == 0, dry.output.read_text()
    points = dry.trace.read_text().splitlines()

    for number, at in enumerate(range(1, len(points) + 1, len(points) // POINTS)):
        agent: AgentKind = GATED[number % len(GATED)]
        crashed = dataclasses.replace(dry, folder=str(tmp_path / f"at {at}"), agent=agent, at=at)
        outcome = await crash_and_recover(zygote, crashed)

        assert (outcome.lost, outcome.duplicated) == (0, 0), f"{agent}, killed at {at}: {points[at - 1]}"


@pytest.mark.parametrize("settles", ["ran", "run_again", "leave"])
async def test_a_crash_inside_a_tool_goes_to_a_person_whose_word_is_done(
    zygote: Zygote, database_url: str, tmp_path: Path, settles: Settles
) -> None:
    # Each answer meets a third of the kinds of tool here, and all of them in `make chaos`.
    kinds = [kind for kind in KINDS if kind != "repeatable"][("ran", "run_again", "leave").index(settles) :: 3]
    for number, agent in enumerate(kinds):
        at = ("tool starts", "tool paid")[number % 2]
        folder = str(tmp_path / f"{agent} {at}")
        crashed = Scenario(url=database_url, folder=folder, agent=agent, at=at, settles=settles)
        outcome = await crash_and_recover(zygote, crashed)

        assert outcome.indeterminate == 1, f"{agent}, killed when {at}"
        paid = (at == "tool paid") + (settles == "run_again")
        assert len(crashed.bank.payments) == paid, f"{agent}, killed when {at}"
        [session] = await sessions_of(crashed)
        result = next(event.fact.content for event in session.events if event.fact.name == "tool.finished")
        expected = {"ran": "paid, says the bank", "run_again": "paid 42.5", "leave": "Nobody knows"}[settles]
        assert expected in result


async def test_a_tool_that_may_run_twice_is_simply_run_again(zygote: Zygote, database_url: str, tmp_path: Path) -> None:
    crashed = Scenario(url=database_url, folder=str(tmp_path / "again"), agent="repeatable", at="tool paid")

    zygote.play(crashed)
    assert zygote.play(dataclasses.replace(crashed, at=None)) == 0

    assert crashed.bank.payments == [42.5, 42.5]
    [session] = await sessions_of(crashed)
    assert session.requests == []
