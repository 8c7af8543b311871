"""Recording: what an agent said and did becomes facts, each once, and only once LangGraph has saved it.

A model that is asked again after a crash answers anew, under another id: what it said before must not be on record
unless it is also in the session's history.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Self

from langchain_core.messages import BaseMessage

from handraise.core.actors import Actor
from handraise.core.events import Fact, ToolCalled, ToolFinished
from handraise.core.runs import Run
from handraise.engine.sensitive import Sensitive
from handraise.engine.transcript import facts_of, handoff_in, messages_in
from handraise.store.store import Store, Transaction


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
        self._on_record: set[str] = set()

    def of(self, active: str | None) -> Self:
        """Say which of several agents has the conversation now."""
        self._active = active
        return self

    def note(self, update: Any) -> None:
        """Keep a node's update until it is saved."""
        self._unsaved.append(update)

    async def saved(self) -> None:
        """Put on record what was noted: LangGraph has saved it."""
        updates, self._unsaved = self._unsaved, []
        for update in updates:
            await self.record(messages_in(update), update=update)
            self._active = update.get("active_agent", self._active) if isinstance(update, dict) else self._active

    async def record(self, messages: Sequence[BaseMessage], *, update: Any = None) -> list[Fact]:
        """Put on record what is not there yet, and return it."""
        facts = [(key, self._told(fact)) for message in messages for key, fact in facts_of(message)]
        facts += handoff_in(update, source=self._active)
        # What this process has put on record is there: looking again would cost a transaction each time.
        facts = [(key, fact) for key, fact in facts if key not in self._on_record]
        if not facts:
            return []

        async def work(tx: Transaction) -> list[Fact]:
            await tx.sessions.lock(self._run.session_id)
            await tx.runs.hold(self._run)
            return [
                fact
                for key, fact in facts
                if await tx.events.append_once(self._run.session_id, fact, by=self._by, key=key)
            ]

        new = await self._store.write(work)
        self._on_record.update(key for key, _ in facts)
        return new

    async def record_again(self, messages: Sequence[BaseMessage]) -> list[Fact]:
        """Put on record what is not there yet, of messages that most likely are: a look costs less than a try."""
        keys = [key for message in messages for key, _ in facts_of(message) if key not in self._on_record]
        if keys:
            self._on_record |= await self._store.look(lambda tx: tx.events.keys_among(self._run.session_id, keys))
        return await self.record(messages)

    def _told(self, fact: Fact) -> Fact:
        if isinstance(fact, ToolCalled | ToolFinished) and fact.tool in self._backstage:
            fact = fact.model_copy(update={"backstage": True})
        return self._sensitive.told(fact)
