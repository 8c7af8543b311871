"""Free form: any value at all, as a question. The answer is what a plain `interrupt(...)` call returns.

A text answers as that text, data as that data: a graph that expects an object is answered with data. A question that
expired or was withdrawn is answered `{"status": "timeout", "error": ...}`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar, assert_never

from pydantic import JsonValue

from handraise.core.decisions import Approve, DecisionKind, Edit, Reject, Respond
from handraise.core.digests import canonical
from handraise.core.errors import NotCanonical, Unspeakable
from handraise.core.requests import Request, request_id
from handraise.dialects.dialect import RULINGS, PauseContext, RawInterrupt, response_text
from handraise.dialects.human_request import EXPIRED, WITHDRAWN

_WHERE_PEOPLE_PUT_THE_QUESTION = ("question", "message", "prompt", "query", "description", "text")


class FreeForm:
    """Whatever no other dialect understands. It understands everything, so it is offered last."""

    name: ClassVar[str] = "free_form"
    speaks: ClassVar[frozenset[DecisionKind]] = frozenset({"respond"})

    def understands(self, value: Any, /) -> bool:
        return True

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        question, context = _question(interrupt.value)
        return [
            Request(
                id=request_id(session_id=asked.session_id, interrupt_id=interrupt.id, position=0),
                session_id=asked.session_id,
                run_id=asked.run_id,
                kind="question",
                dialect=self.name,
                interrupt_id=interrupt.id,
                args_schema=_form(interrupt.response_schema),
                allowed=("respond",),
                agent=asked.agent,
                question=question,
                context=context,
                created_at=asked.at,
            )
        ]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        (request,) = requests
        match request.decision:
            case Respond() as answer:
                return response_text(answer) if answer.data is None else answer.data
            case None:
                return {"status": "timeout", "error": EXPIRED if request.status == "expired" else WITHDRAWN}
            case Approve() | Edit() | Reject() as other:
                raise Unspeakable(dialect=self.name, word=other.type)
            case _ as never:
                assert_never(never)


def _question(value: Any) -> tuple[str, dict[str, JsonValue]]:
    if not _is_json(value):
        return _shown(value), {}
    match value:
        case None:
            return "The agent paused without a question.", {}
        case str():
            return value, {}
        case dict():
            for key in _WHERE_PEOPLE_PUT_THE_QUESTION:
                if isinstance(text := value.get(key), str) and text.strip():
                    return text, {other: item for other, item in value.items() if other != key}
            return json.dumps(value, ensure_ascii=False), value
        case _:
            return json.dumps(value, ensure_ascii=False), {}


def _form(schema: Any) -> dict[str, JsonValue] | None:
    """Return the schema of the answer, or None when there is none to show."""
    if not isinstance(schema, dict) or not _is_json(schema):
        return None
    return {key: part for key, part in schema.items() if key != RULINGS} or None


def _is_json(value: Any) -> bool:
    try:
        canonical(value)
    except NotCanonical:
        return False
    return True


def _shown(value: Any) -> str:
    """Show a value that JSON cannot: an object, NaN, half a character. Never fails, whatever its `__repr__` does."""
    try:
        return repr(value).encode(errors="backslashreplace").decode().replace("\x00", "\\x00")
    except Exception:  # noqa: BLE001 - the agent's own code runs here, and a request must be opened all the same
        return f"<{type(value).__name__}>"
