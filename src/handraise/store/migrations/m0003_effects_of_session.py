"""The effects of one session, found by an index."""

from __future__ import annotations

STATEMENTS = ("CREATE INDEX effects_of_session ON effects (session_id, started_at)",)
