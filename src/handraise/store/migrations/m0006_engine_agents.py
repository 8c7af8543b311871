"""Runs know their agent and whether an earlier one is in the way, so that a claim reads only what it can take."""

from __future__ import annotations

STATEMENTS: tuple[str, ...] = (
    "ALTER TABLE runs ADD COLUMN agent TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE runs ADD COLUMN blocked BIGINT NOT NULL DEFAULT 0",
    "UPDATE runs SET agent = (SELECT sessions.agent FROM sessions WHERE sessions.id = runs.session_id)",
    """
    UPDATE runs SET blocked = 1
    WHERE status = 'queued' AND EXISTS (
        SELECT 1 FROM runs AS earlier
        WHERE earlier.session_id = runs.session_id AND earlier.seq < runs.seq
          AND earlier.status IN ('queued', 'running', 'paused'))
    """,
    "DROP INDEX runs_claimable",
    "CREATE INDEX runs_claimable ON runs (agent, seq) WHERE status IN ('queued', 'running') AND blocked = 0",
)
