"""Ranges of time in anybody's zone, and which counts cover them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from handraise.core.errors import InvalidInput
from handraise.store.connection import from_us, to_us
from handraise.store.measures import GRAINS, QUARTER, SECOND
from handraise.store.tables.counts import Segment

HOUR = 3_600 * SECOND
MOST_GROUPS = 1_200
"""As many days as three years have; more hours or days than this are refused."""

EARLIEST, LATEST = datetime(1971, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Span:
    """From `start` up to, but not including, `end`, in microseconds."""

    start: int
    end: int


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name, or refuse one that does not exist."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(
            f"There is no time zone {name!r}.", fix="Name one of the tz database, such as Asia/Shanghai or UTC."
        ) from None


def moment_of(text: str, zone: ZoneInfo) -> datetime:
    """Read a moment: with an offset as it stands, without one in the zone; a date alone is its midnight."""
    try:
        try:
            read = datetime.combine(date.fromisoformat(text), datetime.min.time())
        except ValueError:
            read = datetime.fromisoformat(text)
        moment = (read if read.tzinfo else read.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{text!r} is no time.", fix="Write a date, 2026-03-01, or a moment, 2026-03-01T09:30:00+08:00."
        ) from None
    if not EARLIEST <= moment <= LATEST:
        raise InvalidInput(f"{text!r} is out of range.", fix="Ask for a time from 1971 to 2200.")
    return moment


def span_of(start: datetime, end: datetime) -> Span:
    """Return a range, widened to whole quarters of an hour."""
    low, high = to_us(start), to_us(end)
    if low is None or high is None or low >= high:
        raise InvalidInput("The range ends before it begins.", fix="Let `to` be later than `from`.")
    return Span(low - low % QUARTER, -(-high // QUARTER) * QUARTER)


def last_days(days: int, *, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the midnight that began the last `days` days, today among them."""
    today = now.astimezone(zone).date()
    return datetime.combine(today - timedelta(days=days - 1), datetime.min.time(), zone).astimezone(UTC)


def hours_of(span: Span, zone: ZoneInfo) -> list[Span]:
    """Cut a range at every full hour of the zone's clocks."""
    return _limited(_cut(span, lambda at: at + HOUR - _into_the_hour(at, zone)), "hours")


def days_of(span: Span, zone: ZoneInfo) -> list[Span]:
    """Cut a range at every midnight of the zone; a day on which clocks change has 23 or 25 hours."""
    return _limited(_cut(span, lambda at: _next_midnight(at, zone)), "days")


def cover(group: int, span: Span) -> Iterator[Segment]:
    """Cover a range with as few counts as there can be: the longest lengths inside, shorter ones at its ends."""
    low, high = span.start, span.end
    ends: list[Segment] = []
    for grain, longer in zip(GRAINS, (*GRAINS[1:], None), strict=True):
        if longer is None:
            first, last = low, high
        else:
            first, last = -(-low // longer) * longer, high - high % longer
        if longer is None or first > last:
            if low < high:
                yield Segment(group, grain, low, high)
            break
        if low < first:
            yield Segment(group, grain, low, first)
        if last < high:
            ends.append(Segment(group, grain, last, high))
        low, high = first, last
    yield from ends


def _cut(span: Span, following: Callable[[int], int]) -> Iterator[Span]:
    at = span.start
    while at < span.end:
        upto = min(following(at), span.end)
        yield Span(at, upto)
        at = upto


def _limited(spans: Iterator[Span], unit: str) -> list[Span]:
    found = []
    for span in spans:
        found.append(span)
        if len(found) > MOST_GROUPS:
            raise InvalidInput(
                f"The range has more than {MOST_GROUPS} {unit}.", fix="Ask for a shorter range, or longer groups."
            )
    return found


def _into_the_hour(at: int, zone: ZoneInfo) -> int:
    local = _local(at, zone)
    return (local.minute * 60 + local.second) * SECOND


def _next_midnight(at: int, zone: ZoneInfo) -> int:
    tomorrow = _local(at, zone).date() + timedelta(days=1)
    us = to_us(datetime.combine(tomorrow, datetime.min.time(), zone).astimezone(UTC))
    # Where clocks are put forward at midnight there is none: the day then begins at the first moment after it.
    return max(at + QUARTER, us or 0)


def _local(at: int, zone: ZoneInfo) -> datetime:
    moment = from_us(at)
    if moment is None:
        raise AssertionError("a time is given")
    return moment.astimezone(zone)
