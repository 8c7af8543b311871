"""The wheel as a stranger gets it: installed into a clean environment, serving its own console."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import httpx
import pytest

from handraise import __version__
from tests.patience import PATIENCE
from tests.running import read_address

ROOT = Path(__file__).parents[1]
UV = Path(sys.executable).parent / "uv"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run([UV, "build", "--quiet", "--wheel", "--out-dir", out, ROOT], check=True)
    [built] = out.glob("*.whl")
    return built


def installed(wheel: Path, folder: Path, extras: str = "") -> Path:
    python = folder / "bin" / "python"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    requirement = f"handraise{extras} @ {wheel.as_uri()}"
    constraints = ["--constraint", str(ROOT / "constraints.txt")]
    command = [str(UV), "pip", "install", "--quiet", "--python", str(python), *constraints, requirement]
    subprocess.run(command, check=True)
    return python


def test_a_clean_environment_serves_the_console_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    python = installed(wheel, tmp_path / "venv", "[server]")

    command = [str(python.parent / "handraise"), "demo", "--no-open", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        try:
            address = read_address(process)
            page = httpx.get(f"{address}/", timeout=PATIENCE)
            script = page.text.partition('src="')[2].partition('"')[0]
            assert page.status_code == 200
            assert "<title>Handraise" in page.text
            assert httpx.get(f"{address}{script}", timeout=PATIENCE).status_code == 200
        finally:
            process.terminate()


def test_the_plain_package_brings_the_agent_library_and_no_server(wheel: Path, tmp_path: Path) -> None:
    python = installed(wheel, tmp_path / "venv")

    listed = subprocess.run(
        [UV, "pip", "list", "--python", python, "--format", "json"], capture_output=True, check=True
    )
    names = {package["name"] for package in json.loads(listed.stdout)}
    demo = subprocess.run([python.parent / "handraise", "demo"], capture_output=True, text=True, check=False)

    assert {"handraise", "langchain", "langgraph"} <= names
    assert not {"fastapi", "uvicorn", "psycopg", "aiosqlite"} & names
    assert demo.returncode == 2
    assert demo.stderr == "handraise: This command needs the server's packages. Run: pip install 'handraise[server]'\n"


def test_the_wheel_carries_the_console_and_nothing_else_that_is_built(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()

    assert "handraise/service/static/index.html" in names
    assert "handraise/py.typed" in names
    assert not [name for name in names if "node_modules" in name or name.startswith(("console/", "tests/"))]


def test_the_wheel_has_the_version_that_the_code_says(wheel: Path) -> None:
    said = subprocess.run([sys.executable, "-m", "handraise", "--version"], capture_output=True, text=True, check=True)
    written = json.loads((ROOT / "docs" / "openapi.json").read_text())["info"]["version"]

    assert wheel.name.startswith(f"handraise-{__version__}-")
    assert said.stdout == f"handraise {__version__}\n"
    assert written == __version__, "run `make docs`"
    assert "version" not in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"], "one place holds it"
