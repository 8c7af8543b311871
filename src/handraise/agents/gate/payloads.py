"""Payloads: what a person is shown of the calls to review.

They are LangChain's, unless several agents share the conversation or the gate adds details for people and consoles.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

from langchain.agents.middleware.human_in_the_loop import HITLRequest
from langchain.agents.middleware.types import ToolCallRequest
from langgraph.runtime import Runtime

from handraise.agents.gate.questions import Question
from handraise.agents.upstream.gate import Wording
from handraise.agents.upstream.tasks import lineage


def per_call_value(
    question: Question, request: ToolCallRequest, *, wording: Wording, with_details: bool
) -> dict[str, Any]:
    """Return what is shown of one call on its own."""
    return {**wording.shown_alone(request, question.config), **_additions(question, request.state, with_details)}


def batched_value(
    questions: Sequence[Question], state: Any, runtime: Runtime[Any], *, wording: Wording, with_details: bool
) -> HITLRequest:
    """Return what is shown of all calls of a turn."""
    shown = [wording.shown_in_batch(question.call, question.config, state, runtime) for question in questions]
    value = HITLRequest(action_requests=[action for action, _ in shown], review_configs=[config for _, config in shown])
    for action, question in zip(value["action_requests"], questions, strict=True):
        cast("dict[str, Any]", action).update(_additions(question, state, with_details))
    return value


def _additions(question: Question, state: Any, with_details: bool) -> dict[str, Any]:
    return {**_asking_agent(state), **(_details_of(question) if with_details else {})}


def _asking_agent(state: Any) -> dict[str, str]:
    """Name the agent that asks, where several share the conversation."""
    name = state.get("active_agent") if isinstance(state, dict) else None
    return {"agent": name} if isinstance(name, str) else {}


def _details_of(question: Question) -> dict[str, Any]:
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


def _deadline(question: Question) -> str | None:
    allowed = question.config.get("deadline")
    return None if allowed is None else (datetime.now(UTC) + allowed).isoformat(timespec="seconds")
