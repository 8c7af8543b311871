"""Operators, and what they and programs prove themselves with."""

from __future__ import annotations

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE operators (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        removed_at BIGINT
    )
    """,
    """
    CREATE TABLE credentials (
        id TEXT PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        operator_id TEXT REFERENCES operators (id),
        session_id TEXT,
        scopes TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        expires_at BIGINT,
        ended_at BIGINT
    )
    """,
    "CREATE INDEX credentials_keys ON credentials (created_at) WHERE kind = 'key'",
    "CREATE INDEX credentials_of_operator ON credentials (operator_id) WHERE operator_id IS NOT NULL",
    "CREATE INDEX credentials_ending ON credentials (expires_at) WHERE expires_at IS NOT NULL",
)
