"""Events: past-tense facts, each with an actor. They are the transcript, the live feed and the audit trail at once."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from handraise.core.actors import Actor
from handraise.core.effects.ledger import Settlement
from handraise.core.knowledge import Entry
from handraise.core.log.installation import InstallationFact
from handraise.core.requests import Request
from handraise.core.sessions import Session
from handraise.core.states import SessionStatus
from handraise.core.tickets import Ticket


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SessionCreated(_Fact):
    name: Literal["session.created"] = "session.created"
    session: Session


class SessionChanged(_Fact):
    """The session's status moved; `reason` says why when it is not plain from the event before."""

    name: Literal["session.changed"] = "session.changed"
    status: SessionStatus
    reason: str = ""


class MessageReceived(_Fact):
    """A customer wrote."""

    name: Literal["message.received"] = "message.received"
    message_id: str
    run_id: str
    text: str


Purpose = Literal["reply", "waiting", "fallback", "ticket"]
"""Why a customer got a message: in reply, while a request is open, after one expired, or as a ticket's answer."""


class MessageSent(_Fact):
    """The agent, an operator, or the service in their place wrote to the customer.

    What the service writes (`waiting`, `fallback`) is for the customer alone; no agent has it in its history.
    """

    name: Literal["message.sent"] = "message.sent"
    message_id: str
    text: str
    purpose: Purpose = "reply"


class ToolCalled(_Fact):
    """The model proposed a call. Whether it runs is another event."""

    name: Literal["tool.called"] = "tool.called"
    tool_call_id: str
    tool: str
    args: dict[str, JsonValue]
    backstage: bool = False
    """Whether the tool asks an operator: then neither the question nor the answer is for the customer."""


class ToolFinished(_Fact):
    """A call has a result in the conversation, from the tool itself or from a person in its place."""

    name: Literal["tool.finished"] = "tool.finished"
    tool_call_id: str
    tool: str
    status: Literal["success", "error"]
    content: str
    backstage: bool = False


class RequestOpened(_Fact):
    name: Literal["request.opened"] = "request.opened"
    request: Request


class RequestClaimed(_Fact):
    name: Literal["request.claimed"] = "request.claimed"
    request: Request


class RequestReleased(_Fact):
    name: Literal["request.released"] = "request.released"
    request: Request


class RequestDecided(_Fact):
    name: Literal["request.decided"] = "request.decided"
    request: Request


class RequestExpired(_Fact):
    name: Literal["request.expired"] = "request.expired"
    request: Request


class RequestWithdrawn(_Fact):
    name: Literal["request.withdrawn"] = "request.withdrawn"
    request: Request


class RequestReminded(_Fact):
    """The deadline is near and nobody has decided."""

    name: Literal["request.reminded"] = "request.reminded"
    request: Request


class RequestDoubted(_Fact):
    """A crash hid whether the approved effect ran; another request asks a person."""

    name: Literal["request.doubted"] = "request.doubted"
    request: Request


class RequestSettled(_Fact):
    """A person said whether the effect ran."""

    name: Literal["request.settled"] = "request.settled"
    request: Request
    settlement: Settlement


class TicketOpened(_Fact):
    """Nobody answered in time; the question is kept for later."""

    name: Literal["ticket.opened"] = "ticket.opened"
    ticket: Ticket


class TicketAnswered(_Fact):
    name: Literal["ticket.answered"] = "ticket.answered"
    ticket: Ticket


class SessionTaken(_Fact):
    """An operator talks to the customer from now on."""

    name: Literal["session.taken"] = "session.taken"
    operator: str


class SessionReturned(_Fact):
    """The agent talks to the customer again, with what was said in between in its history."""

    name: Literal["session.returned"] = "session.returned"
    operator: str


class HandoffMade(_Fact):
    """The conversation moved from one agent to another."""

    name: Literal["handoff.made"] = "handoff.made"
    source: str
    target: str


class RunStopped(_Fact):
    """A person ended a run before it came to its end."""

    name: Literal["run.stopped"] = "run.stopped"
    run_id: str


class RunFailed(_Fact):
    """A run gave up; `final` is false when it will be tried again."""

    name: Literal["run.failed"] = "run.failed"
    run_id: str
    error: str
    final: bool


class RunFinished(_Fact):
    name: Literal["run.finished"] = "run.finished"
    run_id: str


class EntryDrafted(_Fact):
    """An entry of the knowledge base was written; `entry.request_id` names the answer it was captured from."""

    name: Literal["entry.drafted"] = "entry.drafted"
    entry: Entry


class EntryPublished(_Fact):
    name: Literal["entry.published"] = "entry.published"
    entry: Entry


class EntryEdited(_Fact):
    name: Literal["entry.edited"] = "entry.edited"
    entry: Entry


class EntryMerged(_Fact):
    """An entry was retired in favour of `entry.merged_into`, which answers for both."""

    name: Literal["entry.merged"] = "entry.merged"
    entry: Entry


class EntryRetired(_Fact):
    name: Literal["entry.retired"] = "entry.retired"
    entry: Entry


class EntryUsed(_Fact):
    """An agent was given an entry as a passage for its answer."""

    name: Literal["entry.used"] = "entry.used"
    entry_id: str
    query: str


Fact = Annotated[
    SessionCreated
    | SessionChanged
    | MessageReceived
    | MessageSent
    | ToolCalled
    | ToolFinished
    | RequestOpened
    | RequestClaimed
    | RequestReleased
    | RequestDecided
    | RequestExpired
    | RequestWithdrawn
    | RequestReminded
    | RequestDoubted
    | RequestSettled
    | TicketOpened
    | TicketAnswered
    | SessionTaken
    | SessionReturned
    | HandoffMade
    | RunStopped
    | RunFailed
    | RunFinished
    | EntryDrafted
    | EntryPublished
    | EntryEdited
    | EntryMerged
    | EntryRetired
    | EntryUsed
    | InstallationFact,
    Field(discriminator="name"),
]

ABOUT_A_REQUEST = (
    RequestOpened,
    RequestClaimed,
    RequestReleased,
    RequestDecided,
    RequestExpired,
    RequestWithdrawn,
    RequestReminded,
    RequestDoubted,
    RequestSettled,
)
"""The facts that carry a request as it was after them."""

ABOUT_AN_ENTRY = (EntryDrafted, EntryPublished, EntryEdited, EntryMerged, EntryRetired, EntryUsed)
"""The facts about the knowledge base; a customer never sees them."""
ABOUT_A_TICKET = (TicketOpened, TicketAnswered)
"""The facts that carry a ticket as it was after them."""

facts: TypeAdapter[Fact] = TypeAdapter(Fact)
"""Reads and writes any fact."""


class Event(BaseModel):
    """A fact as it was stored. `seq` numbers all events without gaps, `session_seq` those of one session."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seq: int
    session_id: str
    session_seq: int
    at: datetime
    actor: Actor
    fact: Fact
