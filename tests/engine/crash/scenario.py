"""One conversation with one approval, played by a process that may die at any point and be followed by another.

Every process plays the same: the customer writes what is not on record yet, the operator answers what is open, and it
ends when every message has its answer. Whatever was acknowledged goes into a file of its own.
"""

from __future__ import annotations

import asyncio
import dataclasses
import signal
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.core.errors import Conflict, HandraiseError
from handraise.core.requests import Request
from handraise.engine.engine import Engine, Pace
from handraise.store.store import Transaction
from tests.engine.crash.agents import AgentKind, agent_of
from tests.engine.crash.points import Points
from tests.engine.crash.switches import Switch, switched_off
from tests.engine.world import ANN, CUSTOMER, Bank, open_requests, running

Verdict = Literal["approve", "edit", "reject"]
Settles = Literal["truth", "ran", "run_again", "leave"]

FIRST, SECOND = "pay please", "hello?"
AMOUNT, EDITED = 42.5, 7.0
DECISIONS: dict[Verdict, Approve | Edit | Reject] = {
    "approve": Approve(),
    "edit": Edit(args={"amount": EDITED}),
    "reject": Reject(reason="no budget"),
}
SAID_BY_A_PERSON = "paid, says the bank"
PATIENCE = 90.0


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What one process plays; `folder` keeps what must outlive it."""

    url: str
    folder: str
    agent: AgentKind = "batched"
    verdict: Verdict = "approve"
    settles: Settles = "truth"
    at: int | str | None = None
    sent: int = signal.SIGKILL
    lease: float = 0.6
    slow: float = 0.0
    operator: str = "ann"
    opponent: str = ""
    """A second operator at this process, who rejects what the first one decides."""
    sessions: int = 1
    writes: bool = True
    decides: bool = True
    """Whether the customer, and the operator, are at this process; without both it only runs what is queued."""
    off: tuple[Switch, ...] = field(default=())

    @property
    def customer(self) -> str:
        """Who writes: many scenarios may share a database, each with its own customer."""
        return Path(self.folder).name

    @property
    def bank(self) -> Bank:
        return Bank(Path(self.folder) / "payments")

    @property
    def acknowledged(self) -> Path:
        return Path(self.folder) / "acknowledged"

    @property
    def output(self) -> Path:
        return Path(self.folder) / "output"

    @property
    def trace(self) -> Path:
        return Path(self.folder) / f"trace-{self.operator}"


def play(scenario: Scenario) -> int:
    """Play a scenario in this process, and return its exit code."""
    return asyncio.run(_play(scenario))


async def _play(scenario: Scenario) -> int:
    points = Points(at=scenario.at, sent=scenario.sent, trace=scenario.trace)
    points.instrument()
    agent = agent_of(scenario.agent, scenario.bank, slow=scenario.slow, point=points)
    pace = Pace(lease=timedelta(seconds=scenario.lease))
    with switched_off(*scenario.off):
        async with running(scenario.url, agent, pace=pace) as engine:
            try:
                async with asyncio.timeout(PATIENCE):
                    await _play_tables(scenario, engine)
            except TimeoutError:
                return 3
    return 0


async def _play_tables(scenario: Scenario, engine: Engine) -> None:
    async with asyncio.TaskGroup() as tables:
        tables.create_task(_Table(scenario, engine).play())
        if scenario.opponent:
            opposed = dataclasses.replace(scenario, operator=scenario.opponent, verdict="reject", writes=False)
            tables.create_task(_Table(opposed, engine).play())


class _Table:
    """The customer's and the operator's side of the table."""

    def __init__(self, scenario: Scenario, engine: Engine) -> None:
        self._scenario = scenario
        self._engine = engine

    async def play(self) -> None:
        with self._engine.store.watch("events") as watch:
            while not await self._all_answered():
                try:
                    if self._scenario.writes:
                        await self._customer()
                    if self._scenario.decides:
                        await self._operator()
                except HandraiseError as error:
                    if not isinstance(error, Conflict):
                        await asyncio.sleep(0.1)
                await watch.wait(at_most=0.1)

    async def _customer(self) -> None:
        sessions = await self._sessions()
        for _ in range(len(sessions), self._scenario.sessions):
            sessions.append((await self._engine.conversations.create(customer=self._scenario.customer)).id)
        for session_id in sessions:
            names, texts = await self._record_of(session_id)
            if FIRST not in texts:
                await self._send(session_id, FIRST)
            elif SECOND not in texts and ("request.opened" in names or "run.finished" in names):
                await self._send(session_id, SECOND)

    async def _operator(self) -> None:
        for session_id in await self._sessions():
            _, texts = await self._record_of(session_id)
            # The second message always comes while the first one's request is open.
            for request in await open_requests(self._engine, session_id) if SECOND in texts else []:
                by = ANN.model_copy(update={"id": self._scenario.operator})
                settles = request.kind == "settlement"
                answer = self._settlement(request) if settles else DECISIONS[self._scenario.verdict]
                await self._engine.inbox.decide(request.id, _in_words_of(request, answer), by=by)
                self._note(f"{request.id} {answer.type} {by.id}")

    def _settlement(self, request: Request) -> Respond:
        paid = len(self._scenario.bank.payments)
        chosen = self._scenario.settles
        if chosen == "truth":
            chosen = "ran" if paid else "run_again"
        # Before it is decided: a process that dies in between must not leave it out.
        self._note(f"paid {paid} before {request.id}")
        return Respond(selected_option=chosen, text=SAID_BY_A_PERSON if chosen == "ran" else "")

    async def _send(self, session_id: str, text: str) -> None:
        message = await self._engine.conversations.send(session_id, text, by=CUSTOMER)
        self._note(f"{message.message_id} sent {session_id}")

    async def _sessions(self) -> list[str]:
        return await self._engine.store.read(lambda tx: sessions_of_customer(tx, self._scenario.customer))

    async def _record_of(self, session_id: str) -> tuple[set[str], set[str]]:
        events = await self._engine.store.read(lambda tx: tx.events.of_session(session_id, limit=10_000))
        texts = {event.fact.text for event in events if event.fact.name == "message.received"}
        return {event.fact.name for event in events}, texts

    async def _all_answered(self) -> bool:
        sessions = await self._sessions()
        records = [await self._record_of(session_id) for session_id in sessions]
        if len(sessions) < self._scenario.sessions or any({FIRST, SECOND} - texts for _, texts in records):
            return False
        unfinished = [await self._engine.store.read(lambda tx, s=s: tx.runs.unfinished(s)) for s in sessions]  # type: ignore[misc]  # a default is untyped
        return not any(unfinished)

    def _note(self, line: str) -> None:
        with self._scenario.acknowledged.open("a") as file:
            file.write(f"{line}\n")


def _in_words_of(request: Request, answer: Any) -> Any:
    """The agent inbox has no word for a rejection; there a person answers in the tool's place."""
    if isinstance(answer, Reject) and "reject" not in request.allowed:
        return Respond(text=answer.reason)
    return answer


async def sessions_of_customer(tx: Transaction, customer: str) -> list[str]:
    """Return the ids of a customer's sessions."""
    found = await tx.connection.all(
        "SELECT id FROM sessions WHERE customer = :customer ORDER BY id", {"customer": customer}
    )
    return [row[0] for row in found]
