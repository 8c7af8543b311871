"""The table that the long part prints: a row for each scenario."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from tests.engine.crash.verdict import Outcome

COLUMNS = ("runs", "kills", "lost", "duplicated", "indeterminate", "broken")
HEADER = f"{'scenario':<58}" + "".join(f"{name:>14}" for name in COLUMNS)


@dataclass
class Row:
    """One line of the table. Several lanes may count on it at once."""

    scenario: str
    planned: int = 0
    runs: int = 0
    kills: int = 0
    lost: int = 0
    duplicated: int = 0
    indeterminate: int = 0
    broken: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def killed(self, count: int = 1) -> None:
        """Count processes that were killed or frozen, servers that were stopped, connections that were cut."""
        with self._lock:
            self.kills += count

    def ended(self, outcome: Outcome | None = None) -> None:
        """Count a run that came to its end, and what became of it."""
        with self._lock:
            self.runs += 1
            if outcome is not None:
                self.lost += outcome.lost
                self.duplicated += outcome.duplicated
                self.indeterminate += outcome.indeterminate

    def broke(self, what: str) -> None:
        """Count a run in which something was not as it must be, and keep what it was."""
        with self._lock:
            self.runs += 1
            self.broken.append(what)

    @property
    def bad(self) -> bool:
        """Whether a promise was broken."""
        return bool(self.lost or self.duplicated or self.broken)

    def __str__(self) -> str:
        name = self.scenario if self.runs >= self.planned else f"{self.scenario} (out of time: {self.planned} planned)"
        counts = (self.runs, self.kills, self.lost, self.duplicated, self.indeterminate, len(self.broken))
        return f"{name:<58}" + "".join(f"{count:>14}" for count in counts)
