"""The numbers, plainly: every definition of docs/insights.md as a sentence over the whole list of events.

It shares nothing with what is counted but the bounds of the histograms and how a percentile is read from one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from handraise.core.decisions import Edit
from handraise.core.log.facts import (
    ABOUT_A_REQUEST,
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
from handraise.insights.figures import percentile
from handraise.store.measures import BOUNDS
from tests.insights.histories import CAPTURED

MINUTE = timedelta(seconds=60)


@dataclass
class Life:
    """Everything that happened to one request."""

    opened: Request
    session: SessionCreated
    is_first: bool
    is_repeated: bool
    claims: list[Event] = field(default_factory=list)
    end: Any = None
    doubted: bool = False
    settled: bool = False
    holder: str | None = None
    since: datetime | None = None

    @property
    def agent(self) -> str:
        return self.opened.agent or self.session.session.agent

    @property
    def type(self) -> str:
        kind = self.opened.question_type
        return kind or ("risk_confirmation" if self.opened.kind == "approval" else "information_query")

    @property
    def decision(self) -> Any:
        return self.end.request.decision if isinstance(self.end, RequestDecided) else None

    @property
    def decider(self) -> str | None:
        by = self.end.request.decided_by if self.decision else None
        return None if by is None else by.id if by.kind == "operator" else f"key:{by.id}"

    @property
    def claimer(self) -> str | None:
        by = self.claims[0].actor if self.claims else None
        return None if by is None else by.id if by.kind == "operator" else f"key:{by.id}"

    @property
    def length(self) -> timedelta:
        return self.end.request.decided_at - self.opened.created_at  # type: ignore[no-any-return]

    @property
    def looked(self) -> timedelta | None:
        """How long the one who decided had it claimed."""
        if self.decision and self.holder == self.decider and self.since is not None:
            return self.end.request.decided_at - self.since  # type: ignore[no-any-return]
        return None

    @property
    def is_quick(self) -> bool:
        if not self.decision or self.end.request.decided_by.kind != "operator":
            return False
        return (self.length if self.looked is None else self.looked) < timedelta(seconds=2)

    def is_unanswered(self, now: datetime) -> bool:
        match self.end:
            case None:
                return now - self.opened.created_at >= MINUTE
            case RequestExpired():
                return True
            case RequestWithdrawn():
                return self.length >= MINUTE
            case _:
                return False

    @property
    def lapse(self) -> str:
        asked = self.opened
        return asked.on_timeout if asked.kind == "question" else "none"

    def edited(self) -> list[str]:
        if not isinstance(self.decision, Edit):
            return []
        before = {name: json.dumps(value) for name, value in self.opened.args.items()}
        after = {name: json.dumps(value) for name, value in self.decision.args.items()}
        return sorted({name for name, _ in before.items() ^ after.items()})


@dataclass
class Plainly:
    """All lives, sessions and uses of a history."""

    lives: list[Life]
    sessions: list[SessionCreated]
    uses: list[Event]

    @classmethod
    def of(cls, events: Sequence[Event]) -> Plainly:
        lives: dict[str, Life] = {}
        sessions = {e.session_id: e.fact for e in events if isinstance(e.fact, SessionCreated)}
        asked: list[str] = []
        for event in events:
            fact = event.fact
            if isinstance(fact, RequestOpened) and fact.request.audience == "operator":
                request = fact.request
                key = _key(request)
                first = all(life.opened.session_id != request.session_id for life in lives.values())
                lives[request.id] = Life(request, sessions[request.session_id], first, key is not None and key in asked)
                asked += [key] if key else []
            if not isinstance(fact, ABOUT_A_REQUEST) or (life := lives.get(fact.request.id)) is None:
                continue
            match fact:
                case RequestClaimed():
                    life.claims.append(event)
                    by = life.claimer if len(life.claims) == 1 else _label(event)
                    if life.holder != by:
                        life.holder, life.since = by, event.at
                case RequestReleased():
                    life.holder = life.since = None
                case RequestDecided() | RequestExpired() | RequestWithdrawn():
                    life.end = fact
                case RequestDoubted():
                    life.doubted = True
                case RequestSettled():
                    life.settled = True
                case _:
                    pass
        return cls(list(lives.values()), list(sessions.values()), [e for e in events if isinstance(e.fact, EntryUsed)])

    def within(self, start: datetime, end: datetime) -> Plainly:
        """Return what began in a span of time; whether a session was assisted is known from all of its lives."""
        return Plainly(
            [life for life in self.lives if start <= life.opened.created_at < end],
            [session for session in self.sessions if start <= session.session.created_at < end],
            [use for use in self.uses if start <= use.at < end],
        )

    def only(self, is_one: Callable[[Life], bool]) -> Plainly:
        return Plainly([life for life in self.lives if is_one(life)], [], [])

    def figures(self, now: datetime, *, assisted: Iterable[Life]) -> dict[str, Any]:
        """Return the figures. `assisted` are the lives that may have begun in these sessions."""
        lives = self.lives
        helped = {life.opened.session_id for life in assisted} & {each.session.id for each in self.sessions}
        decisions = Counter(life.decision.type for life in lives if life.decision)
        lapses = Counter(life.lapse for life in lives if isinstance(life.end, RequestExpired))
        kinds = ("approve", "edit", "reject", "respond")
        fallbacks = ("inform", "ticket", "self_service", "none")
        return {
            "sessions": len(self.sessions),
            "assisted": len(helped),
            "assist_rate": len(helped) / len(self.sessions) if self.sessions else None,
            "opened": len(lives),
            "open": sum(life.end is None for life in lives),
            "claimed": sum(bool(life.claims) for life in lives),
            "decided": sum(life.decision is not None for life in lives),
            "decisions": {kind: decisions[kind] for kind in kinds},
            "expired": sum(isinstance(life.end, RequestExpired) for life in lives),
            "lapses": {lapse: lapses[lapse] for lapse in fallbacks},
            "withdrawn": sum(isinstance(life.end, RequestWithdrawn) for life in lives),
            "doubted": sum(life.doubted for life in lives),
            "settled": sum(life.settled for life in lives),
            "quick": sum(life.is_quick for life in lives),
            "repeated": sum(life.is_repeated for life in lives),
            "uses": len(self.uses),
            "reuses": sum(isinstance(use.fact, EntryUsed) and use.fact.entry_id == CAPTURED for use in self.uses),
            "response": _waiting(
                [life.length for life in lives if life.decision], sum(life.is_unanswered(now) for life in lives)
            ),
            "claim": _waiting([life.claims[0].at - life.opened.created_at for life in lives if life.claims]),
            "handling": _waiting([life.looked for life in lives if life.looked is not None]),
        }

    def by_day(self, zone: ZoneInfo, now: datetime, everything: Plainly) -> dict[str, dict[str, Any]]:
        """Return the figures of each day of the zone on which anything began."""

        def day(moment: datetime) -> str:
            return moment.astimezone(zone).date().isoformat()

        days = {day(life.opened.created_at) for life in self.lives}
        days |= {day(each.session.created_at) for each in self.sessions} | {day(use.at) for use in self.uses}
        return {
            one: Plainly(
                [life for life in self.lives if day(life.opened.created_at) == one],
                [each for each in self.sessions if day(each.session.created_at) == one],
                [use for use in self.uses if day(use.at) == one],
            ).figures(now, assisted=everything.lives)
            | {"claim": None, "handling": None}
            for one in days
        }

    def edits(self) -> list[dict[str, Any]]:
        found = Counter((life.opened.tool, name) for life in self.lives for name in life.edited())
        listed = [{"tool": tool, "field": name, "edits": count} for (tool, name), count in found.items()]
        return sorted(listed, key=lambda each: (-each["edits"], each["tool"], each["field"]))


def _waiting(lengths: Sequence[timedelta], unanswered: int = 0) -> dict[str, Any]:
    us = [length // timedelta(microseconds=1) for length in lengths]
    edges = [-1, *BOUNDS, max([*us, BOUNDS[-1]]) + 1]
    buckets = [sum(low < each <= high for each in us) for low, high in pairwise(edges)]
    return {
        "count": len(us) + unanswered,
        "unanswered": unanswered,
        "in_time": sum(length <= MINUTE for length in lengths),
        **{f"p{share}": percentile(buckets, unanswered, share / 100) for share in (50, 90, 95)},
        "mean": sum(us) / len(us) / 1_000_000 if us else None,
        "buckets": buckets,
    }


def _key(request: Request) -> str | None:
    """Return what two of the histories' questions have in common when they ask the same."""
    if request.kind != "question":
        return None
    return f"{request.question_type} {request.question.strip('?').lower()}"


def _label(event: Event) -> str:
    return event.actor.id if event.actor.kind == "operator" else f"key:{event.actor.id}"
