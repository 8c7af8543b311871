"""Chat agent: the tool calls that a static breakpoint (`interrupt_before=["tools"]`) stopped before.

LangGraph gives such a pause no value, so whoever drives the agent states one: `{"tool_calls": [{"id", "name", ...}]}`.
The answer is that of the chat routes: `{"approved": true, "tool_calls": [...]}` lists exactly what runs, changed where
it was edited. It has one `approved` for the whole turn. The calls that do not run are therefore listed apart, under
`rejected`, where a reader that knows only the documented fields does not look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, assert_never

from pydantic import BaseModel, Field, JsonValue, StrictBool, ValidationError

from handraise.core.decisions import Approve, DecisionKind, Edit, Reject, Respond
from handraise.core.digests import digest
from handraise.core.errors import InvalidDecision, Unspeakable
from handraise.core.requests import Request, request_id
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.fields import OptionalText, fits
from handraise.dialects.langchain import EXPIRED, WITHDRAWN


class _Call(BaseModel):
    id: OptionalText = None
    name: str
    args: dict[str, JsonValue] = {}


class _CallToRun(BaseModel):
    id: OptionalText = None
    name: str
    args: dict[str, JsonValue] | None = None
    """None for the arguments that were shown."""


class _Rejected(BaseModel):
    id: OptionalText = None
    name: str
    reason: str = ""


class _ToolCalls(BaseModel):
    tool_calls: Annotated[list[_Call], Field(min_length=1)]


class _Answer(BaseModel):
    approved: StrictBool
    tool_calls: list[_CallToRun] | None = None
    reason: str = ""
    rejected: list[_Rejected] = []


class ChatAgent:
    """`{"tool_calls": [...]}`, answered by `{"approved": ..., "tool_calls": [...]}`."""

    name: ClassVar[str] = "chat_agent"
    speaks: ClassVar[frozenset[DecisionKind]] = frozenset({"approve", "edit", "reject"})

    def understands(self, value: Any, /) -> bool:
        return fits(_ToolCalls, value)

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        calls = _ToolCalls.model_validate(interrupt.value).tool_calls
        return [_approval(call, interrupt.id, position, asked) for position, call in enumerate(calls)]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        runs: list[JsonValue] = []
        rejected: list[JsonValue] = []
        for request in sorted(requests, key=lambda request: request.position):
            match request.decision:
                case Approve():
                    runs.append(_call(request, request.args))
                case Edit(args=args):
                    runs.append(_call(request, args))
                case Reject(reason=reason):
                    rejected.append({"id": request.tool_call_id, "name": request.tool, "reason": reason})
                case None:
                    reason = EXPIRED if request.status == "expired" else WITHDRAWN
                    rejected.append({"id": request.tool_call_id, "name": request.tool, "reason": reason})
                case Respond():
                    raise Unspeakable(dialect=self.name, word="respond")
                case _ as never:
                    assert_never(never)
        answer: dict[str, JsonValue] = {"approved": bool(runs), "tool_calls": runs}
        return {**answer, "rejected": rejected} if rejected else answer


def read_answer(answer: Any, /, *, requests: Sequence[Request]) -> Mapping[str, Approve | Edit | Reject]:
    """Read the customer's answer into a decision for each request that it speaks of, by request id.

    `approved` alone speaks of every request; with `tool_calls`, of those that they name. A call is matched by its id;
    without one, by its name, in order. A call without arguments, or with those that were shown, runs as it is.
    """
    try:
        read = _Answer.model_validate(answer)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InvalidDecision(
            f"The answer does not fit: {'.'.join(map(str, first['loc'])) or 'the answer'}: {first['msg']}.",
            fix='Send {"approved": true or false, "tool_calls": [{"id", "name", "args"}]}.',
        ) from None
    waiting = sorted(requests, key=lambda request: request.position)
    decisions: dict[str, Approve | Edit | Reject] = {}
    for refusal in read.rejected:
        decisions[_take(refusal, waiting).id] = Reject(reason=refusal.reason)
    if not read.approved:
        refused = [_take(call, waiting) for call in read.tool_calls] if read.tool_calls else waiting
        return decisions | {request.id: Reject(reason=read.reason) for request in refused}
    if read.tool_calls is None:
        return decisions | {request.id: Approve() for request in waiting}
    if not read.tool_calls:
        raise InvalidDecision(
            "The answer approves, and its list of `tool_calls` is empty, so it names no call that shall run.",
            fix="List the calls that shall run, leave `tool_calls` out to run all of them, or send `approved: false`.",
        )
    for call in read.tool_calls:
        request = _take(call, waiting)
        decisions[request.id] = Approve() if _is_unchanged(call, request) else Edit(args=call.args or {})
    return decisions


def _is_unchanged(call: _CallToRun, request: Request) -> bool:
    """Return whether a call is the one that was shown; its sensitive arguments were shown masked."""
    if call.args is None:
        return True
    return digest(request.tool, call.args) in {request.digest, digest(request.tool, request.args)}


def _take(named: _CallToRun | _Rejected, waiting: list[Request]) -> Request:
    """Remove and return the waiting request that an answer speaks of."""
    for request in waiting:
        same = request.tool_call_id == named.id if named.id else request.tool == named.name
        if same and request.tool == named.name:
            waiting.remove(request)
            return request
    raise InvalidDecision(
        f"No waiting call matches {named.name!r} with id {named.id!r}.",
        fix="Answer the calls of the last `tool_request`, each once, under their own ids and names.",
        details={"waiting": [{"id": request.tool_call_id, "name": request.tool} for request in waiting]},
    )


def _call(request: Request, args: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {"id": request.tool_call_id, "name": request.tool, "args": args}


def _approval(call: _Call, interrupt_id: str, position: int, asked: PauseContext) -> Request:
    return Request(
        id=request_id(session_id=asked.session_id, interrupt_id=interrupt_id, position=position),
        session_id=asked.session_id,
        run_id=asked.run_id,
        kind="approval",
        dialect=ChatAgent.name,
        interrupt_id=interrupt_id,
        position=position,
        tool=call.name,
        tool_call_id=call.id or "",
        args=call.args,
        args_schema=asked.schemas.get(call.name),
        digest=digest(call.name, call.args),
        allowed=("approve", "edit", "reject"),
        agent=asked.agent,
        created_at=asked.at,
    )
