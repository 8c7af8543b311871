"""The life of requests against a model of it: claims, decisions, deadlines, stops, crashes, settlements in any order.

Small in the test suite; `make chaos` runs 200 times 30 steps on each database.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from handraise.core.decisions import Approve, Reject
from handraise.core.effects.ledger import Done, EffectCall, Fresh, Left, Settlement, Unknown
from handraise.core.errors import AlreadySettled, ClaimedByAnother
from handraise.core.runs import Run
from handraise.engine.desk.conversations import Conversations
from handraise.engine.desk.inbox import Inbox
from handraise.engine.runs.ledger import RunLedger
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from tests.engine.world import CUSTOMER
from tests.store.samples import ANN, BEN, MINUTE, a_request, a_session

T = TypeVar("T")
EXAMPLES = 20
STEPS = 30
OPERATORS = {"ann": ANN, "ben": BEN}
operators = st.sampled_from(sorted(OPERATORS))


@dataclass
class Expected:
    """What the model expects of one request."""

    status: str = "open"
    claimed_by: str | None = None
    decided_by: str | None = None
    approved: bool = False
    started: int = 0
    effect: str = ""
    doubts: int = 0
    closed: list[str] = field(default_factory=list)


class RequestLife(RuleBasedStateMachine):
    """One session; its agent asks, people and the clock answer, processes die in the middle of effects."""

    loop: asyncio.Runner
    store: Store

    @initialize(count=st.integers(1, 3))
    def begin(self, count: int) -> None:
        # Its agent is called the same, so that a claim finds the runs of this session alone.
        self.session_id = str(uuid.uuid4())
        self.expected: dict[str, Expected] = {}
        self.inbox = Inbox(self.store)
        self.wait(self.store.write(lambda tx: tx.sessions.add(a_session(self.session_id, agent=self.session_id))))
        self.ask(count)

    def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.loop.run(coroutine)

    def pick(self, number: int, *statuses: str) -> str | None:
        names = [name for name, each in self.expected.items() if not statuses or each.status in statuses]
        return names[number % len(names)] if names else None

    def callable(self, status: str) -> list[str]:
        """Return the approved requests of a run that goes on, whose call has not come to its end."""
        return [
            name
            for name, each in self.expected.items()
            if each.status == status and each.approved and not each.effect and not self.waiting
        ]

    def current(self, name: str) -> bool:
        """Return whether a request is one of the run that goes on; earlier runs have ended."""
        return name.rpartition("-")[0] == self.run_id

    @property
    def waiting(self) -> bool:
        return any(each.status == "open" for each in self.expected.values())

    @precondition(lambda self: not self.waiting and not self.callable("decided") and not self.callable("indeterminate"))
    @rule(count=st.integers(1, 3))
    def the_agent_asks(self, count: int) -> None:
        self.ask(count)

    def ask(self, count: int) -> None:
        async def work(tx: Transaction) -> None:
            session = await tx.sessions.lock(self.session_id)
            for before in await tx.runs.unfinished(self.session_id):
                await tx.runs.stop(before)
            await tx.runs.enqueue(run_id=str(uuid.uuid4()), session_id=self.session_id, input={})
            run = await tx.runs.claim(owner="model", lease=MINUTE, agent=self.session_id)
            assert run is not None
            self.run_id = run.id
            now = await tx.now()
            for number in range(count):
                name = f"{run.id}-{number}"
                await tx.requests.open(
                    a_request(name, session_id=self.session_id, run_id=run.id, created_at=now, deadline=now + MINUTE)
                )
                self.expected[name] = Expected()
            await tx.runs.pause(run)
            await tx.sessions.move(session, "wait")

        for each in self.expected.values():
            each.effect = each.effect or "over"
        self.wait(self.store.write(work))

    @rule(number=st.integers(0, 5), by=operators)
    def somebody_claims(self, number: int, by: str) -> None:
        self.attempt(number, by, lambda name: self.inbox.claim(name, by=OPERATORS[by]), claims=by)

    @rule(number=st.integers(0, 5), by=operators)
    def somebody_releases(self, number: int, by: str) -> None:
        self.attempt(number, by, lambda name: self.inbox.release(name, by=OPERATORS[by]), claims=None)

    @rule(number=st.integers(0, 5), by=operators, approves=st.booleans())
    def somebody_decides(self, number: int, by: str, approves: bool) -> None:
        decision = Approve() if approves else Reject()
        if name := self.attempt(number, by, lambda name: self.inbox.decide(name, decision, by=OPERATORS[by])):
            self.close(name, "decided", by)
            self.expected[name].approved = approves

    @precondition(lambda self: self.waiting)
    @rule()
    def all_that_is_open_is_approved(self) -> None:
        for name in [name for name, each in self.expected.items() if each.status == "open"]:
            by = self.expected[name].claimed_by or "ann"
            self.wait(self.inbox.decide(name, Approve(), by=OPERATORS[by]))
            self.close(name, "decided", by)
            self.expected[name].approved = True

    def attempt(self, number: int, by: str, act: Any, *, claims: str | None = None) -> str | None:
        """Do what an operator does; return the request if it worked, and check that it failed where it had to."""
        name = self.pick(number)
        if name is None:
            return None
        each = self.expected[name]
        if each.status != "open":
            with pytest.raises(AlreadySettled) as late:
                self.wait(act(name))
            assert late.value.details["status"] == each.status
            return None
        if each.claimed_by not in (None, by):
            with pytest.raises(ClaimedByAnother):
                self.wait(act(name))
            return None
        self.wait(act(name))
        each.claimed_by = claims
        return name

    @rule(number=st.integers(0, 5))
    def the_clock_expires(self, number: int) -> None:
        name = self.pick(number)
        if name is None:
            return
        past = "UPDATE requests SET deadline = now_us() - 1 WHERE id = :id"
        self.wait(self.store.write(lambda tx: tx.connection.run(past, {"id": name})))
        expired = self.wait(self.inbox.expire(name))
        assert (expired is not None) == (self.expected[name].status == "open")
        if expired:
            self.close(name, "expired", "")

    @precondition(lambda self: self.waiting)
    @rule()
    def the_customer_stops(self) -> None:
        assert self.wait(Conversations(self.store, agents=["support"]).stop(self.session_id, by=CUSTOMER))
        for name, each in self.expected.items():
            if each.status == "open":
                self.close(name, "withdrawn", "")
            each.effect = each.effect or "over"

    @precondition(lambda self: self.callable("decided"))
    @rule(number=st.integers(0, 5), dies=st.booleans())
    def an_approved_call_starts(self, number: int, dies: bool) -> None:
        names = self.callable("decided")
        name = names[number % len(names)]
        each = self.expected[name]
        state = self.wait(self.start(name))
        if each.started:
            each.doubts += 1
            assert state == Unknown(each.doubts)
            each.status = "indeterminate"
        else:
            assert isinstance(state, Fresh)
            each.started = 1
            if not dies:
                self.wait(self.finish(name))
                each.effect = "done"

    @precondition(lambda self: self.callable("indeterminate"))
    @rule(number=st.integers(0, 5), says=st.sampled_from(["ran", "run_again", "leave"]))
    def a_person_settles(self, number: int, says: Settlement) -> None:
        names = self.callable("indeterminate")
        name = names[number % len(names)]
        each = self.expected[name]
        state = self.wait(self.settle(name, says, times=each.doubts))
        assert type(state) is {"ran": Done, "run_again": Fresh, "leave": Left}[says]
        each.status = "decided"
        each.effect = {"ran": "done", "run_again": "", "leave": "left"}[says]

    @rule(number=st.integers(0, 5))
    def a_finished_call_is_asked_for_again(self, number: int) -> None:
        name = self.pick(number, "decided")
        if name is None or self.waiting or self.expected[name].effect not in {"done", "left"} or not self.current(name):
            return
        assert type(self.wait(self.start(name))) is (Done if self.expected[name].effect == "done" else Left)

    @invariant()
    def everything_is_as_the_model_says(self) -> None:
        if not getattr(self, "expected", None):
            return
        found = {
            each.id: each for each in self.wait(self.store.read(lambda tx: tx.requests.of_session(self.session_id)))
        }
        assert {name: each.status for name, each in found.items()} == {
            name: each.status for name, each in self.expected.items()
        }
        session = self.wait(self.store.read(lambda tx: tx.sessions.get(self.session_id)))
        assert (session.status == "waiting_for_human") == self.waiting
        events = self.wait(self.store.read(lambda tx: tx.events.of_session(self.session_id, limit=10_000)))
        assert [event.session_seq for event in events] == [*range(1, len(events) + 1)]
        for name, each in self.expected.items():
            assert found[name].claimed_by == each.claimed_by
            closings = [event.fact.name for event in events if getattr(event.fact, "request", None) == found[name]]
            assert len([closing for closing in closings if closing in CLOSINGS]) <= 1
            if each.decided_by:
                assert str(found[name].decided_by) == f"operator {each.decided_by}"

    def close(self, name: str, status: str, by: str) -> None:
        each = self.expected[name]
        each.status, each.decided_by, each.claimed_by = status, by or None, None

    async def ledger(self) -> RunLedger:
        """Return the ledger of a process that has just taken the run over: the one before it is dead."""

        async def work(tx: Transaction) -> Run:
            await tx.connection.run(
                "UPDATE runs SET lease_until = now_us() - 1 WHERE session_id = :id AND status = 'running'",
                {"id": self.session_id},
            )
            run = await tx.runs.claim(owner="model", lease=MINUTE, agent=self.session_id)
            assert run is not None
            return run

        return RunLedger(self.store, await self.store.write(work))

    async def start(self, name: str) -> Any:
        return await (await self.ledger()).start(await self.call(name))

    async def settle(self, name: str, says: Settlement, *, times: int) -> Any:
        return await (await self.ledger()).settle(await self.call(name), says, {"said": "ok"}, times=times)

    async def finish(self, name: str) -> None:
        await (await self.ledger()).finish(await self.call(name), {"said": "ok"})

    async def call(self, name: str) -> EffectCall:
        request = await self.store.read(lambda tx: tx.requests.get(name))
        return EffectCall(
            place=request.run_id,
            tool=request.tool,
            tool_call_id=request.tool_call_id,
            digest=request.digest,
            args=request.args,
        )


CLOSINGS = {"request.decided", "request.expired", "request.withdrawn"}


def live(database_url: str, *, examples: int) -> int:
    """Live through many lives, and return how many they were."""
    lives = 0

    class Counted(RequestLife):
        def __init__(self) -> None:
            nonlocal lives
            super().__init__()
            lives += 1

    with asyncio.Runner() as loop:
        store = open_store(database_url)
        loop.run(store.__aenter__())
        try:
            machine = type("Machine", (Counted,), {"loop": loop, "store": store})
            run_state_machine_as_test(
                machine,
                settings=settings(
                    max_examples=examples,
                    stateful_step_count=STEPS,
                    deadline=None,
                    suppress_health_check=[HealthCheck.too_slow],
                ),
            )
        finally:
            loop.run(store.__aexit__(None, None, None))
    return lives


def test_requests_live_as_the_model_says(database_url: str) -> None:
    assert live(database_url, examples=EXAMPLES) >= EXAMPLES
