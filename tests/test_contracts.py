"""The import contracts of pyproject.toml: each is kept, and each can be broken."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest
from grimp import ImportGraph, build_graph
from importlinter.api import read_configuration
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

CONFIGURATION = read_configuration(str(Path(__file__).parents[1] / "pyproject.toml"))
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
