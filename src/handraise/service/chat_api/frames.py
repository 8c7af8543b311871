"""The messages of the chat routes, by type."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, RootModel

from handraise.core.decisions import DecisionKind
from handraise.core.requests import Request
from handraise.core.states import SessionStatus

DoneStatus = Literal["active", "waiting_for_human", "completed", "error"]


class SessionFrame(BaseModel):
    """The first message. `token` proves that you are this session's customer; only a new session has one."""

    type: Literal["session"] = "session"
    thread_id: str
    token: str | None = Field(None, exclude_if=lambda token: token is None)


class ThoughtFrame(BaseModel):
    """What the agent is about to do."""

    type: Literal["thought"] = "thought"
    content: str


class ContentFrame(BaseModel):
    """A piece of what the agent says; put the pieces together."""

    type: Literal["content"] = "content"
    content: str


class ToolCallShown(BaseModel):
    """A call to confirm, exactly as it would run; `schema` describes its arguments."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    id: str
    request_id: str
    name: str
    args: dict[str, JsonValue]
    description: str
    args_schema: dict[str, JsonValue] | None = Field(alias="schema")
    allowed: tuple[DecisionKind, ...]
    digest: str
    deadline: datetime | None


class ToolRequestFrame(BaseModel):
    """The customer is asked to confirm; answer at /continue_thread."""

    type: Literal["tool_request"] = "tool_request"
    thread_id: str
    tool_calls: list[ToolCallShown]


class ToolResultFrame(BaseModel):
    """A call has a result; `status` is `error` when it failed or was not executed."""

    type: Literal["tool_result"] = "tool_result"
    tool_call_id: str
    name: str
    content: str
    status: Literal["success", "error"]


class WaitingFrame(BaseModel):
    """An operator has been asked. `message` is for the customer to read meanwhile."""

    type: Literal["waiting"] = "waiting"
    request_id: str
    message: str
    deadline: datetime | None


class HandoffFrame(BaseModel):
    """The conversation moved from one agent to another."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    type: Literal["handoff"] = "handoff"
    source: str = Field(alias="from")
    target: str = Field(alias="to")


class ErrorFrame(BaseModel):
    """Something went wrong after the stream began."""

    type: Literal["error"] = "error"
    code: str
    message: str


class DoneFrame(BaseModel):
    """The last message."""

    type: Literal["done"] = "done"
    thread_id: str
    status: DoneStatus


ChatFrame = Annotated[
    SessionFrame
    | ThoughtFrame
    | ContentFrame
    | ToolRequestFrame
    | ToolResultFrame
    | WaitingFrame
    | HandoffFrame
    | ErrorFrame
    | DoneFrame,
    Field(discriminator="type"),
]


class ChatMessageFrame(RootModel[ChatFrame]):
    """One message of a stream."""


class ChatAnswer(BaseModel):
    """The whole answer at once, for a client that asked for JSON: the text, and every message of the stream."""

    thread_id: str
    token: str | None = Field(None, exclude_if=lambda token: token is None)
    status: DoneStatus
    content: str
    messages: list[ChatFrame]


def tool_request(thread_id: str, requests: Sequence[Request]) -> ToolRequestFrame:
    """Return the message that asks the customer to confirm calls."""
    return ToolRequestFrame(
        thread_id=thread_id,
        tool_calls=[
            ToolCallShown(
                id=request.tool_call_id,
                request_id=request.id,
                name=request.tool,
                args=request.args,
                description=request.description,
                args_schema=request.args_schema,
                allowed=request.allowed,
                digest=request.digest,
                deadline=request.deadline,
            )
            for request in requests
        ],
    )


def done(thread_id: str, status: SessionStatus) -> DoneFrame:
    """Return the last message. There is no word for a timeout: the conversation simply goes on."""
    return DoneFrame(thread_id=thread_id, status="active" if status == "timeout" else status)


def answer_of(frames: Sequence[ChatFrame]) -> ChatAnswer:
    """Put a whole stream into one answer."""
    first, last = frames[0], frames[-1]
    if not isinstance(first, SessionFrame) or not isinstance(last, DoneFrame):
        raise TypeError("a stream begins with `session` and ends with `done`")
    return ChatAnswer(
        thread_id=first.thread_id,
        token=first.token,
        status=last.status,
        content="".join(frame.content for frame in frames if isinstance(frame, ContentFrame)),
        messages=list(frames),
    )
