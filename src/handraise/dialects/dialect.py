"""What a dialect is: one wire format for requests and decisions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Protocol

from pydantic import JsonValue

from handraise.core.decisions import DecisionKind, Respond
from handraise.core.requests import Request

RULINGS = "x-handraise-rulings"
"""A key of a response schema under which our gates keep notes for themselves. It says nothing about the answer."""


@dataclass(frozen=True, kw_only=True)
class RawInterrupt:
    """An interrupt as LangGraph reports it, before anybody has understood it."""

    id: str
    value: Any
    response_schema: Any = None
    """The JSON Schema that LangGraph publishes for the answer, where the agent gave one."""


@dataclass(frozen=True, kw_only=True)
class PauseContext:
    """Where and when an interrupt was met, and what is known of the agent's tools."""

    session_id: str
    run_id: str
    at: datetime
    agent: str = ""
    schemas: Mapping[str, dict[str, JsonValue]] = field(default_factory=dict)


class Dialect(Protocol):
    """Reads requests from an interrupt, and writes their decisions as the value that resumes it."""

    name: ClassVar[str]
    speaks: ClassVar[frozenset[DecisionKind]]

    def understands(self, value: Any, /) -> bool:
        """Return whether `value` has this dialect's shape."""
        ...

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        """Return one open request per thing that is asked, in order."""
        ...

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        """Return the value that resumes the interrupt which `requests` were read from, all of them closed."""
        ...


def response_text(answer: Respond) -> str:
    """Return an answer as text. Data becomes its JSON, as a tool's own result would."""
    if answer.text:
        return answer.text
    if answer.selected_option is not None:
        return answer.selected_option
    return json.dumps(answer.data, ensure_ascii=False)
