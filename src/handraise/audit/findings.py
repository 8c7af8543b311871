"""Findings: what is wrong with a trail, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Wrong = Literal["changed", "missing", "added", "reordered", "rewritten", "cut_off"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong. `number` counts within the session, `seq` over the whole store."""

    wrong: Wrong
    what: str
    session_id: str | None = None
    number: int | None = None
    seq: int | None = None

    def __str__(self) -> str:
        at = [
            f"session {self.session_id}" if self.session_id is not None else "",
            f"event {self.number}" if self.number is not None else "",
            f"(number {self.seq} of the store)" if self.seq is not None else "",
        ]
        where = " ".join(part for part in at if part)
        return f"{self.wrong.replace('_', ' ')}: {where + ': ' if where else ''}{self.what}"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a check came to."""

    events: int
    seals: int
    findings: list[Finding]
    forgotten: int = 0
    """How many events have had their content removed, as their sessions say."""

    @property
    def intact(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.findings
