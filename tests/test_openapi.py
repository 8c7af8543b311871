"""The API's document and the console's types are current."""

from __future__ import annotations

import json
from pathlib import Path

from handraise.core.decisions import DECISION_KINDS
from handraise.service.document import document

ROOT = Path(__file__).parents[1]


def test_the_document_is_what_the_service_says() -> None:
    written = json.loads((ROOT / "docs" / "openapi.json").read_text())

    assert written == json.loads(json.dumps(document())), "run `make docs`"


def test_the_consoles_types_know_every_schema_of_the_document() -> None:
    types = (ROOT / "console" / "src" / "api" / "schema.d.ts").read_text()
    schemas = json.loads((ROOT / "docs" / "openapi.json").read_text())["components"]["schemas"]

    assert [name for name in schemas if f"        {name}: " not in types] == [], "run `make docs`"


def test_every_kind_of_decision_has_an_example() -> None:
    decide = document()["paths"]["/api/v1/requests/{request_id}/decision"]["post"]
    examples = decide["requestBody"]["content"]["application/json"]["examples"]

    assert [example["value"]["type"] for example in examples.values()] == list(DECISION_KINDS)
