"""Random histories: what sessions, agents, people and the clock may do, as the events that it leaves behind."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import strategies as st

from handraise.core.actors import CLOCK, SERVICE, Actor
from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.core.errors import HandraiseError
from handraise.core.log.facts import (
    EntryUsed,
    Event,
    Fact,
    MessageSent,
    RequestClaimed,
    RequestDecided,
    RequestDoubted,
    RequestExpired,
    RequestOpened,
    RequestReleased,
    RequestSettled,
    RequestWithdrawn,
    SessionCreated,
)
from handraise.core.requests import Request
from handraise.core.sessions import Session
from handraise.store.store import Store, Transaction
from handraise.store.tables.events import Events
from tests.store.samples import ANN, BEN, NOON, a_request, a_session

PROGRAM = Actor(kind="service", id="key_1", channel="api")
PEOPLE = (ANN, ANN, ANN, BEN, PROGRAM)
PAUSES = [timedelta(seconds=s) for s in (0, 1, 1.999999, 2, 58, 60, 60.000001, 900, 3 * 3600, 86_400, 9 * 86_400)]
CAPTURED, WRITTEN = "kb_captured", "kb_written"

QUESTION: dict[str, Any] = {"kind": "question", "allowed": ("respond",), "tool": "ask_human_agent", "args": {}}
ASKED: list[dict[str, Any]] = [
    {"tool": "refund", "agent": "shop"},
    {"tool": "cancel", "args": {"order": "A-1"}, "audience": "customer"},
    {"tool": "cancel", "args": {"order": "A-1", "why": None}},
    {**QUESTION, "question": "When?", "question_type": "information_query", "on_timeout": "ticket"},
    {**QUESTION, "question": "Points?", "question_type": "knowledge_gap", "on_timeout": "self_service"},
    {**QUESTION, "question": "points", "question_type": "knowledge_gap"},
    {**QUESTION, "question": "Which?", "question_type": "decision_required", "agent": "desk"},
    {**QUESTION, "kind": "settlement", "question": "Did it run?", "question_type": "risk_confirmation"},
    {**QUESTION, "question": "Free text"},
]
EDITS: list[dict[str, Any]] = [
    {"order": "A-7", "amount": 10},
    {"order": "A-8", "amount": 10, "note": "less"},
    {"order": "A-1"},
    {"order": "A-1", "why": "late"},
]

Step = tuple[int, int, int, int]
"""A pause, a kind of move, whom or what it concerns, and how."""

_SHORT = st.integers(0, 6)
_ANY = st.integers(0, 35)
_ONE_MOVE = st.tuples(
    _SHORT,
    st.sampled_from([10, 10, 12, 13, 13, 14, 15, 16, 16, 17, 18, 19, 19]),
    st.sampled_from([0, 0, 0, 0, 0, 1, 2]),  # mostly about the request that was opened last
    _ANY,
)
_ONE_LIFE = st.builds(
    lambda before, opened, moves: [before, opened, *moves],
    st.tuples(st.integers(0, len(PAUSES) - 1), st.sampled_from([0, 8, 9]), st.integers(0, 3), _ANY),
    st.tuples(_SHORT, st.just(3), st.integers(0, 3), _ANY),
    st.lists(_ONE_MOVE, min_size=1, max_size=6),
)
steps: st.SearchStrategy[list[Step]] = st.lists(_ONE_LIFE, min_size=2, max_size=12).map(
    lambda lives: [step for life in lives for step in life]
)


@dataclass
class History:
    """Plays steps; what cannot happen does not. Times are the history's own."""

    now: datetime = NOON
    events: list[Event] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    requests: dict[str, Request] = field(default_factory=dict)

    def play(self, taken: Sequence[Step]) -> History:
        for step in taken:
            self.step(*step)
        return self

    def step(self, pause: int, move: int, which: int, how: int) -> None:
        self.now += PAUSES[pause]
        if move <= 2 or not self.sessions:
            self._session(f"agent-{how % 2}")
            return
        session = self.sessions[-1 - which % len(self.sessions)]
        if move <= 7 or not self.requests:
            self._open(session, ASKED[how % len(ASKED)])
        elif move == 8:
            used = EntryUsed(entry_id=(CAPTURED, WRITTEN)[how % 2], query="?")
            self._happened(session.id, used, by=Actor(kind="agent"))
        elif move == 9:
            self._happened(session.id, MessageSent(message_id="m", text="hello"), by=SERVICE)
        else:
            request = list(self.requests.values())[-1 - which % len(self.requests)]
            with contextlib.suppress(HandraiseError):
                self._move(request, move, PEOPLE[how % len(PEOPLE)], how)

    def _session(self, agent: str) -> None:
        name = f"s{len(self.sessions)}"
        session = a_session(name, agent=agent, created_at=self.now, updated_at=self.now)
        self.sessions.append(session)
        self._happened(name, SessionCreated(session=session), by=SERVICE)

    def _open(self, session: Session, asked: dict[str, Any]) -> None:
        name = f"r{len(self.requests):03}"
        request = a_request(name, session_id=session.id, created_at=self.now, **asked)
        self._change(RequestOpened(request=request), by=SERVICE)

    def _move(self, request: Request, move: int, by: Actor, how: int) -> None:
        now = self.now
        match move:
            case 10 | 11:
                claimed = request.claim(by=by, at=now, until=now + timedelta(minutes=2))
                self._change(RequestClaimed(request=claimed), by=by)
            case 12:
                if request.claimed_by is not None:
                    self._change(RequestReleased(request=request.release(by=by, at=now)), by=by)
            case 13 | 14 | 15 | 16:
                given = (Approve(), Edit(args=EDITS[how % 4]), Reject(reason="no"), Respond(text="yes"))[move - 13]
                if given.type not in request.allowed and "respond" in request.allowed:
                    given = Respond(text="yes")
                self._change(RequestDecided(request=request.decide(given, by=by, at=now)), by=by)
            case 17:
                self._change(RequestExpired(request=request.expire(at=now)), by=CLOCK)
            case 18:
                self._change(RequestWithdrawn(request=request.withdraw(by=by, at=now)), by=by)
            case _:
                if request.status == "indeterminate":
                    self._change(RequestSettled(request=request.settle(), settlement="ran"), by=by)
                else:
                    self._change(RequestDoubted(request=request.doubt()), by=SERVICE)

    def _change(self, fact: Any, *, by: Actor) -> None:
        self.requests[fact.request.id] = fact.request
        self._happened(fact.request.session_id, fact, by=by)

    def _happened(self, session_id: str, fact: Fact, *, by: Actor) -> None:
        seq = len(self.events) + 1
        self.events.append(Event(seq=seq, session_id=session_id, session_seq=seq, at=self.now, actor=by, fact=fact))


_ENTRY = (
    "INSERT INTO knowledge_entries (id, question, wordings, answer, tags, language, status, source, created_by, "
    "request_id, uses, version, created_at, updated_at) "
    "VALUES (:id, '', '[]', '', '[]', '', 'draft', '', '{}', :request_id, 0, 1, 0, 0)"
)


async def write(store: Store, history: History) -> None:
    """Put what a history leaves behind, but for its events and their counts, in place of whatever a store had."""

    async def replace(tx: Transaction) -> None:
        for table in ("requests", "sessions", "knowledge_entries"):
            await tx.connection.run(f"DELETE FROM {table}")
        await tx.insights.clear()
        for session in history.sessions:
            await tx.sessions.add(session)
        for request in history.requests.values():
            await tx.requests.open(request)
        for entry, request_id in ((CAPTURED, "r000"), (WRITTEN, None)):
            await tx.connection.run(_ENTRY, {"id": entry, "request_id": request_id})

    await store.write(replace)


@contextmanager
def on_record(history: History) -> Iterator[None]:
    """Let a store's event log be this history's: the log itself stamps events with its own clock."""

    async def since(_: Events, seq: int, *, limit: int = 500) -> list[Event]:
        return history.events[seq : seq + limit]

    async def head(_: Events) -> int:
        return len(history.events)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Events, "since", since)
        patch.setattr(Events, "head", head)
        yield
