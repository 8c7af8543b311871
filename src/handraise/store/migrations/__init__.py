"""The schema, as numbered migrations. A migration that has shipped never changes; a new one is added below it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from handraise.store.connection import Connection
from handraise.store.migrations import audit, concepts, desk, engine_agents, foundation, insights, knowledge, people

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
