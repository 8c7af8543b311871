"""The knowledge base, the questions that were asked, and what makes them searchable."""

from __future__ import annotations

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE knowledge_entries (
        seq {serial},
        id TEXT NOT NULL UNIQUE,
        question TEXT NOT NULL,
        wordings TEXT NOT NULL,
        answer TEXT NOT NULL,
        tags TEXT NOT NULL,
        language TEXT NOT NULL,
        source TEXT NOT NULL,
        status TEXT NOT NULL,
        valid_until BIGINT,
        created_by TEXT NOT NULL,
        request_id TEXT,
        similar_to TEXT,
        merged_into TEXT,
        uses BIGINT NOT NULL,
        version BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL
    )
    """,
    "CREATE INDEX knowledge_by_status ON knowledge_entries (status, seq)",
    "CREATE UNIQUE INDEX knowledge_of_request ON knowledge_entries (request_id) WHERE request_id IS NOT NULL",
    """
    CREATE TABLE knowledge_history (
        entry_id TEXT NOT NULL REFERENCES knowledge_entries (id),
        version BIGINT NOT NULL,
        at BIGINT NOT NULL,
        actor TEXT NOT NULL,
        fact TEXT NOT NULL,
        PRIMARY KEY (entry_id, version)
    )
    """,
    """
    CREATE TABLE knowledge_vectors (
        seq BIGINT NOT NULL REFERENCES knowledge_entries (seq),
        model TEXT NOT NULL,
        version BIGINT NOT NULL,
        vector TEXT NOT NULL,
        PRIMARY KEY (model, seq)
    )
    """,
    """
    CREATE TABLE asked_questions (
        seq {serial},
        request_id TEXT NOT NULL UNIQUE,
        key TEXT NOT NULL,
        answered BIGINT NOT NULL
    )
    """,
    "CREATE INDEX asked_by_key ON asked_questions (key, answered, seq)",
    "/*sqlite*/ CREATE VIRTUAL TABLE knowledge_tokens USING fts5 (question, answer, tokenize = 'ascii')",
    "/*sqlite*/ CREATE VIRTUAL TABLE asked_tokens USING fts5 (question, answer, tokenize = 'ascii')",
    """
    /*postgresql*/ CREATE TABLE knowledge_tokens (
        rowid BIGINT PRIMARY KEY, question TEXT NOT NULL, answer TEXT NOT NULL, vector tsvector NOT NULL
    )
    """,
    """
    /*postgresql*/ CREATE TABLE asked_tokens (
        rowid BIGINT PRIMARY KEY, question TEXT NOT NULL, answer TEXT NOT NULL, vector tsvector NOT NULL
    )
    """,
    "/*postgresql*/ CREATE INDEX knowledge_words ON knowledge_tokens USING gin (vector) WITH (fastupdate = off)",
    "/*postgresql*/ CREATE INDEX asked_words ON asked_tokens USING gin (vector) WITH (fastupdate = off)",
    "CREATE TABLE knowledge_terms (term TEXT PRIMARY KEY, texts BIGINT NOT NULL)",
    "CREATE TABLE asked_terms (term TEXT PRIMARY KEY, texts BIGINT NOT NULL)",
    "INSERT INTO counters (name, value) VALUES ('knowledge.capture', 0)",
)
