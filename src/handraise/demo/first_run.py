"""The first run: conversations that the engine plays before the service opens, so that the console is not empty.

Nothing is written by hand: the scripted customers write, the agents ask, two operators decide, and what is left open is
left open. So deadlines count from the start, and everything can be carried on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from handraise.agents.ask_human.tool import AskHumanAgentTool
from handraise.core.actors import Actor
from handraise.core.knowledge import Entry
from handraise.demo.entries import ENTRIES
from handraise.demo.shop import build_agent
from handraise.demo.stories import (
    ADA,
    AFTERWARDS,
    LIN,
    NEARLY_DUE,
    PAST,
    PUBLISHED,
    UNANSWERED,
    WAITING,
    Decided,
    Story,
)
from handraise.engine.engine import Engine
from handraise.knowledge.curation import Curation
from handraise.store.store import Store, Transaction
from handraise.store.tables.sessions import SessionFilter

PATIENT = timedelta(hours=8)
NEARLY_OVER = timedelta(minutes=4)
OVER = timedelta(milliseconds=50)

LONGEST = 30
"""How many seconds a conversation may take to come to rest, on the slowest machine."""


@dataclass(frozen=True, kw_only=True)
class FirstRun:
    """Fills an empty store, once."""

    store: Store
    database_url: str
    shop_file: Path
    agent: str

    async def play(self) -> bool:
        """Play every conversation, unless the store has seen any. Return whether it did."""
        used = await self.store.read(lambda tx: tx.sessions.page(SessionFilter(), limit=1))
        if used.items:
            return False
        curation = Curation(self.store)
        for position, entry in enumerate(ENTRIES):
            await curation.draft(entry, by=_operator(LIN if position % 2 else ADA), publish=True)
        ask = AskHumanAgentTool()
        agent = build_agent(self.shop_file, ask=ask, approval_timeout=PATIENT)
        async with Engine(store=self.store, database_url=self.database_url, agents={self.agent: agent}) as engine:
            ask.timeout_seconds = PATIENT.total_seconds()
            await self._tell(engine, PAST)
            await self._publish_what_was_learned(curation)
            await self._tell(engine, [*AFTERWARDS, *WAITING])
            ask.timeout_seconds = NEARLY_OVER.total_seconds()
            await self._tell(engine, NEARLY_DUE)
            ask.timeout_seconds, ask.fallback = OVER.total_seconds(), "ticket"
            await self._tell(engine, UNANSWERED, until_over=True)
        return True

    async def _tell(self, engine: Engine, stories: Iterable[Story], *, until_over: bool = False) -> None:
        await asyncio.gather(*(self._tell_one(engine, story, until_over=until_over) for story in stories))

    async def _tell_one(self, engine: Engine, story: Story, *, until_over: bool) -> None:
        session = await engine.conversations.create(customer=story.customer, language=story.language)
        customer = Actor(kind="customer", id=story.customer, channel="chat")
        for step in story.steps:
            if isinstance(step, Decided):
                await self._decide(engine, session.id, step)
            else:
                await engine.conversations.send(session.id, step, by=customer)
            await self._come_to_rest(session.id, until_over=until_over)

    async def _decide(self, engine: Engine, session_id: str, step: Decided) -> None:
        asked = await self.store.read(lambda tx: tx.requests.of_session(session_id))
        [request] = [request for request in asked if request.status == "open"]
        await engine.inbox.claim(request.id, by=_operator(step.by))
        await engine.inbox.decide(request.id, step.decision, by=_operator(step.by))

    async def _come_to_rest(self, session_id: str, *, until_over: bool) -> None:
        """Wait until the agent has answered, or waits for a person."""

        async def rests(tx: Transaction) -> bool:
            if not until_over and (await tx.sessions.get(session_id)).status == "waiting_for_human":
                return True
            return not await tx.runs.unfinished(session_id)

        with self.store.watch("events") as watch:
            async with asyncio.timeout(LONGEST):
                while not await self.store.read(rests):
                    await watch.wait(at_most=1)

    async def _publish_what_was_learned(self, curation: Curation) -> None:
        async def learned(tx: Transaction) -> list[Entry]:
            return (await tx.knowledge.list(status="draft", limit=10, cursor=None)).items

        with self.store.watch("events") as watch:
            async with asyncio.timeout(LONGEST):
                while not (wanted := [e for e in await self.store.read(learned) if PUBLISHED in e.question]):
                    await watch.wait(at_most=0.05)
        await curation.publish(wanted[0].id, by=_operator(ADA))


def _operator(name: str) -> Actor:
    return Actor(kind="operator", id=name, channel="console")
