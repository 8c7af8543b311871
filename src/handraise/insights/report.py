"""The report: figures for a range, as a whole and by group, on one view of the data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from handraise.core.requests import QuestionType
from handraise.insights.figures import Figures, figures_of
from handraise.insights.ranges import Span, cover, days_of, hours_of
from handraise.store.connection import from_us, to_us
from handraise.store.measures import COUNTED, MEASURES, TARGET, TYPES, Dimension, RequestFacts
from handraise.store.store import Transaction
from handraise.store.tables.counts import CURSOR, Counts, Segment

By = Literal["hour", "day", "type", "tool", "operator", "agent"]
MOST_FIELDS = 20


class Group(BaseModel):
    """The figures of one group. Hours and days have the time in which they begin and end; others have a name."""

    name: str = Field(description="The type, tool, operator or agent; empty for a time.")
    start: datetime | None = Field(None, alias="from")
    end: datetime | None = Field(None, alias="to")
    figures: Figures


class FieldEdits(BaseModel):
    """How often people changed one argument of a tool."""

    tool: str
    field: str
    edits: int


class OpenNow(BaseModel):
    """What waits at this moment, whenever it was opened."""

    count: int
    oldest_at: datetime | None


class Report(BaseModel):
    """The figures for a range: from the first moment up to, but not including, the last."""

    start: datetime = Field(alias="from")
    end: datetime = Field(alias="to")
    zone: str
    by: By
    operator: str | None = Field(None, description="Whose own numbers these are; null for everybody's.")
    behind: int = Field(description="How many events are not counted yet.")
    open_now: OpenNow
    total: Figures
    types: dict[QuestionType, int] = Field(description="How many requests of each type were opened.")
    groups: list[Group]
    fields: list[FieldEdits] = Field(description="What people changed most before they let a call run.")


async def report(
    tx: Transaction, span: Span, *, zone: ZoneInfo, by: By, now: datetime, operator: str | None = None
) -> Report:
    """Return the figures for a range; for one operator's own decisions when one is named."""
    of: Dimension = "all" if operator is None else "operator"
    whole = list(cover(0, span))
    young = await tx.insights.young(since=(to_us(now) or 0) - TARGET) if operator is None else []
    total = await tx.insights.counts(of, whole, value=operator or "")
    return Report.model_validate(
        {
            "from": from_us(span.start),
            "to": from_us(span.end),
            "zone": zone.key,
            "by": by,
            "operator": operator,
            "behind": await tx.events.head() - await tx.cursors.get(CURSOR),
            "open_now": await _open_now(tx),
            "total": figures_of(total.get((0, operator or ""), {}), young=sum(_within(facts, span) for facts in young)),
            "types": await _types(tx, whole) if operator is None else dict.fromkeys(TYPES, 0),
            "groups": await _groups(tx, span, zone=zone, by=by, young=young, operator=operator),
            "fields": await _fields(tx, whole) if operator is None else [],
        }
    )


async def _groups(
    tx: Transaction, span: Span, *, zone: ZoneInfo, by: By, young: Sequence[RequestFacts], operator: str | None
) -> list[dict[str, object]]:
    if by in {"hour", "day"}:
        spans = hours_of(span, zone) if by == "hour" else days_of(span, zone)
        segments = [segment for number, each in enumerate(spans) for segment in cover(number, each)]
        value = operator or ""
        of: Dimension = "operator" if operator else "all"
        sums = await tx.insights.counts(of, segments, measures=_BRIEF, value=value)
        return [
            {
                "name": "",
                "from": from_us(each.start),
                "to": from_us(each.end),
                "figures": figures_of(
                    sums.get((number, value), {}), young=sum(_within(facts, each) for facts in young), brief=True
                ),
            }
            for number, each in enumerate(spans)
        ]
    sums = await tx.insights.counts(_DIMENSIONS[by], list(cover(0, span)), value=operator)
    groups = [
        {
            "name": name,
            "figures": figures_of(
                counts, young=sum(_within(facts, span) and _named(facts, by) == name for facts in young)
            ),
        }
        for (_, name), counts in sums.items()
        if any(counts[measure] for measure in COUNTED)
    ]
    return sorted(groups, key=lambda group: _by_size(group["figures"], str(group["name"])))


_BRIEF = tuple(measure for measure in MEASURES if not measure.startswith(("claim_", "handling_")))
"""What is told of an hour or a day: there may be hundreds of them."""

_DIMENSIONS: dict[By, Dimension] = {"type": "type", "tool": "tool", "operator": "operator", "agent": "agent"}


def _by_size(figures: object, name: str) -> tuple[int, str]:
    assert isinstance(figures, Figures)
    return -max(figures.opened, figures.decided), name


def _within(facts: RequestFacts, span: Span) -> bool:
    return span.start <= facts.created_at < span.end


def _named(facts: RequestFacts, by: By) -> str:
    return {"type": facts.type, "tool": facts.tool, "agent": facts.agent}.get(by, "")


async def _open_now(tx: Transaction) -> OpenNow:
    everything: Counts = (await tx.insights.ever("all")).get("", {})
    oldest = await tx.insights.oldest_open()
    return OpenNow(count=figures_of(everything).open, oldest_at=from_us(oldest))


async def _types(tx: Transaction, whole: Sequence[Segment]) -> dict[str, int]:
    sums = await tx.insights.counts("type", whole, measures=("opened",))
    return {kind: sums.get((0, kind), {}).get("opened", 0) for kind in TYPES}


async def _fields(tx: Transaction, whole: Sequence[Segment]) -> list[FieldEdits]:
    sums = await tx.insights.counts("field", whole, measures=("edit",))
    found = [
        FieldEdits(tool=tool, field=field, edits=counts["edit"])
        for (_, name), counts in sums.items()
        for tool, field in [json.loads(name)]
    ]
    return sorted(found, key=lambda each: (-each.edits, each.tool, each.field))[:MOST_FIELDS]
