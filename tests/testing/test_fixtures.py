"""The fixtures work in a stranger's project, and only where they are asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

SOURCE = Path(__file__).parents[2] / "src"

STRANGERS_TEST = """
from datetime import timedelta

from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver

from handraise import HumanInTheLoopMiddleware
from handraise.testing import Approve, Clock, ScriptedModel


def refund(order: str) -> str:
    "Refund an order."
    return f"refunded {order}"


def test_refund(handraise_operator, handraise_clock, handraise_session):
    agent = create_agent(
        ScriptedModel.calling("refund", order="7"),
        [refund],
        middleware=[HumanInTheLoopMiddleware({"refund": True})],
        checkpointer=InMemorySaver(),
    )
    began = handraise_clock.now()
    operator = handraise_operator(Approve(), takes=timedelta(hours=1))

    state = operator.run(agent, {"messages": [("user", "hello")]}, handraise_session)

    assert state["messages"][-1].text == "refunded 7"
    assert handraise_clock.now() - began == timedelta(hours=1)
    assert agent.get_state(handraise_session).values["messages"]
"""


def pytest_in(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_project_that_asks_for_the_fixtures_has_them(tmp_path: Path) -> None:
    (tmp_path / "test_refund.py").write_text(STRANGERS_TEST)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["handraise.testing.fixtures"]\n')

    ran = pytest_in(tmp_path)

    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr


def test_a_project_that_does_not_ask_has_none_of_them_and_loads_nothing_of_ours(tmp_path: Path) -> None:
    (tmp_path / "test_refund.py").write_text(
        "import sys\n\n\ndef test_nothing(request):\n"
        "    assert 'handraise' not in sys.modules\n"
        "    assert not [name for name in request.fixturenames if name.startswith('handraise')]\n"
    )

    ran = pytest_in(tmp_path)

    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr
