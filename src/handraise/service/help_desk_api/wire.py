"""Requests on the help desk's wire: `HumanRequest`, with its three statuses, whatever the agent paused for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Literal, assert_never

from pydantic import BaseModel, JsonValue

from handraise.core.decisions import Approve, DecisionKind, Edit, Reject, Respond
from handraise.core.errors import InvalidDecision
from handraise.core.requests import QuestionType, Request, Urgency
from handraise.core.states import RequestStatus

WireStatus = Literal["pending", "answered", "timeout"]

_STATUS: Mapping[RequestStatus, WireStatus] = {
    "open": "pending",
    "decided": "answered",
    "indeterminate": "answered",
    "expired": "timeout",
    # This wire has no word for it; its tool is told the same as after a timeout.
    "withdrawn": "timeout",
}

# This wire has questions only. A call to review is asked as one, with these two answers.
_REVIEW: Mapping[DecisionKind, str] = {"approve": "批准执行", "reject": "拒绝执行"}


class HumanRequest(BaseModel):
    """What an agent asks of a person."""

    request_id: str
    question: str
    question_type: QuestionType
    context: dict[str, JsonValue]
    options: list[dict[str, str]] | None = None
    urgency: Urgency
    status: WireStatus
    created_at: datetime
    answered_at: datetime | None = None
    human_agent_id: str | None = None
    response: str | None = None
    selected_option: str | None = None


def to_wire(request: Request) -> HumanRequest:
    """Return a request on the help desk's wire."""
    review = request.is_review
    return HumanRequest(
        request_id=request.id,
        question=_question(request),
        question_type=request.asks_for,
        context={**request.context, "tool": request.tool, "args": request.args} if review else request.context,
        options=_options(request) or None,
        urgency=request.urgency,
        status=_STATUS[request.status],
        created_at=request.created_at,
        answered_at=request.decided_at,
        human_agent_id=request.decided_by.id or None if request.decided_by else None,
        response=_response(request),
        selected_option=_selected(request),
    )


def decision_from_wire(
    request: Request, *, response: str | None, selected_option: str | None
) -> Approve | Reject | Respond:
    """Return the decision that an answer from the help desk makes of a request."""
    if not request.is_review:
        return Respond(text=response or "", selected_option=selected_option)
    match selected_option:
        case "approve":
            return Approve()
        case "reject":
            return Reject(reason=response or "")
        case None if response and "respond" in request.allowed:
            return Respond(text=response)
        case _:
            raise InvalidDecision(
                f"Request {request.id} asks whether to run {request.tool}; {selected_option!r} does not say.",
                fix="Send selected_option approve or reject, and a reason as `response`.",
                details={"options": [option["id"] for option in _options(request)]},
            )


def _question(request: Request) -> str:
    if request.question:
        return request.question
    shown = json.dumps(request.args, ensure_ascii=False)
    return f"是否执行 {request.tool}({shown})？"


def _options(request: Request) -> list[dict[str, str]]:
    if request.is_review:
        return [{"id": kind, "label": label} for kind, label in _REVIEW.items() if kind in request.allowed]
    return [option.model_dump(exclude_defaults=True) for option in request.options]


def _response(request: Request) -> str | None:
    match request.decision:
        case Respond(text=text, data=None):
            return text or None
        case Respond(data=data):
            return json.dumps(data, ensure_ascii=False)
        case Reject(reason=reason):
            return reason or None
        case Edit(args=args):
            return json.dumps(args, ensure_ascii=False)
        case Approve() | None:
            return None
        case _ as never:
            assert_never(never)


def _selected(request: Request) -> str | None:
    match request.decision:
        case Respond(selected_option=selected):
            return selected
        case Approve() | Edit():
            return "approve"
        case Reject():
            return "reject"
        case None:
            return None
        case _ as never:
            assert_never(never)
