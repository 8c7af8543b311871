"""The worker: claims runs and drives many sessions at once, each under a lease that it keeps renewing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Self

import structlog

from handraise.core.actors import SERVICE
from handraise.core.errors import HandraiseError, LeaseLost, Unavailable
from handraise.core.log.facts import RunFailed, SessionChanged
from handraise.core.masking import Secrets
from handraise.core.runs import Run
from handraise.engine.runs.runner import Runner
from handraise.engine.runs.unserved import Unserved
from handraise.runtime.tasks import cancel_and_wait
from handraise.runtime.tracebacks import format_traceback
from handraise.store.connection import to_text
from handraise.store.store import Store, Transaction, Watch

log = structlog.get_logger(__name__)

ATTEMPTS = 3
"""How often a run may fail. A process that is killed, stopped or cut off from its database is no failure of the run."""

UNSERVED = 4
"""How many leases a run waits before it counts as one that nobody takes."""

LAST_WORDS = 5.0
"""How many seconds a run has to end once it is cancelled, before the process goes on without it."""

WHEN_BACK = timedelta(seconds=1)


@dataclass(frozen=True)
class _Driven:
    run: Run
    task: asyncio.Task[None]


class Worker:
    """Runs what is queued, until it is closed; what is then unfinished goes back to its place in the queue."""

    def __init__(
        self,
        *,
        store: Store,
        runners: Mapping[str, Runner],
        lease: timedelta,
        at_once: int,
        grace: timedelta,
        secrets: Secrets,
    ) -> None:
        self._store = store
        self._runners = runners
        self._lease = lease
        self._at_once = at_once
        self._grace = grace
        self._secrets = secrets
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._driven: dict[str, _Driven] = {}
        self._has_room = False
        self._agents = list(runners)
        self._unserved = Unserved(store, agents=[*runners], patience=lease * UNSERVED)
        self._renewed = time.monotonic()
        self._looked = self._renewed
        self._loops: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._loops = [
            asyncio.create_task(self._claim_until_closed(), name="handraise-worker"),
            asyncio.create_task(self._renew_until_closed(), name="handraise-leases"),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        claiming, renewing = self._loops
        await cancel_and_wait(claiming)
        await self._let_effects_finish()
        await cancel_and_wait(renewing)
        # What an agent does with its cancellation is its own affair; the fence keeps it from doing harm.
        for task in await cancel_and_wait(*(driven.task for driven in self._driven.values()), within=LAST_WORDS):
            log.warning("run.does_not_stop", task=str(task))
        with contextlib.suppress(HandraiseError):
            await self._store.write(self._release)

    @property
    def alive(self) -> bool:
        """Return whether runs are being claimed and leases renewed."""
        late = time.monotonic() - self._looked > 4 * self._lease.total_seconds()
        return bool(self._loops) and not any(loop.done() for loop in self._loops) and not late

    async def _let_effects_finish(self) -> None:
        """Wait a little for tools that are at work: one that is cut off leaves a question to a person."""
        waiting = [
            asyncio.ensure_future(runner.until_quiet(run_id))
            for runner in self._runners.values()
            for run_id in self._driven
        ]
        if waiting:
            _, late = await asyncio.wait(waiting, timeout=self._grace.total_seconds())
            await cancel_and_wait(*late)

    async def _release(self, tx: Transaction) -> None:
        if await tx.runs.release(owner=self._owner):
            tx.wake("runs")

    async def _claim_until_closed(self) -> None:
        with self._store.watch("runs") as watch:
            woken = False
            while True:
                # A wake-up may get lost with a connection, and a lease may run out elsewhere: look anyway.
                wait = self._lease / 3
                self._looked = time.monotonic()
                try:
                    while len(self._driven) < self._at_once:
                        run, next_look = await self._claim(at_once=woken)
                        woken = False
                        if run is None:
                            wait = min(wait, next_look)
                            break
                        self._start(run, watch)
                except HandraiseError as error:
                    log.warning("worker.waits", error=str(error))
                except Exception as error:  # whatever it was, a process that claims nothing any more helps nobody
                    log.exception("worker.waits", exc_info=False, exception=format_traceback(error))
                woken = await watch.wait(at_most=wait.total_seconds()) and not self._has_room
                self._has_room = False

    async def _claim(self, *, at_once: bool) -> tuple[Run | None, timedelta]:
        """Return a run, or how long it is until there may be one. Without `at_once`, most likely there is none."""
        if time.monotonic() - self._renewed > self._lease.total_seconds() / 2:
            # This process stood still. What it drives is still its own, unless another has taken it.
            await self._renew()

        if not at_once:
            # A look costs a fraction of an attempt.
            wait = await self._store.read_one(lambda tx: tx.runs.until_next(agents=self._agents))
            if wait is None or wait > timedelta():
                return None, wait or self._lease
        # Each agent comes first in its turn, so that none waits forever behind a busy one.
        self._agents.append(self._agents.pop(0))

        for agent in self._agents:

            async def work(tx: Transaction, agent: str = agent) -> Run | None:
                driven = [*self._driven]
                return await tx.runs.claim(owner=self._owner, lease=self._lease, agent=agent, but_not=driven)

            if run := await self._store.write_one(work):
                return run, timedelta()
        wait = await self._store.read_one(lambda tx: tx.runs.until_later(agents=self._agents))
        return None, wait or self._lease

    def _start(self, run: Run, watch: Watch) -> None:
        task = asyncio.create_task(self._work_on(run), name=f"handraise-{run.id}")
        driven = self._driven[run.id] = _Driven(run, task)

        def forget(_: object) -> None:
            if self._driven.get(run.id) is driven:
                del self._driven[run.id]
            # There may be one that waited for room, or this one again. Most often there is none, which a look tells.
            self._has_room = True
            watch.fire()

        task.add_done_callback(forget)

    async def _work_on(self, run: Run) -> None:
        with structlog.contextvars.bound_contextvars(run_id=run.id, session_id=run.session_id):
            await self._try(run)

    async def _try(self, run: Run) -> None:
        try:
            await self._runners[run.agent].drive(run)
        except LeaseLost as lost:
            log.warning("run.lost", run_id=run.id, session_id=run.session_id, error=str(lost))
        except Unavailable as away:
            log.warning("run.waits", run_id=run.id, session_id=run.session_id, error=str(away))
            await self._put_back(run)
        except Exception as error:
            log.exception(
                "run.failed",
                run_id=run.id,
                session_id=run.session_id,
                exc_info=False,
                exception=format_traceback(error),
            )
            await self._give_back(run, f"{type(error).__name__}: {error}")
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Nobody cancelled this task: something inside the agent did, and it would do so again and again.
            await self._give_back(run, "CancelledError: something inside the agent cancelled it")

    async def _renew_until_closed(self) -> None:
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            try:
                await self._renew()
                await self._unserved.report()
            except HandraiseError as error:
                log.warning("leases.not_renewed", error=str(error))
            except Exception as error:  # another try may do better, and without a lease every run is lost
                log.exception("leases.not_renewed", exc_info=False, exception=format_traceback(error))

    async def _renew(self) -> None:
        began, driven = time.monotonic(), [*self._driven.values()]

        async def work(tx: Transaction) -> list[_Driven]:
            lost = []
            for each in driven:
                try:
                    await tx.runs.renew(each.run, lease=self._lease)
                except LeaseLost:
                    # One that this process has just ended is not lost; its task only has not returned yet.
                    if not await tx.runs.is_over(each.run):
                        lost.append(each)
            return lost

        for lost in await self._store.write(work) if driven else []:
            if not lost.task.done():
                log.warning("run.lost", run_id=lost.run.id, session_id=lost.run.session_id, epoch=lost.run.epoch)
                lost.task.cancel()
        self._renewed = began

    async def _put_back(self, run: Run) -> None:
        """Let a run go on when the database is back."""

        async def work(tx: Transaction) -> None:
            await tx.runs.retry(run, after=WHEN_BACK)
            tx.wake("runs")

        while True:
            try:
                await self._store.write(work)
            except Unavailable:
                await asyncio.sleep(WHEN_BACK.total_seconds())
            except LeaseLost:
                return
            else:
                return

    async def _give_back(self, run: Run, reason: str) -> None:
        """Try again a little later, or give up and say so in the session's events."""
        # What an error says may hold anything; if it could not be stored, the failure would never be counted.
        reason = to_text(self._secrets.scrub(reason))
        failures = run.attempts + 1
        final = failures >= ATTEMPTS

        async def work(tx: Transaction) -> None:
            session = await tx.sessions.lock(run.session_id)
            if final:
                await tx.runs.fail(run, error=reason)
                session = await tx.sessions.move(session, "fail")
                tx.events.append(session.id, SessionChanged(status=session.status, reason=reason), by=SERVICE)
            else:
                await tx.runs.retry(run, after=_backoff(failures), error=reason)
            tx.events.append(session.id, RunFailed(run_id=run.id, error=reason, final=final), by=SERVICE)
            tx.wake("runs")

        try:
            await self._store.write(work)
        except HandraiseError as error:
            # Its lease runs out, and then it is taken up again.
            log.warning("run.not_given_back", run_id=run.id, session_id=run.session_id, error=str(error))


def _backoff(failures: int) -> timedelta:
    return timedelta(seconds=2**failures)
