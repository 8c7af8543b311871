"""Figures: what is said about some requests, computed from their counts."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, Field

from handraise.store.measures import BOUNDS, DECISIONS, LAPSES, SECOND, TARGET, WAITS, Wait

TARGET_BUCKETS = BOUNDS.index(TARGET) + 1
"""How many buckets hold what was answered in time."""


_BUCKETS: Mapping[Wait, tuple[str, ...]] = {
    wait: tuple(f"{wait}_{number}" for number in range(len(BOUNDS) + 1)) for wait in WAITS
}


class Waiting(BaseModel):
    """How long something took. Percentiles are null where so many were never answered that there is none."""

    count: int = Field(description="How many the percentiles are about, unanswered ones included.")
    unanswered: int = Field(description="Those that nobody answered; they count as longer than any answer.")
    in_time: int = Field(description="Those within the target of 60 seconds, exactly.")
    p50: float | None = Field(description="Seconds; estimated inside a bucket of the histogram.")
    p90: float | None = None
    p95: float | None = None
    mean: float | None = Field(description="Seconds, of the answered ones, exactly.")
    buckets: list[int] = Field(description="How many took at most each of the bounds, and longer; not cumulated.")


class Figures(BaseModel):
    """Numbers about the requests that were opened in a span of time, whatever became of them since."""

    sessions: int
    assisted: int = Field(description="Sessions that asked a person at least once.")
    assist_rate: float | None
    opened: int
    open: int
    claimed: int
    decided: int
    decisions: dict[str, int] = Field(description=f"By decision: {', '.join(DECISIONS)}.")
    expired: int
    lapses: dict[str, int] = Field(description=f"Expired ones by what came instead: {', '.join(LAPSES)}.")
    withdrawn: int
    doubted: int
    settled: int
    quick: int = Field(description="Decided by a person less than 2 seconds after they had it.")
    repeated: int = Field(description="Questions that had been asked before.")
    uses: int = Field(description="How often agents were given an entry of the knowledge base.")
    reuses: int = Field(description="Uses of entries that a person's answer had become.")
    response: Waiting
    claim: Waiting | None = Field(description="From opened to the first claim; null for hours and days.")
    handling: Waiting | None = Field(description="From the decider's claim to the decision; null for hours and days.")


def figures_of(counts: Mapping[str, int], *, young: int = 0, brief: bool = False) -> Figures:
    """Return the figures for counts, or the brief ones of an hour or a day.

    `young` of the open ones have not waited for the target's time yet.
    """
    decisions: dict[str, int] = {kind: counts.get(kind, 0) for kind in DECISIONS}
    lapses: dict[str, int] = {lapse: counts.get(f"expired_{lapse}", 0) for lapse in LAPSES}
    decided, expired = sum(decisions.values()), sum(lapses.values())
    opened, withdrawn = counts.get("opened", 0), counts.get("withdrawn", 0)
    still_open = max(0, opened - decided - expired - withdrawn)
    sessions, assisted = counts.get("sessions", 0), counts.get("assisted", 0)
    unanswered = expired + counts.get("given_up", 0) + max(0, still_open - young)
    # Built without checks: a year has hundreds of these, and every value was just computed.
    return Figures.model_construct(
        sessions=sessions,
        assisted=assisted,
        assist_rate=assisted / sessions if sessions else None,
        opened=opened,
        open=still_open,
        decided=decided,
        decisions=decisions,
        expired=expired,
        lapses=lapses,
        withdrawn=withdrawn,
        response=waiting_of(counts, "response", unanswered=unanswered),
        claim=None if brief else waiting_of(counts, "claim"),
        handling=None if brief else waiting_of(counts, "handling"),
        claimed=counts.get("claimed", 0),
        doubted=counts.get("doubted", 0),
        settled=counts.get("settled", 0),
        quick=counts.get("quick", 0),
        repeated=counts.get("repeated", 0),
        uses=counts.get("uses", 0),
        reuses=counts.get("reuses", 0),
    )


def waiting_of(counts: Mapping[str, int], wait: Wait, *, unanswered: int = 0) -> Waiting:
    """Return how long a wait took."""
    buckets = [counts.get(name, 0) for name in _BUCKETS[wait]]
    answered = sum(buckets)
    return Waiting.model_construct(
        count=answered + unanswered,
        unanswered=unanswered,
        in_time=sum(buckets[:TARGET_BUCKETS]),
        p50=percentile(buckets, unanswered, 0.5),
        p90=percentile(buckets, unanswered, 0.9),
        p95=percentile(buckets, unanswered, 0.95),
        mean=counts.get(f"{wait}_us", 0) / answered / SECOND if answered else None,
        buckets=buckets,
    )


def percentile(buckets: list[int], unanswered: int, share: float) -> float | None:
    """Return the seconds within which `share` of all were answered, or None when not so many were.

    Inside a bucket times are taken to be spread evenly. Beyond the last bound only the bound itself is known.
    """
    wanted = share * (sum(buckets) + unanswered)
    seen = 0
    for number, count in enumerate(buckets):
        if count and seen + count >= wanted:
            low = BOUNDS[number - 1] if number else 0
            high = BOUNDS[number] if number < len(BOUNDS) else low
            return (low + (high - low) * max(0.0, wanted - seen) / count) / SECOND
        seen += count
    return None
