"""Recording: what an agent said and did becomes facts, each once, and only once LangGraph has saved it.

A model that is asked again after a crash answers anew, under another id: what it said before must not be recorded
unless it is also in the session's history.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Self

from langchain_core.messages import BaseMessage

from handraise.core.actors import Actor
from handraise.core.log.facts import Fact, ToolCalled, ToolFinished
from handraise.core.runs import Run
from handraise.engine.intake.sensitive import Sensitive
from handraise.engine.runs.transcript import facts_of, handoff_in, messages_in
from handraise.store.store import Store, Transaction

Keyed = tuple[str, Fact]


class Recording:
    """What one run records while it is driven: unsaved updates become pending facts, which then are recorded."""

    def __init__(
        self, store: Store, run: Run, *, by: Actor, sensitive: Sensitive, backstage: Collection[str] = ()
    ) -> None:
        self._store = store
        self._run = run
        self._by = by
        self._sensitive = sensitive
        self._backstage = backstage
        self._active: str | None = None
        self._unsaved: list[Any] = []
        self._pending: list[Keyed] = []
        self._recorded: set[str] = set()

    def with_agent(self, active: str | None) -> Self:
        """Set which of several agents has the conversation now, and return this recording."""
        self._active = active
        return self

    def mark_recorded(self, messages: Sequence[BaseMessage]) -> None:
        """Take messages as recorded: a node that returns them again adds nothing, and the database is not asked."""
        self._recorded.update(key for key, _ in self._facts(messages, update=None))

    def add_unsaved(self, update: Any) -> None:
        """Keep a node's update until it is saved."""
        self._unsaved.append(update)

    def mark_saved(self) -> None:
        """LangGraph has saved the updates so far: their facts are recorded with the next write, here or elsewhere."""
        updates, self._unsaved = self._unsaved, []
        for update in updates:
            self._pending += self._facts(messages_in(update), update=update)
            self._active = update.get("active_agent", self._active) if isinstance(update, dict) else self._active

    async def record_pending(self) -> None:
        """Record what is pending, in a transaction of its own."""
        await self._record(self._pending)
        self.mark_pending_recorded()

    async def append_pending(self, tx: Transaction) -> None:
        """Record what is pending in a transaction that has the run's session locked. A retry does it again."""
        if self._pending:
            await tx.events.append_new(self._run.session_id, self._pending, by=self._by)

    def mark_pending_recorded(self) -> None:
        """That transaction has committed."""
        self._recorded.update(key for key, _ in self._pending)
        self._pending = []

    async def record(self, messages: Sequence[BaseMessage], *, update: Any = None) -> list[Fact]:
        """Record what is not recorded yet, and return it."""
        if facts := self._facts(messages, update=update):
            await self.record_pending()
        return await self._record(facts)

    def _facts(self, messages: Sequence[BaseMessage], *, update: Any) -> list[Keyed]:
        facts = [(key, self._as_recorded(fact)) for message in messages for key, fact in facts_of(message)]
        facts += handoff_in(update, source=self._active)
        # What this process has recorded is there, and what is pending will be: to look again would cost a
        # transaction each time.
        taken = self._recorded | {key for key, _ in self._pending}
        return [(key, fact) for key, fact in facts if key not in taken]

    async def _record(self, facts: Sequence[Keyed]) -> list[Fact]:
        if not facts:
            return []

        async def work(tx: Transaction) -> list[Fact]:
            await tx.sessions.lock_for(self._run)
            return await tx.events.append_new(self._run.session_id, facts, by=self._by)

        new = await self._store.write(work)
        self._recorded.update(key for key, _ in facts)
        return new

    async def record_missing(self, messages: Sequence[BaseMessage]) -> list[Fact]:
        """Record what is not recorded yet, of messages that most likely are: a look costs less than a try."""
        keys = [key for key, _ in self._facts(messages, update=None)]
        if keys:
            self._recorded |= await self._store.read_one(lambda tx: tx.events.keys_among(self._run.session_id, keys))
        return await self.record(messages)

    def _as_recorded(self, fact: Fact) -> Fact:
        if isinstance(fact, ToolCalled | ToolFinished) and fact.tool in self._backstage:
            fact = fact.model_copy(update={"backstage": True})
        return self._sensitive.mask(fact)
