"""Runs of agents that this process does not have: if no other process serves them either, somebody must be told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta

import structlog

from handraise.store.store import Store

log = structlog.get_logger(__name__)


class Unserved:
    """Says once for each agent that its runs wait and nobody takes them."""

    def __init__(self, store: Store, *, agents: Sequence[str], patience: timedelta) -> None:
        self._store = store
        self._agents = agents
        self._patience = patience
        self._known: set[str] = set()
        self._next_look = time.monotonic()

    async def report(self) -> None:
        """Look now and then: what waits longer than a process would need to take it has no process."""
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + self._patience.total_seconds()
        waiting = await self._store.read(lambda tx: tx.runs.unserved(agents=self._agents, longer_than=self._patience))
        for agent in sorted(waiting.keys() - self._known):
            log.warning(
                "runs.unserved",
                agent=agent,
                runs=waiting[agent],
                error=f"Runs wait for the agent {agent!r}, and no process takes them; this one serves other agents.",
                fix=f"Serve it here or elsewhere, e.g. handraise serve MODULE:ATTRIBUTE --name {agent}.",
            )
        self._known = set(waiting)
