"""The house rules that no linter knows."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "handraise"
FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("file", sorted((SOURCE / "core").glob("*.py")), ids=lambda path: path.name)
def test_core_imports_only_the_standard_library_pydantic_and_rfc8785(file: Path) -> None:
    allowed = {*sys.stdlib_module_names, "pydantic", "rfc8785", "handraise"}

    assert {name.partition(".")[0] for name in _imports(file)} <= allowed
    assert all(name.startswith("handraise.core") for name in _imports(file) if name.startswith("handraise"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_is_named_for_nothing_in_particular(file: Path) -> None:
    assert file.stem not in {"utils", "util", "helpers", "common", "base", "manager", "misc"}


def _imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found
