"""A clock that stands still until a test turns it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from handraise.core.errors import InvalidInput


class Clock:
    """A time that only `turn` changes. It begins at `start`, or now."""

    def __init__(self, start: datetime | None = None) -> None:
        if start is not None and start.tzinfo is None:
            raise InvalidInput(
                f"The clock cannot start at {start.isoformat()}: it names no time zone.",
                fix="Give it one, such as datetime(2026, 1, 2, tzinfo=UTC).",
            )
        self._now = start or datetime.now(UTC)

    def now(self) -> datetime:
        """Return the time."""
        return self._now

    def turn(self, by: timedelta) -> None:
        """Let time pass. It never goes back, because nothing that goes by it could make sense of that."""
        if by < timedelta():
            raise InvalidInput(f"The clock cannot be turned back, by {-by}.", fix="Start a new Clock earlier.")
        self._now += by

    def seconds(self) -> float:
        """Return the time in seconds since 1970, for code that counts in seconds."""
        return self._now.timestamp()

    def microseconds(self) -> int:
        """Return the time in microseconds since 1970, as databases of ours keep it."""
        return (self._now - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
