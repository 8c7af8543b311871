"""The public names: few, listed here, and light to import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import handraise

SOURCE = Path(__file__).parents[1] / "src"

PUBLIC = [
    "AgentConfig",
    "AskHumanAgentTool",
    "HandoffAgentMiddleware",
    "HandraiseError",
    "HumanInTheLoopMiddleware",
    "InterruptParams",
    "__version__",
    "areview_in_terminal",
    "ask_human",
    "ask_human_agent",
    "effect",
    "guidance",
    "human_in_the_loop",
    "human_in_the_loop_async",
    "idempotency_key",
    "knowledge_search",
    "review_in_terminal",
]

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


def test_the_public_names_are_these_and_fewer_than_twenty() -> None:
    assert handraise.__all__ == PUBLIC
    assert sorted(PUBLIC) == PUBLIC
    assert len(PUBLIC) < 20


def test_every_public_name_is_there() -> None:
    for name in PUBLIC:
        assert getattr(handraise, name) is not None
    assert dir(handraise) == PUBLIC


def test_importing_handraise_imports_no_server_no_database_driver_and_no_framework() -> None:
    assert not loaded_after("import handraise") & (SERVER_PARTS | LIBRARY_PARTS)


def test_using_every_public_name_imports_no_server_and_no_database_driver() -> None:
    assert not loaded_after("from handraise import *") & SERVER_PARTS
