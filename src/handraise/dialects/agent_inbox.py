"""Agent inbox: one call with what may be done about it, bare as the decorators send it, or in a list.

Neither form has a word for reject. A call whose review expired or was withdrawn gets a `response` that says so: the
agent reads that text in place of the tool's result, and the tool does not run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, assert_never

from pydantic import BaseModel, Field, JsonValue, RootModel, model_validator

from handraise.core.decisions import Approve, DecisionKind, Edit, Reject, Respond
from handraise.core.digests import digest
from handraise.core.errors import Unspeakable
from handraise.core.requests import Request, request_id
from handraise.dialects.dialect import PauseContext, RawInterrupt, response_text
from handraise.dialects.fields import OptionalText, fits
from handraise.dialects.langchain import EXPIRED, WITHDRAWN


class _ActionRequest(BaseModel):
    action: str
    args: dict[str, JsonValue] = {}


class _Config(BaseModel):
    allow_accept: bool = False
    allow_edit: bool = False
    allow_respond: bool = False

    def allowed(self) -> tuple[DecisionKind, ...]:
        offers: tuple[tuple[DecisionKind, bool], ...] = (
            ("approve", self.allow_accept),
            ("edit", self.allow_edit),
            ("respond", self.allow_respond),
        )
        return tuple(kind for kind, offered in offers if offered)


class _Item(BaseModel):
    action_request: _ActionRequest
    config: _Config
    description: OptionalText = None
    agent: OptionalText = None

    @model_validator(mode="after")
    def _must_be_answerable(self) -> _Item:
        # `allow_ignore` alone leaves nothing that we can say; free form lets a person send the raw answer.
        if not self.config.allowed():
            raise ValueError
        return self


class _Items(RootModel[Annotated[list[_Item], Field(min_length=1)]]):
    pass


class AgentInbox:
    """`{"action_request", "config", "description"}`, answered by `{"type": ..., "args": ...}`."""

    name: ClassVar[str] = "agent_inbox"
    speaks: ClassVar[frozenset[DecisionKind]] = frozenset({"approve", "edit", "respond"})

    def understands(self, value: Any, /) -> bool:
        return fits(_Item, value)

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        return [_approval(self.name, _Item.model_validate(interrupt.value), interrupt.id, 0, asked)]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        (request,) = requests
        return _answer(request, names_action=False)


class AgentInboxList:
    """The same in a list, as the Agent Inbox page has it; there an edit names the action beside its arguments."""

    name: ClassVar[str] = "agent_inbox.list"
    speaks: ClassVar[frozenset[DecisionKind]] = AgentInbox.speaks

    def understands(self, value: Any, /) -> bool:
        return fits(_Items, value)

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        items = _Items.model_validate(interrupt.value).root
        return [_approval(self.name, item, interrupt.id, position, asked) for position, item in enumerate(items)]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        in_order = sorted(requests, key=lambda request: request.position)
        return [_answer(request, names_action=True) for request in in_order]


def _approval(dialect: str, item: _Item, interrupt_id: str, position: int, asked: PauseContext) -> Request:
    tool, args = item.action_request.action, item.action_request.args
    return Request(
        id=request_id(session_id=asked.session_id, interrupt_id=interrupt_id, position=position),
        session_id=asked.session_id,
        run_id=asked.run_id,
        kind="approval",
        dialect=dialect,
        interrupt_id=interrupt_id,
        position=position,
        tool=tool,
        args=args,
        args_schema=asked.schemas.get(tool),
        digest=digest(tool, args),
        description=item.description or "",
        allowed=item.config.allowed(),
        agent=item.agent or asked.agent,
        created_at=asked.at,
    )


def _answer(request: Request, *, names_action: bool) -> dict[str, JsonValue]:
    match request.decision:
        case Approve():
            return {"type": "accept"}
        case Edit(args=args):
            return {"type": "edit", "args": {"action": request.tool, "args": args} if names_action else args}
        case Reject():
            raise Unspeakable(dialect=request.dialect, word="reject")
        case Respond() as answer:
            # Data is what the agent is to read, where a person gave any; else what the person wrote.
            return {"type": "response", "args": response_text(answer) if answer.data is None else answer.data}
        case None:
            return {"type": "response", "args": EXPIRED if request.status == "expired" else WITHDRAWN}
        case _ as never:
            assert_never(never)
