"""Ten turns over four agents, with a pause for approval in the middle that another process ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.prepared import run_prepared

pytestmark = pytest.mark.real

PART = Path(__file__).with_name("conversation.py")

HELLO = ("default_agent", "Ask me about the time, the weather or code.")
TIME = ("time_agent", "It is 12:00.")
WEATHER = ("weather_agent", "It is sunny.")
CODE = ("code_agent", "Your code printed 42.")

TURNS = [
    ("hello", HELLO),
    ("what is the time?", TIME),
    ("the time again, please", TIME),
    ("how is the weather?", WEATHER),
    ("now run my code", CODE),
    ("the weather again", WEATHER),
    ("and the time", TIME),
    ("thanks", HELLO),
    ("weather tomorrow?", WEATHER),
    ("bye", HELLO),
]
PAUSED_TURN = 5


def hold(database: Path, turns: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Run part of the conversation in a process of its own, and return what it printed."""
    said = [text for text, _ in turns]
    done = run_prepared(PART, str(database), *said, cwd=database.parent)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_conversation_of_ten_turns_goes_on_in_another_process_with_the_right_agent(tmp_path: Path) -> None:
    database = tmp_path / "sessions.db"

    before = hold(database, TURNS[:PAUSED_TURN])
    after = hold(database, TURNS[PAUSED_TURN:])

    paused = before.pop()
    assert (paused["agent"], paused["waits_for"]) == ("code_agent", ["run_code"])
    assert [(turn["agent"], turn["said"]) for turn in [*before, *after]] == [expected for _, expected in TURNS]
