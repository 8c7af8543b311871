"""The runner: drives one run of an agent from where it stands to its next pause or its end.

Where a run stands is read from LangGraph's checkpoint, never remembered: so the same code starts a run, resumes it,
and recovers it after a crash.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot
from pydantic import JsonValue

from handraise.core.actors import SERVICE, Actor
from handraise.core.effects.effect import Effect
from handraise.core.effects.ledger import offering
from handraise.core.log.facts import RequestOpened, RunFinished, SessionChanged, ToolFinished
from handraise.core.masking import Secrets
from handraise.core.requests import Request
from handraise.core.runs import Run
from handraise.dialects.dialect import RawInterrupt
from handraise.dialects.registry import write_resume
from handraise.engine.checkpoints.fence import driving
from handraise.engine.checkpoints.strictness import STRICT_RESUME
from handraise.engine.desk.customer_notices import tell_waiting
from handraise.engine.intake.audience import Audience
from handraise.engine.intake.breakpoints import Breakpoints
from handraise.engine.intake.intake import Intake
from handraise.engine.intake.quotas import Quotas
from handraise.engine.intake.sensitive import Sensitive
from handraise.engine.loading import Agent
from handraise.engine.runs.deltas import Delta, Deltas
from handraise.engine.runs.ledger import RunLedger
from handraise.engine.runs.recording import Recording
from handraise.engine.runs.run_input import MARK, input_of, open_calls, since_delivery, was_delivered
from handraise.engine.runs.spans import Spans
from handraise.engine.runs.tools import backstage_of, declared_of, schemas_of
from handraise.engine.runs.transcript import active_agent_in, messages_in
from handraise.store.store import Store, Transaction

HOOKS = (".after_model", ".after_agent")
"""Nodes in which LangChain's middleware looks at what a model said: it is recorded with what becomes of it, most
often a pause or the end, instead of a moment before."""

Answers = dict[str, JsonValue]


class Runner:
    """Drives the runs of one agent."""

    def __init__(
        self,
        *,
        name: str,
        agent: Agent,
        store: Store,
        deltas: Deltas,
        quotas: Quotas,
        audience: Audience,
        sensitive: Sequence[str],
        secrets: Secrets,
        spans: Spans | None = None,
    ) -> None:
        self._actor = Actor(kind="agent", id=name)
        self._agent = agent
        self._store = store
        self._deltas = deltas
        self._quotas = quotas
        self._sensitive = Sensitive(declared_of(agent), names=sensitive, secrets=secrets)
        self._intake = Intake(schemas=schemas_of(agent), quotas=quotas, audience=audience, sensitive=self._sensitive)
        self._backstage = backstage_of(agent)
        self._breakpoints = Breakpoints(agent)
        self._spans = spans or Spans()
        self._ledgers: dict[str, RunLedger] = {}

    async def drive(self, run: Run) -> None:
        """Drive `run` until it pauses or ends. Raises LeaseLost as soon as another process owns it."""
        ledger = self._ledgers[run.id] = RunLedger(self._store, run, spans=self._spans)
        try:
            with driving(run), offering(ledger), self._spans.agent(self._actor.id, run):
                await self._drive(run)
        finally:
            ledger.close()
            if self._ledgers.get(run.id) is ledger:
                del self._ledgers[run.id]

    async def until_quiet(self, run_id: str) -> None:
        """Let a run start no more effects, and wait until none of its tools is at work."""
        if ledger := self._ledgers.get(run_id):
            await ledger.until_quiet()

    async def _drive(self, run: Run) -> None:
        config: RunnableConfig = {
            "configurable": {"thread_id": run.session_id, STRICT_RESUME: True},
            "metadata": {MARK: run.id},
        }
        recording = Recording(self._store, run, by=self._actor, sensitive=self._sensitive, backstage=self._backstage)
        # A run that was claimed before has most likely asked, and is answered now.
        asked = self._store.read_one(lambda tx: tx.requests.of_run(run.id)) if run.epoch > 1 else _nothing()
        snapshot, recorded = await asyncio.gather(self._agent.aget_state(config), asked)
        answers: Answers | None = None
        if was_delivered(run, snapshot):
            answers = self._given(run, self._pending(snapshot), recorded)
        else:
            await self._stream(
                run, await self._input(run, snapshot), config, recording.with_agent(active_agent_in(snapshot.values))
            )
            snapshot = await self._agent.aget_state(config)
        while True:
            recording.with_agent(active_agent_in(snapshot.values))
            so_far, new = since_delivery(run, snapshot), []
            if answers is not None:
                # What was asked is recorded, and with it all that was said before.
                recording.mark_recorded(so_far)
            else:
                new = await recording.record_missing(so_far)
            if any(isinstance(fact, ToolFinished) for fact in new):
                await self._record_step_before(snapshot, config, recording)
            if _is_at_its_end(snapshot):
                await self._finish(run, recording)
                return
            if answers is None:
                answers = await self._answers(run, self._pending(snapshot), snapshot, recording)
            if answers is None:
                return
            if snapshot.interrupts:
                await self._stream(run, Command(resume=answers), config, recording)
            else:
                await self._breakpoints.apply(snapshot, answers, config)
                await self._stream(run, None, config, recording)
            snapshot, answers = await self._agent.aget_state(config), None

    def _pending(self, snapshot: StateSnapshot) -> list[RawInterrupt]:
        return self._breakpoints.pending(snapshot) or _interrupts(snapshot)

    async def _record_step_before(self, snapshot: StateSnapshot, config: RunnableConfig, recording: Recording) -> None:
        """Record what the messages of a step that a crash cut off do not tell: that the conversation was handed on."""
        if active_agent_in(snapshot.values) is None:
            return
        async for before in self._agent.aget_state_history(config, before=snapshot.config, limit=1):
            known = {message.id for message in messages_in(before.values)}
            fresh = [message for message in messages_in(snapshot.values) if message.id not in known]
            moved = {"active_agent": active_agent_in(snapshot.values), "messages": fresh}
            await recording.with_agent(active_agent_in(before.values)).record(fresh, update=moved)
        recording.with_agent(active_agent_in(snapshot.values))

    async def _stream(self, run: Run, input: Any, config: RunnableConfig, recording: Recording) -> None:
        stream = self._agent.astream(input, config, stream_mode=["updates", "messages", "tasks"], durability="sync")
        written: Counter[str] = Counter()
        part: Any
        async for mode, part in stream:
            if mode == "messages":
                self._pass_on(run, part[0], written)
            elif mode == "updates":
                for update in part.values():
                    recording.add_unsaved(update)
            elif "input" in part:
                # A task starts: so the step before it is saved.
                recording.mark_saved()
                if not part["name"].endswith(HOOKS):
                    await recording.record_pending()
        recording.mark_saved()

    def _pass_on(self, run: Run, message: BaseMessage, written: Counter[str]) -> None:
        if isinstance(message, AIMessageChunk) and message.id and message.text:
            self._deltas.publish(Delta(run.session_id, message.id, message.text, start=written[message.id]))
            written[message.id] += len(message.text)

    async def _input(self, run: Run, snapshot: StateSnapshot) -> dict[str, Any]:
        """Return what a run begins with; its session is active again, whatever became of the run before it."""

        async def work(tx: Transaction) -> list[Effect]:
            session = await tx.sessions.lock_for(run)
            if session.status in {"error", "timeout"}:
                session = await tx.sessions.move(session, "continue")
                tx.events.append(session.id, SessionChanged(status=session.status), by=SERVICE)
            return await tx.effects.of_session(session.id) if open_calls(snapshot) else []

        return input_of(run, snapshot, effects=await self._store.write(work))

    def _given(self, run: Run, pending: Sequence[RawInterrupt], recorded: Sequence[Request]) -> Answers | None:
        """Return the resume value of every pending interrupt, if all that they ask was asked and answered before."""
        asked = _asked_by(pending, recorded)
        if not pending or not all(asked.values()) or _is_any_open(asked):
            return None
        self._spans.reviewed(run, [request for requests in asked.values() for request in requests])
        return _resume_values(asked)

    async def _answers(
        self, run: Run, pending: Sequence[RawInterrupt], snapshot: StateSnapshot, recording: Recording
    ) -> Answers | None:
        """Return the resume value of every pending interrupt, or pause the run and return None."""
        if not pending:
            return {}
        agent, messages = active_agent_in(snapshot.values) or self._actor.id, messages_in(snapshot.values)
        span = self._spans.context()

        async def work(tx: Transaction) -> tuple[Answers | None, list[Request]]:
            session = await tx.sessions.lock_for(run)
            await recording.append_pending(tx)
            recorded = await tx.requests.of_run(run.id)
            known = {request.id for request in recorded}
            opened: list[Request] = []
            for request in self._intake.requests(pending, run=run, session=session, agent=agent, messages=messages):
                if request.id not in known and await tx.requests.open(request):
                    opened.append(request)
                    tx.events.append(run.session_id, RequestOpened(request=request), by=self._actor)
            if opened:
                recorded = await tx.requests.of_run(run.id)
            by_interrupt = _asked_by(pending, recorded)
            of_these = [request for requests in by_interrupt.values() for request in requests]
            if not _is_any_open(by_interrupt):
                return _resume_values(by_interrupt), of_these
            await self._quotas.check(tx, session_id=run.session_id, run_id=run.id)
            await tx.runs.pause(run, trace=span)
            await tell_waiting(tx, session, opened, messages)
            if session.status != "waiting_for_human":
                session = await tx.sessions.move(session, "wait")
                tx.events.append(run.session_id, SessionChanged(status=session.status), by=SERVICE)
            return None, of_these

        # Nothing is awaited between the pause and its span: a process that stops just then still tells of it.
        answers, of_these = await self._store.write(work)
        recording.mark_pending_recorded()
        if answers is None:
            self._spans.paused(of_these)
        else:
            self._spans.reviewed(run, of_these)
        return answers

    async def _finish(self, run: Run, recording: Recording) -> None:
        async def work(tx: Transaction) -> None:
            await tx.sessions.lock(run.session_id)
            if await tx.runs.finish(run):
                tx.wake("runs")
            await recording.append_pending(tx)
            tx.events.append(run.session_id, RunFinished(run_id=run.id), by=SERVICE)

        await self._store.write(work)


async def _nothing() -> list[Request]:
    return []


def _asked_by(pending: Sequence[RawInterrupt], requests: Sequence[Request]) -> dict[str, list[Request]]:
    return {raw.id: [request for request in requests if request.interrupt_id == raw.id] for raw in pending}


def _is_any_open(asked: Mapping[str, Sequence[Request]]) -> bool:
    return any(request.status == "open" for requests in asked.values() for request in requests)


def _resume_values(asked: Mapping[str, Sequence[Request]]) -> Answers:
    return {interrupt_id: write_resume(requests) for interrupt_id, requests in asked.items()}


def _is_at_its_end(snapshot: StateSnapshot) -> bool:
    # Not `snapshot.next`: after a crash it can be empty with work left.
    return not snapshot.tasks


def _interrupts(snapshot: StateSnapshot) -> list[RawInterrupt]:
    return [
        RawInterrupt(id=interrupt.id, value=interrupt.value, response_schema=interrupt.response_schema)
        for interrupt in snapshot.interrupts
    ]
