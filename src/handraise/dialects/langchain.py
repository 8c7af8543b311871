"""LangChain's HumanInTheLoopMiddleware: one interrupt for all calls of a turn (batched), or one for each (per call).

Handraise's own gate speaks the same two, and may add fields for people: `tool_call_id`, `schema`, `risk`, `deadline`,
`lineage` and, among agents that hand over, `agent`. Fields that nobody here knows are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, assert_never

from pydantic import AliasChoices, BaseModel, Field, JsonValue

from handraise.core.decisions import DECISION_KINDS, Approve, DecisionKind, Edit, Reject, Respond
from handraise.core.digests import digest
from handraise.core.requests import Request, request_id
from handraise.dialects.dialect import PauseContext, RawInterrupt, response_text
from handraise.dialects.fields import OptionalMoment, OptionalObject, OptionalText, OptionalTexts, fits

EXPIRED = "Nobody reviewed this call in time, so it was not executed."
WITHDRAWN = "The review of this call was withdrawn, so it was not executed."


class _Action(BaseModel):
    name: str
    # LangChain's pages have shown `arguments` where it emits `args`; both are read.
    args: dict[str, JsonValue] = Field(default={}, validation_alias=AliasChoices("args", "arguments"))
    description: OptionalText = None
    tool_call_id: OptionalText = None
    args_schema: OptionalObject = Field(default=None, validation_alias=AliasChoices("args_schema", "schema"))
    risk: JsonValue = None
    deadline: OptionalMoment = None
    lineage: OptionalTexts = None
    agent: OptionalText = None


class _ReviewConfig(BaseModel):
    action_name: str
    # A rule that allows nothing is malformed; it must not be taken for one that allows everything.
    allowed_decisions: Annotated[list[str], Field(min_length=1)] | None = None


class _Batch(BaseModel):
    action_requests: Annotated[list[_Action], Field(min_length=1)]
    review_configs: list[_ReviewConfig] = []


class _ToolApproval(_Action):
    type: Literal["tool_approval"]
    allowed_decisions: list[str] | None = None


class LangChainBatched:
    """`{"action_requests": [...], "review_configs": [...]}`, answered by `{"decisions": [...]}` in the same order."""

    name: ClassVar[str] = "langchain"
    speaks: ClassVar[frozenset[DecisionKind]] = frozenset(DECISION_KINDS)

    def understands(self, value: Any, /) -> bool:
        return fits(_Batch, value)

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        batch = _Batch.model_validate(interrupt.value)
        allowed = {config.action_name: config.allowed_decisions for config in batch.review_configs}
        return [
            _approval(self.name, action, allowed.get(action.name), interrupt.id, position, asked)
            for position, action in enumerate(batch.action_requests)
        ]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        in_order = sorted(requests, key=lambda request: request.position)
        return {"decisions": [_decision(request) for request in in_order]}


class LangChainPerCall:
    """`{"type": "tool_approval", ...}`, answered by one decision."""

    name: ClassVar[str] = "langchain.per_call"
    speaks: ClassVar[frozenset[DecisionKind]] = frozenset(DECISION_KINDS)

    def understands(self, value: Any, /) -> bool:
        return fits(_ToolApproval, value)

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        action = _ToolApproval.model_validate(interrupt.value)
        # LangChain says which decisions it takes only in the schema of the answer.
        allowed = action.allowed_decisions or _kinds_in(interrupt.response_schema)
        return [_approval(self.name, action, allowed, interrupt.id, 0, asked)]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        return _decision(requests[0])


def _kinds_in(response_schema: Any) -> list[str] | None:
    match response_schema:
        case {"discriminator": {"mapping": {**by_kind}}}:
            return [str(kind) for kind in by_kind]
        case {"properties": {"type": {"const": str(kind)}}}:
            return [kind]
        case _:
            return None


def _approval(
    dialect: str, action: _Action, allowed: list[str] | None, interrupt_id: str, position: int, asked: PauseContext
) -> Request:
    notes: dict[str, JsonValue] = {}
    if action.risk is not None:
        notes["risk"] = action.risk
    if action.lineage:
        notes["lineage"] = [*action.lineage]
    return Request(
        id=request_id(session_id=asked.session_id, interrupt_id=interrupt_id, position=position),
        session_id=asked.session_id,
        run_id=asked.run_id,
        kind="approval",
        dialect=dialect,
        interrupt_id=interrupt_id,
        position=position,
        tool=action.name,
        tool_call_id=action.tool_call_id or "",
        args=action.args,
        args_schema=action.args_schema or asked.schemas.get(action.name),
        # Taken over what is shown here, never over what the payload says of itself.
        digest=digest(action.name, action.args),
        description=action.description or "",
        allowed=tuple(kind for kind in DECISION_KINDS if kind in (allowed or DECISION_KINDS)),
        agent=action.agent or (action.lineage[-1] if action.lineage else asked.agent),
        context=notes,
        deadline=action.deadline,
        created_at=asked.at,
    )


def _decision(request: Request) -> dict[str, JsonValue]:
    match request.decision:
        case Approve():
            return {"type": "approve"}
        case Edit(args=args):
            return {"type": "edit", "edited_action": {"name": request.tool, "args": args}}
        case Reject(reason=reason):
            return {"type": "reject", "message": reason} if reason else {"type": "reject"}
        case Respond() as answer:
            return {"type": "respond", "message": response_text(answer)}
        case None:
            return {"type": "reject", "message": EXPIRED if request.status == "expired" else WITHDRAWN}
        case _ as never:
            assert_never(never)
