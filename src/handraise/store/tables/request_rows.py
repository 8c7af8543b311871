"""A request as a row: what is searched or changed has a column, the rest is one document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from handraise.core.decisions import Edit
from handraise.core.requests import Request
from handraise.store.connection import from_us, to_json, to_us

_PLAIN = (
    "id", "session_id", "run_id", "interrupt_id", "position", "kind", "audience", "tool", "question_type", "urgency",
    "status", "version", "claimed_by",
)  # fmt: skip
_TIMES = ("created_at", "deadline", "claim_until", "decided_at")
DOCUMENTS = ("decided_by", "decision")
COLUMNS = ", ".join([*_PLAIN, *_TIMES, *DOCUMENTS, "asked"])
_ASKED = set(Request.model_fields) - set(_PLAIN) - set(_TIMES) - set(DOCUMENTS)
"""What never changes after a request was opened: kept as one document."""


def to_row(request: Request) -> dict[str, Any]:
    """Return a request's columns, with its sensitive values masked: `to_secrets` has those."""
    values = request.masked().model_dump(mode="json")
    return {
        **{name: values[name] for name in _PLAIN},
        **{name: to_us(getattr(request, name)) for name in _TIMES},
        **{name: None if values[name] is None else to_json(values[name]) for name in DOCUMENTS},
        "asked": to_json({name: values[name] for name in _ASKED}),
    }


def to_secrets(request: Request) -> str | None:
    """Return what a request's row must not show: the arguments as they are, and as they were edited."""
    if not request.sensitive:
        return None
    edited = request.decision.args if isinstance(request.decision, Edit) else None
    return to_json({"args": request.args, "edited": edited})


def to_whole_request(row: Sequence[Any]) -> Request:
    """Return the request in a row of `COLUMNS` and `secrets`, with its sensitive values."""
    *columns, secrets = row
    request = to_request(columns)
    if secrets is None:
        return request
    kept = json.loads(secrets)
    changes: dict[str, Any] = {"args": kept["args"]}
    if isinstance(request.decision, Edit) and kept["edited"] is not None:
        changes["decision"] = Edit(args=kept["edited"])
    return request.model_copy(update=changes)


def to_request(row: Sequence[Any]) -> Request:
    """Return the request in a row of `COLUMNS`, as people see it."""
    values = dict(zip(COLUMNS.split(", "), row, strict=True))
    for name in _TIMES:
        values[name] = from_us(values[name])
    for name in DOCUMENTS:
        values[name] = None if values[name] is None else json.loads(values[name])
    return Request.model_validate(values | json.loads(values.pop("asked")))
