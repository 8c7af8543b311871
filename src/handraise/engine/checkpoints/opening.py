"""LangGraph's checkpoints, kept in the same database as everything else."""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from handraise.store.opening import is_postgres, sqlite_path
from handraise.store.store import Store


async def open_checkpoints(url: str, store: Store) -> BaseCheckpointSaver[Any]:
    """Return the checkpointer that writes through `store`, with LangGraph's tables in place."""
    if is_postgres(url):
        from handraise.engine.checkpoints import postgres as postgres_checkpoints

        await postgres_checkpoints.set_up(url)
        return postgres_checkpoints.StorePostgresSaver(store)
    from handraise.engine.checkpoints import sqlite as sqlite_checkpoints

    await sqlite_checkpoints.set_up(sqlite_path(url))
    return sqlite_checkpoints.StoreSqliteSaver(store)
