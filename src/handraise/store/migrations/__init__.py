"""The schema, as numbered migrations. A migration that has shipped never changes; a new one is added below it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from handraise.store.connection import Connection
from handraise.store.migrations import m0001_foundation as foundation
from handraise.store.migrations import m0002_knowledge as knowledge
from handraise.store.migrations import m0004_people as people
from handraise.store.migrations import m0005_desk as desk
from handraise.store.migrations import m0006_engine_agents as engine_agents
from handraise.store.migrations import m0007_audit as audit
from handraise.store.migrations import m0008_insights as insights
from handraise.store.migrations import m0009_concepts as concepts

Step = str | Callable[[Connection], Awaitable[None]]
"""A statement, or what statements alone cannot do; it may wait for nothing but the connection."""

MIGRATIONS: tuple[tuple[Step, ...], ...] = (
    foundation.STATEMENTS,
    knowledge.STATEMENTS,
    ("CREATE INDEX effects_of_session ON effects (session_id, started_at)",),
    people.STATEMENTS,
    desk.STATEMENTS,
    engine_agents.STATEMENTS,
    audit.STATEMENTS,
    insights.STATEMENTS,
    (concepts.find_again,),
)
