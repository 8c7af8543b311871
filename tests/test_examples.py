"""Every example runs as a reader would run it: in a process of its own, offline, with nothing set up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prepared import run_prepared

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.real
def test_an_example_runs(example: Path, tmp_path: Path) -> None:
    # A reader at the terminal says "approve" to whatever is asked.
    ran = run_prepared(
        example,
        cwd=tmp_path,
        environment={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "PYTHONIOENCODING": "utf-8"},
        typed="approve\n" * 20,
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip(), "an example shows something"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_says_what_it_shows(example: Path) -> None:
    lines = example.read_text(encoding="utf-8").splitlines()

    assert len(lines) < 80
    assert lines[0].startswith('"""')
