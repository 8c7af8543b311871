"""Tickets, lists by age, answers that are given again, and what is told outside the console."""

from __future__ import annotations

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE tickets (
        number {serial},
        session_id TEXT NOT NULL REFERENCES sessions (id),
        request_id TEXT NOT NULL UNIQUE,
        question TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        answer TEXT NOT NULL,
        answered_by TEXT,
        answered_at BIGINT
    )
    """,
    "CREATE INDEX tickets_open ON tickets (number) WHERE status = 'open'",
    "CREATE INDEX sessions_by_age ON sessions (created_at, id)",
    "CREATE INDEX requests_by_age ON requests (created_at, id)",
    """
    CREATE TABLE replies (
        owner TEXT NOT NULL,
        key TEXT NOT NULL,
        digest TEXT NOT NULL,
        answer TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (owner, key)
    )
    """,
    "CREATE INDEX replies_by_age ON replies (created_at)",
    """
    CREATE TABLE outbox (
        number {serial},
        channel TEXT NOT NULL,
        seq BIGINT NOT NULL,
        notice TEXT NOT NULL,
        attempts BIGINT NOT NULL,
        not_before BIGINT NOT NULL,
        UNIQUE (channel, seq)
    )
    """,
    "CREATE INDEX outbox_due ON outbox (channel, not_before)",
    "CREATE TABLE positions (name TEXT PRIMARY KEY, seq BIGINT NOT NULL)",
)
