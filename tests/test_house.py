"""Conventions that no linter knows: what may be imported where, what things are called, and how full a folder gets."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.unpromised import unpromised

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "handraise"
FILES = sorted(SOURCE.rglob("*.py"))
MOST_FILES = 16
MAY_HOLD_MORE = {
    SOURCE / "store" / "tables": "every file is one noun that the database keeps",
    SOURCE / "store" / "migrations": "every file is one migration, and there will only ever be more",
}
FOLDERS = sorted(
    folder
    for top in (SOURCE, ROOT / "console" / "src" / "features")
    for folder in (top, *(path for path in top.rglob("*") if path.is_dir()))
    if "__pycache__" not in folder.parts and SOURCE / "service" / "static" not in (folder, *folder.parents)
)


@pytest.mark.parametrize("file", sorted((SOURCE / "core").rglob("*.py")), ids=lambda path: path.name)
def test_core_imports_only_the_standard_library_pydantic_and_rfc8785(file: Path) -> None:
    allowed = {*sys.stdlib_module_names, "pydantic", "rfc8785", "handraise"}

    assert {name.partition(".")[0] for name in _imports(file)} <= allowed
    assert all(name.startswith("handraise.core") for name in _imports(file) if name.startswith("handraise"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_is_named_for_nothing_in_particular(file: Path) -> None:
    assert file.stem not in {"utils", "util", "helpers", "common", "base", "manager", "misc"}


def test_no_two_classes_share_a_name() -> None:
    files = defaultdict(list)
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef):
                files[node.name].append(str(file.relative_to(SOURCE)))

    assert {name: where for name, where in files.items() if len(where) > 1} == {}


@pytest.mark.parametrize(
    "folder",
    [folder for folder in FOLDERS if folder not in MAY_HOLD_MORE],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_folder_holds_no_more_files_than_a_reader_takes_in(folder: Path) -> None:
    files = [path.name for path in folder.iterdir() if path.is_file() and ".test." not in path.name]

    assert len(files) <= MOST_FILES, sorted(files)


def _imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


DOORS = ("agents/upstream/", "engine/checkpoints/")
"""Where names may stand that LangChain and LangGraph never promised; each has a contract test."""


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_what_upstream_never_promised_is_named_behind_the_doors_only(file: Path) -> None:
    if not file.relative_to(SOURCE).as_posix().startswith(DOORS):
        assert unpromised(file.read_text()) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from langgraph.errors import _mark_invalid_resume", "langgraph.errors._mark_invalid_resume"),
        ("from langgraph._internal._constants import RESUME", "langgraph._internal._constants.RESUME"),
        ("import langgraph.checkpoint.serde._msgpack", "langgraph.checkpoint.serde._msgpack"),
        ("from langgraph.checkpoint.serde import _msgpack as strict", "langgraph.checkpoint.serde._msgpack"),
        ("from langchain_core.tools.base import FILTERED_ARGS", "langchain_core.tools.base.FILTERED_ARGS"),
        ("gate._apply_edit(request, edit)", "_apply_edit"),
        ("Interrupt.from_ns(None, place)", "from_ns"),
        ("class Own(BaseTool):\n    def _to_args_and_kwargs(self): ...", "_to_args_and_kwargs"),
        ("class State:\n    hitl_edited_tool_calls: dict", "hitl_edited_tool_calls"),
        ("self.tool._run()", "_run"),
        ('config["__pregel_send"]', "__pregel_send"),
        ('"""It reads `__interrupt__`."""', "It reads `__interrupt__`."),
        ('metadata.get(f"langgraph_path{1}")', "langgraph_path"),
    ],
)
def test_the_check_of_the_doors_finds(text: str, found: str) -> None:
    assert unpromised(text) == [found]


def test_the_check_of_the_doors_lets_promised_names_by() -> None:
    text = """
from langgraph.types import interrupt
from handraise.agents.gate.marks import _read
class Own(BaseTool):
    def _run(self): return super()._run() or self._run()
    async def _arun(self): return self._mine()
"""
    assert unpromised(text) == []
