"""Counts by time and dimension, and what is known of each request behind them."""

from __future__ import annotations

# Spelled out rather than imported: a migration that has shipped never changes. What is counted later has a later one.
_COUNTED = (
    "sessions", "assisted", "opened", "claimed", "approve", "edit", "reject", "respond", "expired_inform",
    "expired_ticket", "expired_self_service", "expired_none", "withdrawn", "given_up", "doubted", "settled", "quick",
    "repeated", "uses", "reuses", "response_us", "claim_us", "handling_us",
    *(f"{wait}_{bucket}" for wait in ("response", "claim", "handling") for bucket in range(17)),
)  # fmt: skip
_COUNTS = ", ".join(f"{measure} BIGINT NOT NULL DEFAULT 0" for measure in _COUNTED)

STATEMENTS: tuple[str, ...] = (
    f"""
    CREATE TABLE insight_counts (
        dimension TEXT NOT NULL,
        grain BIGINT NOT NULL,
        at BIGINT NOT NULL,
        value TEXT NOT NULL,
        {_COUNTS},
        PRIMARY KEY (dimension, grain, at, value)
    )
    """,
    """
    CREATE TABLE request_facts (
        request_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        session_created_at BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        type TEXT NOT NULL,
        tool TEXT NOT NULL,
        agent TEXT NOT NULL,
        question_key TEXT,
        first BIGINT NOT NULL,
        repeated BIGINT NOT NULL,
        outcome TEXT NOT NULL,
        lapse TEXT,
        speed TEXT,
        closed_at BIGINT,
        decided_by TEXT,
        claimed_by TEXT,
        held_by TEXT,
        held_since BIGINT,
        quick BIGINT NOT NULL,
        doubted BIGINT NOT NULL,
        settled BIGINT NOT NULL
    )
    """,
    "CREATE INDEX facts_of_session ON request_facts (session_id)",
    "CREATE INDEX facts_by_question ON request_facts (question_key) WHERE question_key IS NOT NULL",
    "CREATE INDEX facts_by_age ON request_facts (created_at, request_id)",
    "CREATE INDEX facts_by_type ON request_facts (type, created_at, request_id)",
    "CREATE INDEX facts_by_tool ON request_facts (tool, created_at, request_id)",
    "CREATE INDEX facts_by_agent ON request_facts (agent, created_at, request_id)",
    "CREATE INDEX facts_by_outcome ON request_facts (outcome, created_at, request_id)",
    "CREATE INDEX facts_by_speed ON request_facts (speed, created_at, request_id)",
    "CREATE INDEX facts_by_decider ON request_facts (decided_by, created_at, request_id) WHERE decided_by IS NOT NULL",
    "CREATE INDEX facts_by_claimer ON request_facts (claimed_by, created_at, request_id) WHERE claimed_by IS NOT NULL",
    "CREATE INDEX facts_by_end ON request_facts (closed_at, request_id) WHERE closed_at IS NOT NULL",
    "CREATE INDEX facts_first ON request_facts (session_created_at, request_id) WHERE first = 1",
    "CREATE INDEX facts_quick ON request_facts (created_at, request_id) WHERE quick = 1",
    "CREATE INDEX facts_repeated ON request_facts (created_at, request_id) WHERE repeated = 1",
    "CREATE INDEX facts_doubted ON request_facts (created_at, request_id) WHERE doubted = 1",
    """
    CREATE TABLE edited_fields (
        tool TEXT NOT NULL,
        field TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        request_id TEXT NOT NULL,
        PRIMARY KEY (tool, field, created_at, request_id)
    )
    """,
    "INSERT INTO counters (name, value) VALUES ('insights', 0)",
)
