"""Routes for insights: a report for a range of time, as JSON and as CSV."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from handraise.insights.ranges import last_days, moment_of, span_of, zone_of
from handraise.insights.report import By, Report, report
from handraise.insights.table import table_of
from handraise.service.auth.authentication import IdentityHere
from handraise.service.dependencies import EngineHere
from handraise.store.store import Store, Transaction

router = APIRouter(prefix="/api/v1", tags=["Insights"])

DAYS = 7
"""How many days a report is about that does not say."""

_MOMENT = "A date, which is its midnight in `zone`, or a moment with or without an offset."


class Range:
    """What to report on."""

    def __init__(
        self,
        start: Annotated[
            str | None,
            Query(
                alias="from", max_length=40, description=f"{_MOMENT} Seven days, if left out.", examples=["2026-03-01"]
            ),
        ] = None,
        end: Annotated[
            str | None,
            Query(alias="to", max_length=40, description=f"{_MOMENT} Not included. Now, if left out."),
        ] = None,
        zone: Annotated[
            str, Query(max_length=64, description="A time zone's name.", examples=["Asia/Shanghai"])
        ] = "UTC",
    ) -> None:
        self.start, self.end, self.zone = start, end, zone_of(zone)

    async def report(self, store: Store, *, by: By, operator: str | None = None) -> Report:
        """Return the report, on one view of the data."""

        async def read(tx: Transaction) -> Report:
            now = await tx.now()
            end = now if self.end is None else moment_of(self.end, self.zone)
            start = last_days(DAYS, now=end, zone=self.zone) if self.start is None else moment_of(self.start, self.zone)
            return await report(tx, span_of(start, end), zone=self.zone, by=by, now=now, operator=operator)

        return await store.read(read)


RangeHere = Annotated[Range, Depends()]
ByHere = Annotated[By, Query(description="What to group by: times of the zone's clocks, or a dimension.")]


@router.get("/insights")
async def read_insights(engine: EngineHere, within: RangeHere, by: ByHere = "day") -> Report:
    """Report on a range of time, widened to whole quarters of an hour: the answer says which range it counted.

    `docs/insights.md` defines every number. Each counts the requests that were opened in the range.
    """
    return await within.report(engine.store, by=by)


@router.get("/insights/mine")
async def read_own_insights(
    engine: EngineHere, identity: IdentityHere, within: RangeHere, by: Literal["hour", "day"] = "day"
) -> Report:
    """Report on what you claimed and decided yourself."""
    return await within.report(engine.store, by=by, operator=identity.id)


@router.get("/insights.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
async def export_insights(engine: EngineHere, within: RangeHere, by: ByHere = "day") -> Response:
    """Export the same report as CSV: one row for each group, and the last for the whole range."""
    told = await within.report(engine.store, by=by)
    name = f"insights-{told.start:%Y%m%d}-{told.end:%Y%m%d}-by-{by}.csv"
    return Response(
        table_of(told), media_type="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
