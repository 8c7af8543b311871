"""The public names: few, listed here, and light to import; examples and docs use nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import handraise
from handraise.core.decisions import AnyDecision
from tests.test_docs import PAGES, blocks_of, source_of

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"

PUBLIC = [
    "AgentConfig",
    "AskHumanAgentTool",
    "GateConfig",
    "HandoffAgentMiddleware",
    "HandraiseError",
    "HumanInTheLoopMiddleware",
    "InterruptParams",
    "__version__",
    "areview_in_terminal",
    "ask_human",
    "ask_human_agent",
    "digest",
    "effect",
    "guidance",
    "human_in_the_loop",
    "human_in_the_loop_async",
    "idempotency_key",
    "knowledge_search",
    "review_in_terminal",
]

PUBLIC_MODULES = [
    "handraise",
    "handraise.demo.shop",
    "handraise.gates",
    "handraise.inbox",
    "handraise.testing",
    "handraise.testing.fixtures",
    "handraise.webhooks",
]
"""Every module whose names others may import. docs/releasing.md says what is promised for each."""

SERVER_PARTS = {"fastapi", "starlette", "uvicorn", "sqlite3", "aiosqlite", "psycopg", "psycopg_pool"}
LIBRARY_PARTS = {"langchain", "langchain_core", "langgraph", "pydantic", "rich"}


def loaded_after(code: str) -> set[str]:
    """Return the top-level modules that a fresh process has loaded after running `code`."""
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"],
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return set(ran.stdout.split())


def imported_by(source: str) -> dict[str, set[str]]:
    """Return what `source` takes from Handraise: by module, the names."""
    taken: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "handraise":
            taken.setdefault(node.module, set()).update(alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "handraise":
                    taken.setdefault(alias.name, set())
    return taken


def python_of(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    return text if page.suffix == ".py" else source_of([block for block in blocks_of(text) if block.is_python])


def test_the_public_names_are_these_and_fewer_than_twenty() -> None:
    assert handraise.__all__ == PUBLIC
    assert sorted(PUBLIC) == PUBLIC
    assert len(PUBLIC) < 20


def test_every_public_name_is_there() -> None:
    for name in PUBLIC:
        assert getattr(handraise, name) is not None
    assert dir(handraise) == PUBLIC


def test_what_a_type_checker_reads_is_what_loads() -> None:
    taken = imported_by((SOURCE / "handraise" / "__init__.py").read_text())
    told = {name: module for module, names in taken.items() for name in names}

    assert {**told, "__version__": "handraise"} == handraise._HOME_OF


@pytest.mark.parametrize(
    "page",
    [*sorted((ROOT / "examples").glob("*.py")), *PAGES, SOURCE / "handraise" / "demo" / "starter.py"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_examples_and_docs_import_only_public_names(page: Path) -> None:
    for module, names in imported_by(python_of(page)).items():
        assert module in PUBLIC_MODULES, f"{module} is not public: make it so, or use a public name"
        listed = getattr(import_module(module), "__all__", None)
        assert listed is None or names <= set(listed), f"{module} does not list {names - set(listed)}"


def test_the_page_about_releases_lists_every_public_module() -> None:
    table = (ROOT / "docs" / "releasing.md").read_text().partition("## What is public")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip(" `") for line in table.splitlines() if line.startswith("| `handraise")]

    assert rows == PUBLIC_MODULES


def test_importing_handraise_imports_no_server_no_database_driver_and_no_framework() -> None:
    assert not loaded_after("import handraise") & (SERVER_PARTS | LIBRARY_PARTS)


def test_using_every_public_name_imports_no_server_and_no_database_driver() -> None:
    assert not loaded_after("from handraise import *") & SERVER_PARTS


@pytest.mark.parametrize("module", ["gates", "inbox", "testing", "webhooks"])
def test_a_public_module_imports_no_server_and_no_database_driver(module: str) -> None:
    assert not loaded_after(f"from handraise.{module} import *") & (SERVER_PARTS | {"pytest"})


def test_the_fixtures_import_nothing_before_a_test_asks_for_one() -> None:
    assert not loaded_after("import pytest, handraise.testing.fixtures") & SERVER_PARTS


@pytest.mark.parametrize("module", ["handraise.inbox", "handraise.testing"])
def test_every_decision_is_public_where_others_make_one(module: str) -> None:
    assert {kind.__name__ for kind in get_args(AnyDecision)} <= set(import_module(module).__all__)
