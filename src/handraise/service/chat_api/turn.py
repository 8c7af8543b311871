"""One turn as messages of the chat routes: from what a customer sent to the end of its run, or to the next pause.

A piece of text that is not stored yet has the id `<event>.<characters>`: after that event, so many characters of the
message in progress were sent. A client that comes back with it gets the rest, not the whole again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import assert_never

from handraise.core.log import facts, installation
from handraise.core.log.facts import (
    Event,
    HandoffMade,
    MessageSent,
    RequestOpened,
    RunFailed,
    RunFinished,
    RunStopped,
    SessionChanged,
    ToolCalled,
    ToolFinished,
)
from handraise.core.requests import Request
from handraise.core.states import SessionStatus
from handraise.engine.desk.customer_texts import Language, customer_text
from handraise.engine.runs.deltas import Delta
from handraise.service.chat_api.frames import (
    ChatFrame,
    ContentFrame,
    ErrorFrame,
    HandoffFrame,
    ThoughtFrame,
    ToolResultFrame,
    WaitingFrame,
    done,
    tool_request,
)
from handraise.service.live.feed import Feed
from handraise.service.live.visibility import for_customer


@dataclass(frozen=True)
class StreamPlace:
    """Where a stream stands: after an event, and so many characters into the message that follows."""

    seq: int
    characters: int = 0

    def __str__(self) -> str:
        return f"{self.seq}.{self.characters}" if self.characters else str(self.seq)


@dataclass
class TurnStream:
    """Follows one run of a session."""

    session_id: str
    run_id: str
    language: Language
    place: StreamPlace
    past: int = 0
    """Up to this event all is history: a pause or an end in it is not the turn's."""
    _sent: dict[str, int] = field(default_factory=dict)
    """How many characters of each message in progress were sent."""
    _stored: set[str] = field(default_factory=set)
    _to_confirm: list[Request] = field(default_factory=list)
    _over: bool = False

    async def follow(self, feed: Feed) -> AsyncIterator[tuple[StreamPlace, ChatFrame]]:
        """Yield the turn's messages, each with the position after it, up to `done`."""
        async with aclosing(feed.session(self.session_id, after=self.place.seq)) as items:
            async for item in items:
                for frame in self._piece(item) if isinstance(item, Delta) else self._frames(item):
                    yield self.place, frame
                if self._over:
                    return

    async def replay(self, feed: Feed) -> AsyncIterator[tuple[StreamPlace, ChatFrame]]:
        """Yield the messages of what is past."""
        if self.place.seq >= self.past:
            return
        async with aclosing(feed.session(self.session_id, after=self.place.seq)) as items:
            async for item in items:
                if isinstance(item, Event):
                    for frame in self._frames(item):
                        yield self.place, frame
                    if item.session_seq >= self.past:
                        return

    def _piece(self, delta: Delta) -> Iterator[ChatFrame]:
        sent = self._sent.get(delta.message_id, self.place.characters)
        if delta.message_id in self._stored or delta.start != sent:
            # Pieces before this one were missed: the stored message, which has them, brings the rest.
            return
        self._sent[delta.message_id] = sent + len(delta.text)
        self.place = StreamPlace(self.place.seq, self._sent[delta.message_id])
        yield ContentFrame(content=delta.text)

    def _frames(self, event: Event) -> Iterator[ChatFrame]:
        before, self.place = self.place, StreamPlace(event.session_seq)
        match event.fact:
            case MessageSent(purpose="waiting"):
                pass  # The `waiting` message says it.
            case MessageSent(message_id=message_id, text=text):
                self._stored.add(message_id)
                rest = text[self._sent.pop(message_id, before.characters) :]
                if rest:
                    yield ContentFrame(content=rest)
            case ToolCalled() | ToolFinished() if for_customer(event.fact) is None:
                self._carry(before)  # What an operator was asked, or answered: the agent tells it in its own words.
            case ToolCalled(tool=tool):
                self._carry(before)
                yield ThoughtFrame(content=customer_text("calling", self.language, tool=tool))
            case ToolFinished() as finished:
                yield ToolResultFrame(
                    tool_call_id=finished.tool_call_id,
                    name=finished.tool,
                    content=finished.content,
                    status=finished.status,
                )
            case RequestOpened(request=request) if request.audience == "customer":
                self._to_confirm.append(request)
            case RequestOpened(request=request):
                yield waiting(request, self.language)
            case HandoffMade(source=source, target=target):
                yield HandoffFrame(source=source, target=target)
            case SessionChanged(status="waiting_for_human" as status):
                if self._to_confirm and not self._is_past():
                    yield tool_request(self.session_id, self._to_confirm)
                self._to_confirm = []
                yield from self._end(status)
            case RunFinished(run_id=self.run_id) | RunStopped(run_id=self.run_id):
                yield from self._end("active")
            case RunFailed(run_id=self.run_id, final=final):
                if not final:
                    yield ThoughtFrame(content=customer_text("retrying", self.language))
                    return
                yield ErrorFrame(code="run_failed", message=customer_text("failed", self.language))
                yield from self._end("error")
            case SessionChanged(status="completed" as status):
                yield from self._end(status)
            case (
                facts.SessionCreated()
                | SessionChanged()
                | facts.SessionTaken()
                | facts.SessionReturned()
                | facts.MessageReceived()
                | RunFinished()
                | RunStopped()
                | RunFailed()
                | facts.RequestClaimed()
                | facts.RequestReleased()
                | facts.RequestDecided()
                | facts.RequestExpired()
                | facts.RequestWithdrawn()
                | facts.RequestReminded()
                | facts.RequestDoubted()
                | facts.RequestSettled()
                | facts.TicketOpened()
                | facts.TicketAnswered()
                | facts.EntryDrafted()
                | facts.EntryPublished()
                | facts.EntryEdited()
                | facts.EntryMerged()
                | facts.EntryRetired()
                | facts.EntryUsed()
                | installation.OperatorAdded()
                | installation.OperatorRemoved()
                | installation.OperatorAdmitted()
                | installation.OperatorDeparted()
                | installation.LinkIssued()
                | installation.KeyAdded()
                | installation.KeyRevoked()
                | installation.TrailExported()
                | installation.SessionForgotten()
                | installation.ContentForgotten()
            ):
                self._carry(before)  # No message of this turn.
            case _ as never:
                assert_never(never)

    def _carry(self, before: StreamPlace) -> None:
        """Keep the count of a message in progress across an event that is not its end."""
        self.place = StreamPlace(self.place.seq, before.characters)

    def _end(self, status: SessionStatus) -> Iterator[ChatFrame]:
        if not self._is_past():
            self._over = True
            yield done(self.session_id, status)

    def _is_past(self) -> bool:
        return self.place.seq <= self.past


def waiting(request: Request, language: Language) -> WaitingFrame:
    """Return the message that says an operator has been asked."""
    return WaitingFrame(request_id=request.id, message=customer_text("waiting", language), deadline=request.deadline)
