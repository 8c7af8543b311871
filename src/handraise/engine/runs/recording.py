"""Recording: what an agent said and did becomes facts, each once, and only once LangGraph has saved it.

A model that is asked again after a crash answers anew, under another id: what it said before must not be on record
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
    """What one run puts on record while it is driven."""

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
        self._left: list[Keyed] = []
        self._on_record: set[str] = set()

    def of(self, active: str | None) -> Self:
        """Say which of several agents has the conversation now."""
        self._active = active
        return self

    def has(self, messages: Sequence[BaseMessage]) -> None:
        """Say what is on record for certain: a node that tells of it again adds nothing, and nobody need look."""
        self._on_record.update(key for key, _ in self._facts(messages, update=None))

    def note(self, update: Any) -> None:
        """Keep a node's update until it is saved."""
        self._unsaved.append(update)

    def saved(self) -> None:
        """LangGraph has saved what was noted: it goes on record with what is written next, here or elsewhere."""
        updates, self._unsaved = self._unsaved, []
        for update in updates:
            self._left += self._facts(messages_in(update), update=update)
            self._active = update.get("active_agent", self._active) if isinstance(update, dict) else self._active

    async def record_left(self) -> None:
        """Put on record what is left."""
        await self._record(self._left)
        self.added()

    async def add_left(self, tx: Transaction) -> None:
        """Put what is left on record in a transaction that has the run's session locked. A retry does it again."""
        if self._left:
            await tx.events.append_new(self._run.session_id, self._left, by=self._by)

    def added(self) -> None:
        """That transaction has committed."""
        self._on_record.update(key for key, _ in self._left)
        self._left = []

    async def record(self, messages: Sequence[BaseMessage], *, update: Any = None) -> list[Fact]:
        """Put on record what is not there yet, and return it."""
        if facts := self._facts(messages, update=update):
            await self.record_left()
        return await self._record(facts)

    def _facts(self, messages: Sequence[BaseMessage], *, update: Any) -> list[Keyed]:
        facts = [(key, self._told(fact)) for message in messages for key, fact in facts_of(message)]
        facts += handoff_in(update, source=self._active)
        # What this process has put on record is there, and what is left will be: to look again would cost a
        # transaction each time.
        taken = self._on_record | {key for key, _ in self._left}
        return [(key, fact) for key, fact in facts if key not in taken]

    async def _record(self, facts: Sequence[Keyed]) -> list[Fact]:
        if not facts:
            return []

        async def work(tx: Transaction) -> list[Fact]:
            await tx.sessions.lock_for(self._run)
            return await tx.events.append_new(self._run.session_id, facts, by=self._by)

        new = await self._store.write(work)
        self._on_record.update(key for key, _ in facts)
        return new

    async def record_again(self, messages: Sequence[BaseMessage]) -> list[Fact]:
        """Put on record what is not there yet, of messages that most likely are: a look costs less than a try."""
        keys = [key for key, _ in self._facts(messages, update=None)]
        if keys:
            self._on_record |= await self._store.read_one(lambda tx: tx.events.keys_among(self._run.session_id, keys))
        return await self.record(messages)

    def _told(self, fact: Fact) -> Fact:
        if isinstance(fact, ToolCalled | ToolFinished) and fact.tool in self._backstage:
            fact = fact.model_copy(update={"backstage": True})
        return self._sensitive.told(fact)
