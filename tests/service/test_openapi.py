"""The OpenAPI document: complete, with examples, and true, which schemathesis finds out against a running service."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.pytest.lazy import get_all_tests
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from handraise.core.people import Scope
from handraise.store.opening import open_store
from handraise.store.tables.people import new_secret
from tests.service.desk import RunningDesk
from tests.service.talking import chat, only

ROOT = Path(__file__).parents[2]
DOCUMENT: dict[str, Any] = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
"""What the service says, as another test compares."""
ENDLESS = ["/api/v1/live", "/api/v1/sessions/{session_id}/events"]
"""Streams that go on until the reader leaves; the tests of streams read them."""

REAL: dict[str, list[Any]] = {}
"""What there really is in the service under test, by the name of the parameter that asks for it."""


@pytest.fixture(scope="module")
def schema() -> Any:
    """The document's operations, asked for what there really is."""
    read = schemathesis.openapi.from_dict(DOCUMENT).exclude(path=ENDLESS)
    for hook in (map_path_parameters, map_query, map_body):
        read.hook(hook)
    return read


def map_path_parameters(context: Any, path_parameters: dict[str, Any]) -> dict[str, Any]:
    return {name: _real(name, value) for name, value in path_parameters.items()} if path_parameters else path_parameters


def map_query(context: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    return {name: _real(name, value) for name, value in query.items()} if query else query


def map_body(context: Any, body: Any) -> Any:
    if not isinstance(body, dict):
        return body
    return {name: _real("session_id" if name == "thread_id" else name, value) for name, value in body.items()}


def _real(name: str, value: Any) -> Any:
    """Put something real in place of three out of four made-up values."""
    choice = len(repr(value)) % 4
    return REAL[name][choice % len(REAL[name])] if name in REAL and choice else value


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDesk]:
    """A service of its own, which the other tests need not share with so many strange requests."""
    with RunningDesk(f"sqlite:///{tmp_path_factory.mktemp('openapi') / 'handraise.db'}") as running:
        yield running


@pytest.fixture(scope="module")
def program(service: RunningDesk) -> Iterator[httpx.Client]:
    """A program that may do everything, and things for it to do it to."""
    secret = new_secret("key")

    async def issue() -> None:
        async with open_store(service.database_url) as store:
            await store.write(lambda tx: tx.people.issue("key", scopes=get_args(Scope), secret=secret))

    asyncio.run(issue())
    with service.visitor() as customer, service.program(secret) as client:
        asked = [chat(customer, words) for words in ("refund", "refund", "我要退款，但商品已经拆封了")]
        confirmed = [chat(customer, "transfer") for _ in range(2)]
        ticket, _ = chat(customer, "please ticket")
        REAL["session_id"] = [ticket, *(session_id for session_id, _ in (*asked, *confirmed))]
        REAL["request_id"] = [only(frames, "waiting")["request_id"] for _, frames in asked]
        REAL["number"] = [1, 2]
        yield client


EXAMPLES = settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    ]


# `schema.parametrize()` does the same, and makes every example while tests are collected: in each worker, for one that
# runs them. Its way to leave that for later (`from_fixture`) fails with pytest 9.2.
@pytest.mark.parametrize("name", [name for name, _ in operations() if name.partition(" ")[2] not in ENDLESS])
def test_no_answer_is_a_fault_or_undocumented(
    name: str, schema: Any, service: RunningDesk, program: httpx.Client
) -> None:
    def ask(case: Any) -> None:
        answer = case.call(base_url=service.address, headers={"Authorization": program.headers["Authorization"]})
        case.validate_response(
            answer,
            checks=[
                not_a_server_error,
                status_code_conformance,
                content_type_conformance,
                response_schema_conformance,
            ],
        )

    [made] = get_all_tests(schema=schema.include(name=name), test_func=ask, settings=EXAMPLES, given_kwargs=None)
    assert isinstance(made, Ok), made
    _, with_examples = made.ok()
    with_examples()


@pytest.mark.parametrize(("name", "operation"), operations(), ids=[name for name, _ in operations()])
def test_every_operation_is_explained_and_its_body_has_an_example(name: str, operation: dict[str, Any]) -> None:
    assert operation["description"].endswith((".", "`"))
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None:
        named = body["schema"].get("$ref", "").rpartition("/")[2]
        schema = DOCUMENT["components"]["schemas"].get(named, {})
        fields = schema.get("properties", {}).values()
        has_example = "examples" in body or "examples" in schema or any("examples" in field for field in fields)
        assert has_example or "examples" in body["schema"], f"{name} has no example"
    assert {"401", "404", "422", "429", "503"} <= operation["responses"].keys()


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(DOCUMENT)
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert named <= DOCUMENT["components"]["schemas"].keys()
