"""`make chaos` is no test, so nothing else would say that it no longer begins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WHAT_AN_ENGINE_ASKS = "from handraise.engine.engine import _checkpoints_must_be_strict as ask; ask()"


def run(code: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "LANGGRAPH_STRICT_MSGPACK"}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.real
def test_its_engines_find_langgraph_as_they_ask_for_it() -> None:
    begun = run(f"import tests.engine.chaos.__main__; {WHAT_AN_ENGINE_ASKS}")
    without = run(f"import langgraph.checkpoint.serde.jsonplus; {WHAT_AN_ENGINE_ASKS}")

    assert begun.returncode == 0, begun.stderr
    assert "without strict checkpoints" in without.stderr, "the control"
