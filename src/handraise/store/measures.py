"""What is counted of requests and sessions, and where each count belongs. `docs/insights.md` defines every number.

Every count belongs to the quarter of an hour in which its request was opened (its session, for sessions). The clocks
of all zones differ from UTC by whole quarters, so hours and days of any zone are whole numbers of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never, get_args

from handraise.core.decisions import DecisionKind
from handraise.core.requests import QuestionType, Request

SECOND = 1_000_000
"""Times are whole microseconds, as the database keeps them."""

GRAINS = (900 * SECOND, 3_600 * SECOND, 14_400 * SECOND, 86_400 * SECOND, 32 * 86_400 * SECOND)
"""The lengths that counts are kept for: a quarter of an hour, an hour, four, a day, 32 days, each from 1970 on."""

QUARTER = GRAINS[0]
TARGET = 60 * SECOND
"""How soon a person should have answered."""

QUICK = 2 * SECOND
"""A decision sooner than this was hardly a look."""

BOUNDS = tuple(
    seconds * SECOND for seconds in (2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 300, 600, 1_800, 3_600, 14_400, 86_400)
)
"""Where the buckets of the histograms end, each with its bound inside; one more bucket has no end."""

Dimension = Literal["all", "type", "tool", "agent", "operator", "field"]
Wait = Literal["response", "claim", "handling"]
"""From opened to decided, from opened to the first claim, from the decider's claim to the decision."""

Lapse = Literal["inform", "ticket", "self_service", "none"]
"""What came in place of an answer; none where nothing was to come, such as for a call, which is then not run."""

Outcome = DecisionKind | Literal["open", "expired", "withdrawn"]
Speed = Literal["in_time", "late", "none"]
"""Answered within the target, answered later, never answered."""

TYPES: tuple[QuestionType, ...] = get_args(QuestionType)
WAITS: tuple[Wait, ...] = get_args(Wait)
LAPSES: tuple[Lapse, ...] = get_args(Lapse)
DECISIONS: tuple[DecisionKind, ...] = get_args(DecisionKind)

COUNTED = (
    "sessions", "assisted", "opened", "claimed", *DECISIONS, *(f"expired_{lapse}" for lapse in LAPSES), "withdrawn",
    "given_up", "doubted", "settled", "quick", "repeated", "uses", "reuses",
)  # fmt: skip
"""What is counted. `given_up` are those withdrawn unanswered after the target had passed."""

MEASURES = (
    *COUNTED,
    *(f"{wait}_us" for wait in WAITS),
    *(f"{wait}_{bucket}" for wait in WAITS for bucket in range(len(BOUNDS) + 1)),
)
"""Every column of counts: also the sum and the buckets of each wait."""


@dataclass(kw_only=True, slots=True)
class RequestFacts:
    """What is counted of one request, so that a list can find it again. Times are microseconds."""

    request_id: str
    session_id: str
    session_created_at: int
    created_at: int
    type: QuestionType
    tool: str
    agent: str
    question_key: str | None = None
    first: bool = False
    repeated: bool = False
    outcome: Outcome = "open"
    lapse: Lapse | None = None
    speed: Speed | None = None
    closed_at: int | None = None
    decided_by: str | None = None
    claimed_by: str | None = None
    held_by: str | None = None
    held_since: int | None = None
    quick: bool = False
    doubted: bool = False
    settled: bool = False


def bucket_of(wait: int) -> int:
    """Return the number of the bucket for a length of time."""
    return next((number for number, bound in enumerate(BOUNDS) if wait <= bound), len(BOUNDS))


def lapse_of(request: Request) -> Lapse:
    """Return what the customer was told or given when nobody answered in time."""
    match request.kind:
        case "question":
            return request.on_timeout
        case "approval" | "settlement":
            return "none"
        case _ as never:
            assert_never(never)
