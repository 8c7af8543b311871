"""How far the notices outside the console have come is kept where all other consumers of the log keep it."""

from __future__ import annotations

STATEMENTS: tuple[str, ...] = (
    "INSERT INTO counters (name, value) SELECT name, seq FROM positions",
    "DROP TABLE positions",
)
