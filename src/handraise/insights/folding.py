"""Folding: what each event adds to the counts. It neither waits nor reads: what it must know is loaded before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from handraise.core.actors import Actor
from handraise.core.log.facts import (
    EntryUsed,
    Event,
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
from handraise.insights.counted import is_counted
from handraise.knowledge.questions import is_for_people, key_of
from handraise.store.connection import to_us
from handraise.store.measures import (
    QUARTER,
    QUICK,
    TARGET,
    Dimension,
    RequestFacts,
    Wait,
    bucket_of,
    lapse_of,
)
from handraise.store.tables.counts import Cell, Counts, Edited

ABOUT_REQUESTS = (
    RequestOpened,
    RequestClaimed,
    RequestReleased,
    RequestDecided,
    RequestExpired,
    RequestWithdrawn,
    RequestDoubted,
    RequestSettled,
)


@dataclass(kw_only=True)
class Known:
    """What was recorded before the events that are folded next."""

    facts: dict[str, RequestFacts] = field(default_factory=dict)
    sessions: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    assisted: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)


class Fold:
    """Takes events in their order; then `counts`, `changed` and `edits` are what there is to write."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self.counts: dict[Cell, Counts] = {}
        self.changed: dict[str, RequestFacts] = {}
        self.edits: list[Edited] = []

    def take(self, event: Event) -> None:
        """Add what an event says."""
        fact = event.fact
        if not is_counted(fact):
            return
        match fact:
            case SessionCreated(session=session):
                at = _us(session.created_at)
                self._count("all", "", at, "sessions")
                self._count("agent", session.agent, at, "sessions")
            case EntryUsed(entry_id=entry_id):
                self._count("all", "", _us(event.at), "uses")
                if entry_id in self._known.captured:
                    self._count("all", "", _us(event.at), "reuses")
            case RequestOpened(request=request):
                if request.audience == "operator":
                    self._open(request)
            case RequestClaimed(request=request):
                self._claim(request, by=who(event.actor), at=_us(event.at))
            case RequestReleased(request=request):
                if (facts := self._facts(request)) is not None:
                    facts.held_by = facts.held_since = None
            case RequestDecided(request=request):
                self._decide(request)
            case RequestExpired(request=request) | RequestWithdrawn(request=request):
                self._close_unanswered(request, expired=isinstance(fact, RequestExpired))
            case RequestDoubted(request=request):
                facts = self._facts(request)
                if facts is not None and not facts.doubted:
                    facts.doubted = True
                    self._count_request(facts, "doubted")
            case RequestSettled(request=request):
                facts = self._facts(request)
                if facts is not None and not facts.settled:
                    facts.settled = True
                    self._count_request(facts, "settled")
            case _ as never:
                assert_never(never)

    def _open(self, request: Request) -> None:
        if request.id in self._known.facts:
            return
        created = _us(request.created_at)
        began, agent = self._known.sessions.get(request.session_id, (created, ""))
        key = key_of(request) if is_for_people(request) else None
        facts = RequestFacts(
            request_id=request.id,
            session_id=request.session_id,
            session_created_at=began,
            created_at=created,
            type=request.asks_for,
            tool=request.tool,
            agent=request.agent or agent,
            question_key=key,
            first=request.session_id not in self._known.assisted,
            repeated=key is not None and key in self._known.asked,
        )
        self._known.facts[request.id] = self.changed[request.id] = facts
        self._count_request(facts, "opened")
        if facts.first:
            self._known.assisted.add(request.session_id)
            self._count("all", "", began, "assisted")
            self._count("agent", agent, began, "assisted")
        if facts.repeated:
            self._count_request(facts, "repeated")
        if key is not None:
            self._known.asked.add(key)

    def _claim(self, request: Request, *, by: str, at: int) -> None:
        facts = self._facts(request)
        if facts is None or facts.outcome != "open":
            return
        if facts.held_by != by:  # claiming again only renews it
            facts.held_by, facts.held_since = by, at
        if facts.claimed_by is None:
            facts.claimed_by = by
            self._count_request(facts, "claimed")
            self._wait(facts, "claim", at - facts.created_at)
            self._count("operator", by, facts.created_at, "claimed")

    def _decide(self, request: Request) -> None:
        facts = self._facts(request)
        if facts is None or facts.outcome != "open" or request.decision is None or request.decided_by is None:
            return
        at, by = _us(request.decided_at), who(request.decided_by)
        response = max(0, at - facts.created_at)
        facts.outcome, facts.closed_at, facts.decided_by = request.decision.type, at, by
        facts.speed = "in_time" if response <= TARGET else "late"
        self._count_request(facts, facts.outcome)
        self._wait(facts, "response", response)
        looked = response
        if facts.held_by == by and facts.held_since is not None:
            looked = max(0, at - facts.held_since)
            self._wait(facts, "handling", looked)
        if request.decided_by.kind == "operator" and looked < QUICK:
            facts.quick = True
            self._count_request(facts, "quick")
        for name in request.edited_fields:
            self._count("field", json.dumps([facts.tool, name]), facts.created_at, "edit")
            self.edits.append(
                Edited(tool=facts.tool, field=name, created_at=facts.created_at, request_id=facts.request_id)
            )

    def _close_unanswered(self, request: Request, *, expired: bool) -> None:
        facts = self._facts(request)
        if facts is None or facts.outcome != "open":
            return
        facts.closed_at = _us(request.decided_at)
        if expired:
            facts.outcome, facts.lapse, facts.speed = "expired", lapse_of(request), "none"
            self._count_request(facts, f"expired_{facts.lapse}")
            return
        facts.outcome = "withdrawn"
        self._count_request(facts, "withdrawn")
        if facts.closed_at - facts.created_at >= TARGET:
            facts.speed = "none"
            self._count_request(facts, "given_up")

    def _facts(self, request: Request) -> RequestFacts | None:
        facts = self._known.facts.get(request.id)
        if facts is not None:
            self.changed[request.id] = facts
        return facts

    def _wait(self, facts: RequestFacts, wait: Wait, length: int) -> None:
        length = max(0, length)
        self._count_request(facts, f"{wait}_{bucket_of(length)}")
        self._count_request(facts, f"{wait}_us", length)

    def _count_request(self, facts: RequestFacts, measure: str, by: int = 1) -> None:
        self._count("all", "", facts.created_at, measure, by)
        self._count("type", facts.type, facts.created_at, measure, by)
        self._count("tool", facts.tool, facts.created_at, measure, by)
        self._count("agent", facts.agent, facts.created_at, measure, by)
        if facts.decided_by is not None:
            self._count("operator", facts.decided_by, facts.created_at, measure, by)

    def _count(self, dimension: Dimension, value: str, at: int, measure: str, by: int = 1) -> None:
        counts = self.counts.setdefault(Cell(dimension, value, at - at % QUARTER), {})
        counts[measure] = counts.get(measure, 0) + by


def who(actor: Actor) -> str:
    """Return whose decision or claim it was: an operator's id, or what else it was that decided."""
    match actor.kind:
        case "operator":
            return actor.id
        case "service":
            return f"key:{actor.id}"
        case "customer" | "agent" | "clock":
            return f"{actor.kind}:"
        case _ as never:
            assert_never(never)


def _us(time: datetime | None) -> int:
    us = to_us(time)
    if us is None:
        raise TypeError("a request that is closed says when")
    return us
