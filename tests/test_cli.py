"""The command line as a person meets it: real processes, real exit codes."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE
from tests.prepared import Prepared, run_prepared
from tests.running import HANDRAISE, read_address, read_welcome

pytestmark = pytest.mark.real


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*HANDRAISE, *arguments], capture_output=True, text=True, timeout=120, cwd=cwd, check=False)


def test_version_and_help_need_nothing_heavy() -> None:
    loaded = "import sys\nfrom handraise.cli import main\ntry: main()\nfinally: print(*sys.modules)"
    for option in ("--version", "--help"):
        printed = subprocess.run(
            [sys.executable, "-c", loaded, option], capture_output=True, text=True, timeout=120, check=False
        )
        modules = printed.stdout.splitlines()[-1].split()

        assert printed.returncode == 0
        assert not {"langchain", "langchain_core", "langgraph", "fastapi", "pydantic", "sqlite3"} & set(modules)


def test_version_is_the_packages_version() -> None:
    from importlib.metadata import version

    assert run("--version").stdout == f"handraise {version('handraise')}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["serve", "no_such_module:agent"], "No module named 'no_such_module'"),
        (["serve", "json:nothing"], "Module 'json' has no 'nothing'"),
        (["serve", "json:dumps"], "not a compiled LangGraph graph"),
        (["serve", "json"], "is not module:attribute"),
        (["serve", "broken:agent"], "'broken' cannot be imported: ZeroDivisionError"),
        (["demo", "--database", "sqlite:///not_a_database.txt"], "cannot be used: file is not a database"),
        (["demo", "--database", "sqlite:///a_folder"], "cannot be used"),
        (["demo", "--database", "postgresql://nobody:hush@127.0.0.1:1/none"], "is not available: Connection refused"),
        (["demo", "--database", "mysql://127.0.0.1/shop"], "is not supported"),
        (["demo", "--host", "0.0.0.0"], "is not loopback"),
        (["demo", "--port", "70000"], "less than or equal to 65535"),
    ],
)
def test_bad_input_is_one_clear_sentence_and_exit_code_2(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "not_a_database.txt").write_text("This is a letter, not a database. " * 200)
    (tmp_path / "a_folder").mkdir()
    (tmp_path / "broken.py").write_text("1 / 0\n")

    # Most of a start is imports, which test_version and test_the_demo have from nothing.
    result = run_prepared(*arguments, cwd=tmp_path)

    assert result.returncode == 2
    assert sentence in " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.stderr).split())
    assert "Traceback" not in result.stderr
    assert "hush" not in result.stderr
    if result.stderr.startswith("handraise:"):
        assert len(result.stderr.strip().splitlines()) == 1


def test_the_demo_prints_the_port_it_took_and_ends_cleanly(tmp_path: Path) -> None:
    with _demo("--port", "0", data=tmp_path) as process:
        address, _, key = read_welcome(process)
        assert httpx.get(f"{address}/api/v1/info", timeout=PATIENCE).json()["scripted"] is True
        with httpx.stream("GET", f"{address}/api/v1/live", headers={"X-Api-Key": key}, timeout=PATIENCE) as live:
            assert live.status_code == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=PATIENCE) == 0
        assert process.stdout is not None
        assert process.stdout.read().strip().endswith("Stopped.")


def test_a_taken_port_moves_to_the_next_free_one_and_says_so(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = ["demo", "--no-open", "--fresh", "--data", str(tmp_path), "--port", str(port)]
        with Prepared(command, dict(os.environ), cwd=tmp_path) as process:
            first = process.stdout.readline()
            address = read_address(process)
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=PATIENCE) == 0
    assert first.startswith(f"Port {port} is taken; using {address.rpartition(':')[2]} instead.")


def _demo(*arguments: str, data: Path) -> subprocess.Popen[str]:
    command = [*HANDRAISE, "demo", "--no-open", "--data", str(data), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
