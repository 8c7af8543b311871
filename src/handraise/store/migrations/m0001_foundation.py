"""Sessions, runs, requests, events and effects."""

from __future__ import annotations

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE counters (
        name TEXT PRIMARY KEY,
        value BIGINT NOT NULL
    )
    """,
    "INSERT INTO counters (name, value) VALUES ('events', 0)",
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        agent TEXT NOT NULL,
        status TEXT NOT NULL,
        customer TEXT NOT NULL,
        language TEXT NOT NULL,
        taken_by TEXT,
        unheard TEXT NOT NULL DEFAULT '[]',
        version BIGINT NOT NULL,
        last_seq BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL
    )
    """,
    "CREATE INDEX sessions_taken ON sessions (id) WHERE taken_by IS NOT NULL",
    """
    CREATE TABLE runs (
        seq {serial},
        id TEXT NOT NULL UNIQUE,
        session_id TEXT NOT NULL REFERENCES sessions (id),
        input TEXT NOT NULL,
        status TEXT NOT NULL,
        not_before BIGINT NOT NULL,
        owner TEXT,
        epoch BIGINT NOT NULL,
        lease_until BIGINT,
        attempts BIGINT NOT NULL,
        error TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        finished_at BIGINT
    )
    """,
    "CREATE UNIQUE INDEX runs_one_running_per_session ON runs (session_id) WHERE status = 'running'",
    "CREATE INDEX runs_unfinished ON runs (session_id, seq) WHERE status IN ('queued', 'running', 'paused')",
    "CREATE INDEX runs_claimable ON runs (seq) WHERE status IN ('queued', 'running')",
    """
    CREATE TABLE requests (
        id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id),
        run_id TEXT NOT NULL,
        interrupt_id TEXT NOT NULL,
        position BIGINT NOT NULL,
        kind TEXT NOT NULL,
        audience TEXT NOT NULL,
        tool TEXT NOT NULL,
        question_type TEXT,
        urgency TEXT NOT NULL,
        urgency_rank BIGINT NOT NULL,
        asked TEXT NOT NULL,
        status TEXT NOT NULL,
        version BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        deadline BIGINT,
        due BIGINT NOT NULL,
        remind_at BIGINT,
        claimed_by TEXT,
        claim_until BIGINT,
        decided_by TEXT,
        decided_at BIGINT,
        decision TEXT
    )
    """,
    "CREATE INDEX requests_inbox ON requests (urgency_rank, due, created_at, id) WHERE status = 'open'",
    "CREATE INDEX requests_due ON requests (deadline) WHERE status = 'open' AND deadline IS NOT NULL",
    "CREATE INDEX requests_to_remind ON requests (remind_at) WHERE status = 'open' AND remind_at IS NOT NULL",
    "CREATE INDEX requests_of_session ON requests (session_id, created_at)",
    "CREATE INDEX requests_of_run ON requests (run_id)",
    """
    CREATE TABLE events (
        seq BIGINT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id),
        session_seq BIGINT NOT NULL,
        at BIGINT NOT NULL,
        name TEXT NOT NULL,
        key TEXT,
        actor TEXT NOT NULL,
        fact TEXT NOT NULL,
        UNIQUE (session_id, session_seq)
    )
    """,
    "CREATE UNIQUE INDEX events_once ON events (session_id, key) WHERE key IS NOT NULL",
    """
    CREATE TABLE effects (
        id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id),
        run_id TEXT NOT NULL,
        request_id TEXT,
        tool TEXT NOT NULL,
        tool_call_id TEXT NOT NULL,
        digest TEXT NOT NULL,
        status TEXT NOT NULL,
        epoch BIGINT NOT NULL,
        doubts BIGINT NOT NULL,
        result TEXT NOT NULL,
        started_at BIGINT NOT NULL,
        finished_at BIGINT
    )
    """,
    "CREATE INDEX effects_of_run ON effects (run_id)",
)
