"""What must be true of a database after any number of crashes."""

from __future__ import annotations

import signal
from collections import Counter
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.base import BaseCheckpointSaver

from handraise.core.decisions import Approve
from handraise.core.log.facts import Event
from handraise.core.requests import Request
from handraise.engine.checkpoints.opening import open_checkpoints
from handraise.store.opening import open_store
from handraise.store.store import Store
from tests.engine.crash.scenario import (
    AMOUNT,
    EDITED,
    FIRST,
    SAID_BY_A_PERSON,
    SECOND,
    Scenario,
    Verdict,
    sessions_of_customer,
)


@dataclass(frozen=True, kw_only=True)
class Session:
    """Everything that is on record about one session."""

    id: str
    status: str
    events: list[Event]
    requests: list[Request]
    history: list[Any]


async def sessions_of(scenario: Scenario) -> list[Session]:
    """Read every session of a scenario."""
    async with open_store(scenario.url) as store:
        saver = await open_checkpoints(scenario.url, store)
        ids = await store.read(lambda tx: sessions_of_customer(tx, scenario.customer))
        return [await _read(store, saver, session_id) for session_id in ids]


async def _read(store: Store, saver: BaseCheckpointSaver[Any], session_id: str) -> Session:
    saved = await saver.aget_tuple({"configurable": {"thread_id": session_id}})
    return Session(
        id=session_id,
        status=(await store.read(lambda tx: tx.sessions.get(session_id))).status,
        events=await store.read(lambda tx: tx.events.of_session(session_id, limit=10_000)),
        requests=await store.read(lambda tx: tx.requests.of_session(session_id)),
        history=saved.checkpoint["channel_values"]["messages"] if saved else [],
    )


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one scenario, counted as the table of the long part counts it."""

    lost: int
    duplicated: int
    indeterminate: int


async def judge(scenario: Scenario, *, opposed: bool = False) -> Outcome:
    """Check everything that a crash must not break, and count what happened.

    Opposed operators race for each request; then what must be done is what the winner decided.
    """
    sessions = await sessions_of(scenario)
    assert len(sessions) == scenario.sessions
    for session in sessions:
        check_record(session)
        check_history(session)
        check_answers(session)
    acknowledged = scenario.acknowledged.read_text().splitlines() if scenario.acknowledged.exists() else []
    verdict = _won(sessions) if opposed else scenario.verdict
    expected = {"approve": AMOUNT, "edit": EDITED, "reject": None}[verdict]
    paid = scenario.bank.payments
    assert all(amount == expected for amount in paid), f"paid {paid}, approved {expected}"
    # A process that was frozen inside the tool does what it was about to do when it wakes up.
    thawed = int(scenario.sent == signal.SIGSTOP)
    check_settlements(sessions, acknowledged, paid={len(paid), len(paid) - thawed}, amount=expected)
    return Outcome(
        lost=_lost(sessions, acknowledged) + _not_done(sessions, scenario, verdict, paid=len(paid)),
        duplicated=max(0, len(paid) - scenario.sessions - _asked_to_run_again(sessions)),
        indeterminate=len(_settlements(sessions)),
    )


def check_record(session: Session) -> None:
    """Events are numbered without gaps, and no fact is there twice."""
    assert [event.session_seq for event in session.events] == [*range(1, len(session.events) + 1)]
    twice = [fact for fact, count in Counter(_said_once(session)).items() if count > 1]
    assert not twice, f"on record twice: {twice}"


def check_history(session: Session) -> None:
    """Every call has exactly one result, which follows it: what model providers insist on."""
    open_calls: list[str | None] = []
    for message in session.history:
        if isinstance(message, ToolMessage):
            assert message.tool_call_id in open_calls
            open_calls.remove(message.tool_call_id)
        else:
            assert not open_calls, f"calls without a result: {open_calls}"
        if isinstance(message, AIMessage):
            open_calls = [call["id"] for call in message.tool_calls]
    assert not open_calls


def check_answers(session: Session) -> None:
    """Both messages were heard once, in order, and answered; nothing is left open."""
    heard = [message.text for message in session.history if message.type == "human"]
    assert heard == [FIRST, SECOND]
    said = [event.fact.text for event in session.events if event.fact.name == "message.sent"]
    assert said[0] == "One moment."
    assert said[-1] == f"You said: {SECOND}"
    assert len(said) == 3, said
    assert said == [message.text for message in session.history if message.type == "ai" and message.text]
    assert all(request.status in {"decided", "expired", "withdrawn"} for request in session.requests)
    assert session.status == "active"
    finished = [event.fact.run_id for event in session.events if event.fact.name == "run.finished"]
    assert len(finished) == 2


def check_settlements(
    sessions: list[Session], acknowledged: list[str], *, paid: set[int], amount: float | None
) -> None:
    """What a person said of a call whose outcome was unknown is what became of it, and what the agent was told.

    Only the last word counts: a call that is run again may be cut off again.
    """
    noted = [line.split() for line in acknowledged if line.startswith("paid ")]
    payments_then = {request_id: int(count) for _, count, _, request_id in noted}
    for session in sessions:
        settled = [request for request in session.requests if request.kind == "settlement"]
        if not settled:
            continue
        last = max(settled, key=lambda request: request.created_at)
        chosen = str(getattr(last.decision, "selected_option", ""))
        assert payments_then[last.id] + (chosen == "run_again") in paid, f"{chosen}: {paid} payments"
        result = {"ran": SAID_BY_A_PERSON, "run_again": f"paid {amount}", "leave": "Nobody knows"}[chosen]
        told = [event.fact.content for event in session.events if event.fact.name == "tool.finished"]
        assert len(told) == 1, f"{chosen}: {told}"
        assert result in told[0], f"{chosen}: {told}"
        said = [event.fact.settlement for event in session.events if event.fact.name == "request.settled"]
        # A call that needed no approval has no request that could be settled; the ledger alone knows it.
        assert said[-1:] in ([], [chosen]), said


def _said_once(session: Session) -> list[Any]:
    facts: list[Any] = []
    for event in session.events:
        match event.fact.name:
            case "message.sent" | "message.received":
                facts.append((event.fact.name, event.fact.text))
            case "tool.called" | "tool.finished":
                facts.append((event.fact.name, event.fact.tool_call_id))
            case "request.opened" | "request.decided":
                facts.append((event.fact.name, event.fact.request.id))
            case "run.finished":
                facts.append((event.fact.name, event.fact.run_id))
            case _:
                pass
    return facts


def _lost(sessions: list[Session], acknowledged: list[str]) -> int:
    """Count acknowledged decisions and messages that are not on record."""
    decisions = {request.id: request for session in sessions for request in session.requests}
    received = {
        event.fact.message_id
        for session in sessions
        for event in session.events
        if event.fact.name == "message.received"
    }
    lost = 0
    for line in acknowledged:
        what, kind, who = (*line.split(), "")[:3]
        if kind == "sent":
            lost += what not in received
        elif what.startswith("req_"):
            decision = decisions[what].decision
            lost += decision is None or str(decisions[what].decided_by) != f"operator {who}"
    return lost


def _not_done(sessions: list[Session], scenario: Scenario, verdict: Verdict, *, paid: int) -> int:
    """Count approvals that came to nothing although nobody said so."""
    settled = _settlements(sessions)
    # Whoever says what is not so, or leaves it, has decided that; the truth loses nothing.
    own_word = bool(settled) and (scenario.settles != "truth" or settled[-1] == "leave")
    return 0 if verdict == "reject" or own_word else max(0, scenario.sessions - paid)


def _won(sessions: list[Session]) -> Verdict:
    [request] = [each for session in sessions for each in session.requests if each.kind != "settlement"]
    return "approve" if isinstance(request.decision, Approve) else "reject"


def _settlements(sessions: list[Session]) -> list[str]:
    return [
        str(getattr(request.decision, "selected_option", ""))
        for session in sessions
        for request in session.requests
        if request.kind == "settlement"
    ]


def _asked_to_run_again(sessions: list[Session]) -> int:
    return _settlements(sessions).count("run_again")
