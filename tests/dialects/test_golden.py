"""Every wire format, as files that anybody can read: what came in, what a person saw, what the agent got back."""

from __future__ import annotations

import importlib
import json
import pkgutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from handraise import dialects
from handraise.core.actors import SERVICE, Actor
from handraise.core.decisions import parse_decision
from handraise.core.digests import digest
from handraise.core.requests import Request
from handraise.dialects.dialect import Dialect, PauseContext, RawInterrupt
from handraise.dialects.registry import DIALECTS, offered, read_requests, write_resume

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
AT = datetime(2030, 1, 1, tzinfo=UTC)
ASKED = PauseContext(session_id="session", run_id="run", at=AT, agent="desk")


def close(request: Request, how: Any) -> Request:
    match how:
        case "expire":
            return request.expire(at=AT)
        case "withdraw":
            return request.withdraw(by=SERVICE, at=AT)
        case _:
            return request.decide(parse_decision(how), by=Actor(kind="operator", id="ana"), at=AT)


def read(case: dict[str, Any]) -> list[Request]:
    interrupt = RawInterrupt(id="interrupt", value=case["interrupt"], response_schema=case.get("response_schema"))
    return read_requests(interrupt, asked=ASKED)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_interrupt_is_read_as_its_file_says(file: Path) -> None:
    case = json.loads(file.read_text())

    requests = read(case)

    assert [request.position for request in requests] == list(range(len(case["requests"])))
    for request, expected in zip(requests, case["requests"], strict=True):
        seen = request.model_dump(mode="json", include=set(expected))
        assert seen == expected
        assert request.dialect == case["dialect"]
        assert offered(request) == request.allowed
        assert request.digest == (digest(request.tool, request.args) if request.kind == "approval" else "")


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_decisions_are_written_as_their_file_says(file: Path) -> None:
    case = json.loads(file.read_text())

    for answer in case["answers"]:
        closed = [close(request, how) for request, how in zip(read(case), answer["decisions"], strict=True)]

        assert write_resume(closed) == answer["resume"]
        assert write_resume(closed[::-1]) == answer["resume"], "the order of the requests is in their positions"


def test_every_dialect_that_is_written_is_offered_interrupts() -> None:
    written = {
        kind
        for module in pkgutil.iter_modules(dialects.__path__, "handraise.dialects.")
        for kind in vars(importlib.import_module(module.name)).values()
        if isinstance(kind, type) and hasattr(kind, "understands") and kind is not Dialect
    }
    assert {kind for kind in written if "name" in vars(kind)} == {type(dialect) for dialect in DIALECTS}


def test_every_dialect_has_a_golden_file() -> None:
    assert {json.loads(file.read_text())["dialect"] for file in GOLDEN} == {dialect.name for dialect in DIALECTS}
