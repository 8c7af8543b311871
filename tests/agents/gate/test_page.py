"""The gate's page and example: what they show is what the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.gate import test_holds as test_gate_holds
from tests.agents.gate.holes import HOLES, table
from tests.prepared import run_prepared

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[3]


def test_the_page_prints_the_holes_that_the_tests_declare() -> None:
    page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")

    assert table() in page, "run `python docs/print_gate_holes.py`"


def test_every_hole_has_its_proof() -> None:
    tests = {name for name in vars(test_gate_holds) if name.startswith("test_")}

    assert {one.proof for one in HOLES} == tests
    assert {int(one.number.rstrip("abcd")) for one in HOLES} >= set(range(1, 11))


def test_the_example_asks_two_people() -> None:
    example = ROOT / "examples" / "custom_gate.py"
    ran = run_prepared(example, cwd=ROOT, environment={"PYTHONPATH": str(ROOT / "src")})

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("approved by ['Ann']") == 2
    assert "tool: 25000 sent to ACME" in ran.stdout
