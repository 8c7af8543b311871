"""A clock to turn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from handraise.core.errors import InvalidInput
from handraise.testing import Clock

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def test_it_stands_still_until_it_is_turned() -> None:
    clock = Clock(NEW_YEAR)
    assert clock.now() == clock.now() == NEW_YEAR

    clock.turn(timedelta(hours=1))

    assert clock.now() == NEW_YEAR + timedelta(hours=1)
    assert clock.seconds() == NEW_YEAR.timestamp() + 3600
    assert clock.microseconds() == int(NEW_YEAR.timestamp() + 3600) * 1_000_000


def test_it_starts_now_unless_told_otherwise() -> None:
    before = datetime.now(UTC)

    assert before <= Clock().now() <= datetime.now(UTC)


def test_it_is_not_turned_back_and_needs_a_time_zone() -> None:
    with pytest.raises(InvalidInput, match="cannot be turned back, by 0:00:01"):
        Clock(NEW_YEAR).turn(timedelta(seconds=-1))
    with pytest.raises(InvalidInput, match="names no time zone"):
        Clock(NEW_YEAR.replace(tzinfo=None))
