"""The ledger in the database: what a run's tools really did, through crashes and takeovers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, TypeVar, assert_never

from pydantic import JsonValue

from handraise.core.actors import SERVICE
from handraise.core.effects.effect import Effect, effect_id
from handraise.core.effects.ledger import Done, EffectCall, Fresh, Left, Settlement, Unknown
from handraise.core.errors import Conflict, LeaseLost, Unavailable
from handraise.core.log.facts import RequestDoubted, RequestSettled
from handraise.core.requests import Request
from handraise.core.runs import Run
from handraise.core.states import EffectMove, next_effect_status
from handraise.engine.runs.spans import Spans
from handraise.store.store import Store, Transaction

T = TypeVar("T")
State = Fresh | Done | Unknown | Left

WAITS = (0.2, 0.5, 1, 2, 4, 8, 15)
"""How long a result that cannot be written waits between tries, in seconds."""


class RunLedger:
    """The ledger that one run offers to its tools. Every entry carries the run's epoch."""

    def __init__(self, store: Store, run: Run, *, spans: Spans | None = None) -> None:
        self._store = store
        self._run = run
        self._spans = spans or Spans()
        self._traced: dict[str, Any] = {}
        self._loop = asyncio.get_running_loop()
        self._at_work = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._starting = asyncio.Lock()
        self._closed = False

    async def until_quiet(self) -> None:
        """Let no more effects start, and wait until those at work have finished."""
        self._closed = True
        await self._quiet.wait()

    def close(self) -> None:
        """Nothing is at work any more: its run is not driven."""
        for span in self._traced.values():
            if span is not None:
                span.end()
        self._quiet.set()

    async def start(self, call: EffectCall, /) -> State:
        if self._closed:
            raise self._stopped()

        async def again(tx: Transaction) -> State:
            await self._hold(tx)
            return await self._again(tx, call, await tx.effects.get(self._id(call)))

        async def write() -> State:
            # One after the other: each must see which approvals the others use. No other process starts any.
            async with self._starting:
                fresh = await self._effect(call)
                started = await self._store.write_one(lambda tx: tx.effects.start(fresh, run=self._run))
            return Fresh(fresh.id) if started else await self._store.write(again)

        return await self._begin(call, write)

    async def settle(self, call: EffectCall, settlement: Settlement, result: JsonValue, /, *, times: int) -> State:
        async def work(tx: Transaction) -> State:
            now = await self._hold(tx)
            effect = await tx.effects.get(self._id(call))
            if effect.status != "indeterminate" or effect.doubts != times:
                return await self._again(tx, call, effect)
            await self._settle_request(tx, effect, settlement)
            match settlement:
                case "ran":
                    await self._change(tx, effect, settlement, result=result, finished_at=now)
                    return Done(result)
                case "run_again":
                    await self._change(tx, effect, settlement, epoch=self._run.epoch, started_at=now)
                    return Fresh(effect.id)
                case "leave":
                    await self._change(tx, effect, settlement, finished_at=now)
                    return Left()
                case _ as never:
                    assert_never(never)

        return await self._begin(call, lambda: self._store.write(work))

    async def finish(self, call: EffectCall, result: JsonValue, /) -> None:
        async def at_once(tx: Transaction) -> bool:
            return await tx.effects.finish(self._id(call), result, run=self._run)

        async def work(tx: Transaction) -> None:
            now = await self._hold(tx)
            effect = await tx.effects.get(self._id(call))
            if effect.status != "done":  # it is, when the answer to the first try was lost on its way
                await self._change(tx, effect, "finish", result=result, finished_at=now)

        async def write() -> None:
            # What is not as it was left is looked at in full, to say what became of it.
            if not await self._store.write_one(at_once):
                await self._store.write(work)

        await self._end(call, write)

    async def suspend(self, call: EffectCall, /) -> None:
        async def work(tx: Transaction) -> None:
            await self._hold(tx)
            await self._change(tx, await tx.effects.get(self._id(call)), "suspend")

        await self._end(call, lambda: self._store.write(work))

    def wait(self, answer: Awaitable[T], /) -> T:
        async def waiting() -> T:
            return await answer

        return asyncio.run_coroutine_threadsafe(waiting(), self._loop).result()

    async def _begin(self, call: EffectCall, write: Callable[[], Awaitable[State]]) -> State:
        """Write that a tool starts, if it may. It counts as at work from before that: a stop waits for the answer."""
        self._at_work += 1
        self._quiet.clear()
        try:
            state = await write()
        except BaseException:
            self._rested()
            raise
        if not isinstance(state, Fresh):
            self._rested()
            return state
        self._traced[self._id(call)] = self._spans.tool(call)
        if self._closed:
            # It was told to stop while this was being written. Nothing has run, and nobody need be asked about it.
            await self.suspend(call)
            raise self._stopped()
        return state

    def _stopped(self) -> LeaseLost:
        return LeaseLost(f"Run {self._run.id} stops here.", fix="It goes on when a process takes it up again.")

    def _ended(self, call: EffectCall) -> None:
        if (span := self._traced.pop(self._id(call), None)) is not None:
            span.end()
        self._rested()

    def _rested(self) -> None:
        self._at_work -= 1
        if self._at_work == 0:
            self._quiet.set()

    async def _end(self, call: EffectCall, write: Callable[[], Awaitable[None]]) -> None:
        """Write what a tool did even when the database is away for a while: nobody else knows it."""
        try:
            for wait in WAITS:
                try:
                    return await write()
                except Unavailable:
                    await asyncio.sleep(wait)
            return await write()
        finally:
            self._ended(call)

    async def _again(self, tx: Transaction, call: EffectCall, effect: Effect) -> State:
        """Say what a call that was started before may do now."""
        if effect.digest != call.digest:
            raise Conflict(
                f"The call {call.tool_call_id!r} of {call.tool} was started with other arguments.",
                fix="Nothing was run; a changed call needs an approval of its own.",
            )
        match effect.status:
            case "done":
                return Done(effect.result)
            case "left":
                return Left()
            case "indeterminate":
                return Unknown(effect.doubts)
            case "suspended":
                await self._change(tx, effect, "go_on", epoch=self._run.epoch)
                return Fresh(effect.id)
            case "started" if call.repeatable:
                await self._change(tx, effect, "go_on", epoch=self._run.epoch)
                return Fresh(effect.id)
            case "started":
                await self._change(tx, effect, "doubt", doubts=effect.doubts + 1)
                await self._doubt_request(tx, effect)
                return Unknown(effect.doubts + 1)
            case _ as never:
                assert_never(never)

    async def _hold(self, tx: Transaction) -> datetime:
        """Keep every other writer off the session and the run, and return the time."""
        return (await tx.sessions.lock_for(self._run)).updated_at

    async def _change(self, tx: Transaction, effect: Effect, move: EffectMove, **changes: Any) -> None:
        changed = effect.model_copy(update={"status": next_effect_status(effect.status, move), **changes})
        if not await tx.effects.change(changed, expect=effect):
            raise AssertionError("the session is locked, so nobody else changes its effects")

    async def _effect(self, call: EffectCall) -> Effect:
        request = await self._request_for(call)
        return Effect(
            id=self._id(call),
            session_id=self._run.session_id,
            run_id=self._run.id,
            request_id=request.id if request else None,
            tool=call.tool,
            tool_call_id=call.tool_call_id,
            digest=call.digest,
            epoch=self._run.epoch,
        )

    async def _request_for(self, call: EffectCall) -> Request | None:
        """Return the approval that this call uses: one with its digest that no other effect has used."""
        return next(
            (
                request
                for request in await self._store.read_one(lambda tx: tx.requests.unused_of_run(self._run.id))
                if request.approved_digest == call.digest and request.tool_call_id in {"", call.tool_call_id}
            ),
            None,
        )

    async def _doubt_request(self, tx: Transaction, effect: Effect) -> None:
        if effect.request_id is None:
            return
        doubted = (await tx.requests.get(effect.request_id)).doubt()
        await tx.requests.update(doubted)
        tx.events.append(effect.session_id, RequestDoubted(request=doubted), by=SERVICE)

    async def _settle_request(self, tx: Transaction, effect: Effect, settlement: Settlement) -> None:
        if effect.request_id is None:
            return
        settled = (await tx.requests.get(effect.request_id)).settle()
        await tx.requests.update(settled)
        tx.events.append(effect.session_id, RequestSettled(request=settled, settlement=settlement), by=SERVICE)

    def _id(self, call: EffectCall) -> str:
        return effect_id(session_id=self._run.session_id, place=call.place, tool_call_id=call.tool_call_id)
