"""Details: optional fields of a request, for people and consoles. Off by default, so that payloads stay LangChain's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from handraise.agents.gate.questions import Question
from handraise.agents.upstream.tasks import lineage


def details_of(question: Question) -> dict[str, Any]:
    """Return what a console shows beside a call: its id, digest, schema, risk, deadline and who asked."""
    schema = question.args_schema
    fields = {
        "tool_call_id": question.call["id"],
        "digest": question.digest,
        "args_schema": schema.model_json_schema() if isinstance(schema, type) else schema,
        "risk": question.config.get("risk"),
        "deadline": _deadline(question),
        "lineage": lineage(),
    }
    return {name: value for name, value in fields.items() if value is not None}


def asking_agent(state: Any) -> dict[str, str]:
    """Name the agent that asks, where several share the conversation. Elsewhere payloads stay LangChain's."""
    name = state.get("active_agent") if isinstance(state, dict) else None
    return {"agent": name} if isinstance(name, str) else {}


def _deadline(question: Question) -> str | None:
    allowed = question.config.get("deadline")
    return None if allowed is None else (datetime.now(UTC) + allowed).isoformat(timespec="seconds")
