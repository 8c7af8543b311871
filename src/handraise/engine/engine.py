"""The engine: agents on one store, with everything that keeps their sessions going."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self

from handraise.core.errors import Misconfigured
from handraise.core.languages import Language
from handraise.core.masking import SENSITIVE_NAMES, Secrets
from handraise.engine.checkpoints.opening import open_checkpoints
from handraise.engine.checkpoints.strictness import reads_strictly
from handraise.engine.desk.conversations import Conversations
from handraise.engine.desk.deadlines import Deadlines
from handraise.engine.desk.inbox import Inbox
from handraise.engine.desk.tickets import TicketDesk
from handraise.engine.intake.audience import Audience
from handraise.engine.intake.quotas import Quotas
from handraise.engine.loading import Agent
from handraise.engine.runs.deltas import Deltas
from handraise.engine.runs.runner import Runner
from handraise.engine.runs.spans import Spans
from handraise.engine.runs.worker import Worker
from handraise.store.store import Store

CLOCKS_MAY_DIFFER = timedelta(seconds=1)
"""LangGraph orders checkpoints by the writer's clock: one that is behind makes finished work look unfinished."""


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How long a process keeps a run without renewing it, and how many runs it drives at once.

    `grace` is how long a process that is told to stop waits for tools that are at work; `sweep` how often, at the
    least, it looks for deadlines that have passed.
    """

    lease: timedelta = timedelta(seconds=15)
    at_once: int = 16
    grace: timedelta = timedelta(seconds=10)
    sweep: timedelta = timedelta(seconds=5)


class Engine:
    """Use it as a context manager: inside, its worker runs what is queued, and its clock keeps the deadlines."""

    def __init__(
        self,
        *,
        store: Store,
        database_url: str,
        agents: Mapping[str, Agent],
        pace: Pace | None = None,
        quotas: Quotas | None = None,
        customer_confirms: Sequence[str] = (),
        help: Mapping[Language, str] | None = None,
        sensitive: Sequence[str] = SENSITIVE_NAMES,
        secrets: Secrets | None = None,
        spans: Spans | None = None,
    ) -> None:
        self.store = store
        self.deltas = Deltas()
        self.agent_names = list(agents)
        self.inbox = Inbox(store, help=help)
        self.tickets = TicketDesk(store)
        self._pace = pace or Pace()
        self.deadlines = Deadlines(store, self.inbox, at_least_every=self._pace.sweep)
        self.conversations = Conversations(store, agents=self.agent_names)
        self._agents = agents
        self._database_url = database_url
        self._quotas = quotas or Quotas()
        self._audience = Audience(tuple(customer_confirms))
        self._sensitive = sensitive
        self._secrets = secrets or Secrets()
        self._spans = spans or Spans()
        self._stack = AsyncExitStack()
        self._worker: Worker | None = None

    @property
    def worker_alive(self) -> bool:
        """Return whether this process runs what is queued."""
        return self._worker is not None and self._worker.alive

    async def __aenter__(self) -> Self:
        if not self._agents:
            raise Misconfigured("There is no agent to run.", fix="Name one, e.g. handraise serve my_app:agent.")
        _checkpoints_must_be_strict()
        await self._clocks_must_agree()
        async with AsyncExitStack() as stack:
            await self._start(stack)
            self._stack = stack.pop_all()
        return self

    async def _start(self, stack: AsyncExitStack) -> None:
        if stack.enter_context(self.store.serving()):
            # Whoever held a run is gone, so nobody needs to wait until its lease runs out.
            await self.store.write(lambda tx: tx.runs.release_all())
        checkpoints = await open_checkpoints(self._database_url, self.store)
        runners = {
            name: Runner(
                name=name,
                agent=agent.copy(update={"checkpointer": checkpoints}),
                store=self.store,
                deltas=self.deltas,
                quotas=self._quotas,
                audience=self._audience,
                sensitive=self._sensitive,
                secrets=self._secrets,
                spans=self._spans,
            )
            for name, agent in self._agents.items()
        }
        worker = self._worker = Worker(
            store=self.store,
            runners=runners,
            lease=self._pace.lease,
            at_once=self._pace.at_once,
            grace=self._pace.grace,
            secrets=self._secrets,
        )
        await stack.enter_async_context(self.deadlines)
        await stack.enter_async_context(worker)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _clocks_must_agree(self) -> None:
        before = datetime.now(UTC)
        there = await self.store.read(lambda tx: tx.now())
        after = datetime.now(UTC)
        apart = max(before - there, there - after, timedelta())
        if apart > CLOCKS_MAY_DIFFER:
            raise Misconfigured(
                f"This machine's clock and the database's differ by {apart.total_seconds():.1f} seconds.",
                fix="Let both follow the same time server, then start again.",
            )


def _checkpoints_must_be_strict() -> None:
    if not reads_strictly():
        raise Misconfigured(
            "LangGraph was loaded without strict checkpoints, so a crafted row in the database could run code.",
            fix="Set LANGGRAPH_STRICT_MSGPACK=true in the environment, then start again.",
        )
