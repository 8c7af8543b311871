"""Notices: what is worth telling people who do not look at the console."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from handraise.core.log.facts import Event, RequestOpened, RequestReminded
from handraise.core.requests import Request, RequestKind, Urgency

Occasion = Literal["new", "urgent", "soon_due"]


class Notice(BaseModel):
    """One thing to tell. It says what waits, not what the customer said or what would run: channels are not private."""

    event: Literal["request.new", "request.urgent", "request.soon_due"]
    seq: int
    request_id: str
    session_id: str
    kind: RequestKind
    tool: str
    question: str
    urgency: Urgency
    created_at: datetime
    deadline: datetime | None
    link: str

    def title(self) -> str:
        """Return a line for people."""
        what = {"request.new": "New request", "request.urgent": "Urgent", "request.soon_due": "Due soon"}[self.event]
        return f"{what}: {self.tool or 'a question'}"

    def body(self) -> str:
        """Return what to do about it, for people."""
        due = f"\nDue {self.deadline:%Y-%m-%d %H:%M:%S} UTC" if self.deadline else ""
        return f"{self.question or f'An agent wants to run {self.tool}.'}{due}\n{self.link}"


def notice_of(event: Event, *, tell: Collection[Occasion], address: str) -> Notice | None:
    """Return what to tell about an event, if it is one of the occasions to tell."""
    match event.fact:
        case RequestOpened(request=request) if request.audience == "operator":
            if request.urgency == "high" and "urgent" in tell:
                return _notice("request.urgent", event, request, address)
            return _notice("request.new", event, request, address) if "new" in tell else None
        case RequestReminded(request=request) if request.audience == "operator" and "soon_due" in tell:
            return _notice("request.soon_due", event, request, address)
        case _:
            return None


def _notice(
    name: Literal["request.new", "request.urgent", "request.soon_due"], event: Event, request: Request, address: str
) -> Notice:
    return Notice(
        event=name,
        seq=event.seq,
        request_id=request.id,
        session_id=request.session_id,
        kind=request.kind,
        tool=request.tool,
        question=request.question,
        urgency=request.urgency,
        created_at=request.created_at,
        deadline=request.deadline,
        link=f"{address}/console/requests/{request.id}",
    )
