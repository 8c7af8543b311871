"""The schema, as numbered migrations. A migration that has shipped never changes; a new one is added below it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from handraise.store.connection import Connection
from handraise.store.migrations import (
    m0001_foundation,
    m0002_knowledge,
    m0003_effects_of_session,
    m0004_people,
    m0005_desk,
    m0006_engine_agents,
    m0007_audit,
    m0008_insights,
    m0009_concepts,
    m0010_settlement_requests,
    m0011_one_table_of_cursors,
)

Step = str | Callable[[Connection], Awaitable[None]]
"""A statement, or what statements alone cannot do; it may wait for nothing but the connection."""

MIGRATIONS: tuple[tuple[Step, ...], ...] = (
    m0001_foundation.STATEMENTS,
    m0002_knowledge.STATEMENTS,
    m0003_effects_of_session.STATEMENTS,
    m0004_people.STATEMENTS,
    m0005_desk.STATEMENTS,
    m0006_engine_agents.STATEMENTS,
    m0007_audit.STATEMENTS,
    m0008_insights.STATEMENTS,
    (m0009_concepts.find_again,),
    (m0010_settlement_requests.name_the_kind,),
    m0011_one_table_of_cursors.STATEMENTS,
)
