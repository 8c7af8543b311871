"""The tables of moves: where each leads, and where none does. The diagrams in the docs come from them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.core.actors import SERVICE, Actor
from handraise.core.decisions import Approve, Reject
from handraise.core.errors import AlreadySettled, IllegalMove
from handraise.core.requests import Request
from handraise.core.states import (
    EFFECT_MOVES,
    ENTRY_MOVES,
    REQUEST_MOVES,
    RUN_MOVES,
    SESSION_MOVES,
    TICKET_MOVES,
    UNFINISHED,
    EffectMove,
    EffectStatus,
    EntryMove,
    EntryStatus,
    RequestMove,
    RequestStatus,
    RunMove,
    RunStatus,
    SessionMove,
    SessionStatus,
    TicketMove,
    TicketStatus,
    mermaid,
    next_effect_status,
    next_entry_status,
    next_request_status,
    next_run_status,
    next_session_status,
    next_ticket_status,
    result_of,
    states_page,
    statuses_that,
)

STATES_PAGE = Path(__file__).parents[2] / "docs" / "states.md"
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)

Table = Mapping[tuple[Any, Any], Any]

TABLES: dict[str, tuple[Table, Any, Any, Any]] = {
    "request": (REQUEST_MOVES, RequestStatus, RequestMove, next_request_status),
    "run": (RUN_MOVES, RunStatus, RunMove, next_run_status),
    "session": (SESSION_MOVES, SessionStatus, SessionMove, next_session_status),
    "entry": (ENTRY_MOVES, EntryStatus, EntryMove, next_entry_status),
    "effect": (EFFECT_MOVES, EffectStatus, EffectMove, next_effect_status),
    "ticket": (TICKET_MOVES, TicketStatus, TicketMove, next_ticket_status),
}
STARTS = {
    "request": "open",
    "run": "queued",
    "session": "active",
    "entry": "draft",
    "effect": "started",
    "ticket": "open",
}
FINAL = {
    "request": {"expired", "withdrawn"},
    "run": {"done", "failed", "stopped"},
    "session": {"completed"},
    "entry": {"retired"},
    "effect": {"done"},
    "ticket": {"answered"},
}


def walk(kind: str, moves: list[str]) -> list[str]:
    """Return the statuses that a sequence of moves passes through; a refused move changes nothing."""
    statuses = [STARTS[kind]]
    for move in moves:
        try:
            statuses.append(TABLES[kind][3](statuses[-1], move))
        except IllegalMove:
            continue
    return statuses


def sequences(kind: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(get_args(TABLES[kind][2])), max_size=30)


@given(sequences("request"))
def test_no_sequence_of_moves_closes_a_request_twice(moves: list[str]) -> None:
    statuses = walk("request", moves)
    assert sum(before == "open" != after for before, after in pairwise(statuses)) <= 1
    assert "open" not in statuses[1:], "a closed request is never open again"


@pytest.mark.parametrize("kind", TABLES)
@given(data=st.data())
def test_nothing_leads_out_of_a_final_status(kind: str, data: st.DataObject) -> None:
    statuses = walk(kind, data.draw(sequences(kind)))
    assert not FINAL[kind] & set(statuses[:-1])


@pytest.mark.parametrize("kind", TABLES)
def test_every_status_is_reached_and_every_move_used(kind: str) -> None:
    table, status, move, _ = TABLES[kind]
    reached = {STARTS[kind]}
    while more := {after for (before, _), after in table.items() if before in reached} - reached:
        reached |= more
    assert reached == set(get_args(status))
    assert {used for _, used in table} == set(get_args(move))
    assert set(get_args(status)) - {before for before, _ in table} == FINAL[kind]


def test_a_run_is_unfinished_until_it_is_final() -> None:
    assert set(UNFINISHED) == set(get_args(RunStatus)) - FINAL["run"]


@pytest.mark.parametrize("kind", TABLES)
def test_a_condition_is_written_from_the_whole_column_of_a_move(kind: str) -> None:
    table, _, moves, _ = TABLES[kind]
    for move in get_args(moves):
        before = statuses_that(table, move)
        assert {(status, move) for status in before} == {pair for pair in table if pair[1] == move}


def test_a_runs_move_leads_to_one_place_from_wherever_it_is_made() -> None:
    assert {move: result_of(RUN_MOVES, move) for move in get_args(RunMove)} == {
        "claim": "running", "retry": "queued", "pause": "paused", "resume": "queued", "finish": "done",
        "fail": "failed", "stop": "stopped",
    }  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_a_move_that_the_table_lacks_is_refused_by_name(kind: str) -> None:
    final = min(FINAL[kind])
    move = get_args(TABLES[kind][2])[0]
    with pytest.raises(IllegalMove, match=f"An? {kind} that is {final} cannot {move}.") as refused:
        TABLES[kind][3](final, move)
    assert refused.value.details == {"status": final, "move": move}


@given(st.lists(st.sampled_from(["approve", "reject", "expire", "withdraw"]), min_size=1, max_size=8))
def test_only_the_first_closing_move_on_a_request_counts(moves: list[str]) -> None:
    operator = Actor(kind="operator", id="ann")
    request = Request(
        id="r1",
        session_id="s1",
        run_id="run-1",
        kind="approval",
        dialect="langchain",
        interrupt_id="i1",
        allowed=("approve", "reject"),
        created_at=NOON,
    )

    def make(move: str, on: Request) -> Request:
        match move:
            case "approve":
                return on.decide(Approve(), by=operator, at=NOON)
            case "reject":
                return on.decide(Reject(reason="no"), by=operator, at=NOON)
            case "expire":
                return on.expire(at=NOON)
            case _:
                return on.withdraw(by=SERVICE, at=NOON)

    first, *late = moves
    closed = make(first, request)
    assert (request.status, request.version, closed.version) == ("open", 1, 2)
    assert closed.status in ("decided", "expired", "withdrawn")
    for move in late:
        with pytest.raises(AlreadySettled, match=f"Request r1 is already {closed.status} by "):
            make(move, closed)


def test_a_diagram_has_one_arrow_for_each_move() -> None:
    lines = mermaid(REQUEST_MOVES).splitlines()
    assert lines[0] == "stateDiagram-v2"
    assert "    open --> decided: decide" in lines
    assert len(lines) == len(REQUEST_MOVES) + 1


def test_the_page_of_diagrams_is_current() -> None:
    assert STATES_PAGE.read_text(encoding="utf-8") == states_page(), (
        "Run: python -m handraise.core.states > docs/states.md"
    )
