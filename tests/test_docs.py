"""The code in the docs runs: every python block of a page, in order, in one namespace, in a process of its own.

A block fenced as `python no-run` stands for something that needs a network or a person; it must still compile.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.prepared import run_prepared

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKING = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "console" / "README.md"]
LINK = re.compile(r"\]\(([^)#\s]+)")
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>.*)$")


@dataclass(frozen=True)
class Block:
    """The lines of one fence, kept where they stand in the page so that a traceback names the page's line."""

    info: list[str]
    first_line: int
    lines: list[str]

    @property
    def is_python(self) -> bool:
        return self.info[:1] == ["python"]

    @property
    def runs(self) -> bool:
        return self.is_python and "no-run" not in self.info


def blocks_of(page: str) -> list[Block]:
    blocks: list[Block] = []
    opened: Block | None = None
    indent = ""
    for number, line in enumerate(page.splitlines(), start=1):
        fence = FENCE.match(line)
        if opened is None and fence:
            indent, opened = fence["indent"], Block(fence["info"].split(), number + 1, [])
        elif opened is not None and fence and not fence["info"]:
            blocks.append(opened)
            opened = None
        elif opened is not None:
            opened.lines.append(line.removeprefix(indent))
    return blocks


def source_of(blocks: list[Block]) -> str:
    lines: list[str] = []
    for block in blocks:
        lines += [""] * (block.first_line - 1 - len(lines)) + block.lines
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
@pytest.mark.real
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    source = source_of([block for block in blocks_of(page.read_text(encoding="utf-8")) if block.runs])
    script = tmp_path / f"{page.stem}.py"
    script.write_text(source, encoding="utf-8")

    ran = run_prepared(
        script,
        cwd=tmp_path,
        environment={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "PYTHONIOENCODING": "utf-8"},
        typed="approve\n" * 20,
    )

    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_code_that_is_not_run_compiles(page: Path) -> None:
    for block in blocks_of(page.read_text(encoding="utf-8")):
        if block.is_python:
            compile(source_of([block]), str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


@pytest.mark.parametrize("page", LINKING, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    links = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in target]

    assert [target for target in links if not (page.parent / target).exists()] == []


def test_every_word_of_the_glossary_lives_in_a_module_that_exists() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| word |")]
    homes = {row: re.fullmatch(r"\| .+ \| .+ \| `([\w/]+\.py)` \|", row) for row in rows}

    assert [row for row, home in homes.items() if home is None] == []
    assert [
        row for row, home in homes.items() if home and not (ROOT / "src" / "handraise" / home.group(1)).is_file()
    ] == []


def test_no_word_stands_in_the_glossary_twice() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| (.+?) \|", page, re.MULTILINE)

    assert [word for word in words if word != "word" and words.count(word) > 1] == []


def test_blocks_are_found_where_they_stand() -> None:
    listed = "- item\n  ```python no-run\n  b = (\n  ```\n"
    page = f"Text\n```python\na = 1\n```\n```json\n{{}}\n```\n{listed}```python\nc = a\n```\n"

    found = blocks_of(page)

    assert [block.runs for block in found] == [True, False, False, True]
    assert [block.is_python for block in found] == [True, False, True, True]
    assert source_of([block for block in found if block.runs]).splitlines() == ["", "", "a = 1", *[""] * 9, "c = a"]
