"""The import contracts of pyproject.toml, and those of the console: each is kept, and each can be broken."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from grimp import ImportGraph, build_graph
from importlinter.api import read_configuration
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

ROOT = Path(__file__).parents[1]
CONFIGURATION = read_configuration(str(ROOT / "pyproject.toml"))
CONTRACTS = {entry["id"]: entry for entry in CONFIGURATION["contracts_options"]}
KINDS: dict[str, type[Contract]] = {
    kind.type_name: kind for kind in (AcyclicSiblingsContract, ForbiddenContract, LayersContract)
}

FORBIDDEN = {
    "rooms": ("handraise.store.store", "handraise.engine.engine"),
    "service": ("handraise.service.http.problems", "handraise.service.auth.authentication"),
    "engine": ("handraise.engine.desk.inbox", "handraise.engine.runs.worker"),
    "agents": ("handraise.agents.run_once.once", "handraise.agents.gate.middleware"),
    "store": ("handraise.store.tables.runs", "handraise.store.store"),
    "library-alone": ("handraise.agents.tools.effect", "handraise.store.store"),
    "server-without-agents": ("handraise.engine.intake.quotas", "handraise.agents.gate.rules"),
    "core-alone": ("handraise.core.requests", "langchain_core"),
    "drivers": ("handraise.engine.runs.ledger", "sqlite3"),
    "fastapi": ("handraise.commands.doctor", "fastapi"),
    "langchain": ("handraise.service.live.feed", "langgraph"),
    "no-circles": ("handraise.core.errors", "handraise.core.log.facts"),
}
"""For each contract an import that it forbids."""


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    """Return what imports what today."""
    return build_graph("handraise", include_external_packages=True, exclude_type_checking_imports=True)


@pytest.fixture(params=CONTRACTS)
def contract(request: pytest.FixtureRequest) -> Contract:
    """Return each contract in turn."""
    entry = CONTRACTS[request.param]
    return KINDS[entry["type"]](entry["id"], CONFIGURATION["session_options"], entry)


def test_a_contract_is_kept(contract: Contract, graph: ImportGraph) -> None:
    assert contract.check(deepcopy(graph), verbose=False).kept


def test_a_contract_is_broken_by_an_import_that_it_forbids(contract: Contract, graph: ImportGraph) -> None:
    importer, imported = FORBIDDEN[contract.name]
    changed = deepcopy(graph)
    changed.add_import(importer=importer, imported=imported, line_number=1, line_contents=f"import {imported}")

    assert not contract.check(changed, verbose=False).kept


def test_a_room_that_no_layer_names_breaks_the_layers(graph: ImportGraph) -> None:
    entry = CONTRACTS["rooms"]
    changed = deepcopy(graph)
    changed.add_module("handraise.attic")

    assert not LayersContract("rooms", CONFIGURATION["session_options"], entry).check(changed, verbose=False).kept


def test_every_contract_is_broken_once() -> None:
    assert FORBIDDEN.keys() == CONTRACTS.keys()


@pytest.mark.real
def test_the_console_keeps_its_features_apart_and_what_they_share_from_them(tmp_path: Path) -> None:
    shared = sorted(
        {path.name for path in (ROOT / "console/src").iterdir() if path.is_dir()} - {"app", "features", "testing"}
    )
    imports = {
        "features/chat": ["@/features/inbox/a", "../inbox/a", "../../app/a", "@/app/a", "@/features/chat/a", "@/api/a"],
        **{folder: ["@/features/inbox/a", "@/app/a", "@/api/a"] for folder in shared},
        "app": ["@/features/inbox/a", "@/api/a"],
    }
    (tmp_path / "src/features/inbox").mkdir(parents=True)
    for folder, names in imports.items():
        (tmp_path / "src" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / folder / "a.ts").write_text("".join(f'import "{name}";\n' for name in names))
    for name in ("package.json", "oxlint.config.js"):
        shutil.copy(ROOT / "console" / name, tmp_path)

    command = [
        "exec",
        "--",
        "oxlint",
        "--config",
        str(tmp_path / "oxlint.config.js"),
        "--format",
        "json",
        str(tmp_path),
    ]
    run = subprocess.run(
        [sys.executable, ROOT / "console/npm.py", *command], capture_output=True, text=True, check=False
    )

    refused: dict[str, set[str]] = {}
    for finding in json.loads(run.stdout)["diagnostics"]:
        path = Path(finding["filename"])
        line = path.read_text().splitlines()[finding["labels"][0]["span"]["line"] - 1]
        refused.setdefault(path.parent.relative_to(tmp_path / "src").as_posix(), set()).add(line.split('"')[1])
    assert refused == {
        "features/chat": {"@/features/inbox/a", "../inbox/a", "../../app/a", "@/app/a"},
        **{folder: {"@/features/inbox/a", "@/app/a"} for folder in shared},
    }
