"""States as tables: what may follow what. The diagrams in the docs are printed from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from handraise.core.errors import IllegalMove

S = TypeVar("S", bound=str)
M = TypeVar("M", bound=str)

RequestStatus = Literal["open", "decided", "expired", "withdrawn", "indeterminate"]
RequestMove = Literal["decide", "expire", "withdraw", "doubt", "settle"]

REQUEST_MOVES: Mapping[tuple[RequestStatus, RequestMove], RequestStatus] = {
    ("open", "decide"): "decided",
    ("open", "expire"): "expired",
    ("open", "withdraw"): "withdrawn",
    # A crash hid whether the approved effect ran; a person finds out and says so.
    ("decided", "doubt"): "indeterminate",
    ("indeterminate", "settle"): "decided",
}

RunStatus = Literal["queued", "running", "paused", "done", "failed", "stopped"]
RunMove = Literal["claim", "retry", "pause", "resume", "finish", "fail", "stop"]

RUN_MOVES: Mapping[tuple[RunStatus, RunMove], RunStatus] = {
    ("queued", "claim"): "running",
    # Taken over from a process whose lease ran out.
    ("running", "claim"): "running",
    ("running", "retry"): "queued",
    ("running", "pause"): "paused",
    # A paused run keeps its place in the session's order: it goes on before any later message.
    ("paused", "resume"): "queued",
    ("running", "finish"): "done",
    ("running", "fail"): "failed",
    ("queued", "stop"): "stopped",
    ("running", "stop"): "stopped",
    ("paused", "stop"): "stopped",
}

UNFINISHED: tuple[RunStatus, ...] = tuple(dict.fromkeys(before for before, _ in RUN_MOVES))
"""Where a run still can move from, in the table's order: what an index in the database spells out."""

SessionStatus = Literal["active", "waiting_for_human", "timeout", "completed", "error"]
SessionMove = Literal["wait", "answer", "time_out", "continue", "complete", "fail"]

SESSION_MOVES: Mapping[tuple[SessionStatus, SessionMove], SessionStatus] = {
    ("active", "wait"): "waiting_for_human",
    ("waiting_for_human", "wait"): "waiting_for_human",
    ("waiting_for_human", "answer"): "active",
    ("waiting_for_human", "time_out"): "timeout",
    ("timeout", "wait"): "waiting_for_human",
    ("timeout", "continue"): "active",
    ("active", "continue"): "active",
    ("error", "continue"): "active",
    ("active", "complete"): "completed",
    ("timeout", "complete"): "completed",
    ("waiting_for_human", "complete"): "completed",
    ("error", "complete"): "completed",
    ("active", "fail"): "error",
    ("waiting_for_human", "fail"): "error",
    ("timeout", "fail"): "error",
    ("error", "fail"): "error",
}

EntryStatus = Literal["draft", "published", "retired"]
EntryMove = Literal["publish", "edit", "merge", "retire"]

ENTRY_MOVES: Mapping[tuple[EntryStatus, EntryMove], EntryStatus] = {
    ("draft", "edit"): "draft",
    ("draft", "publish"): "published",
    ("published", "edit"): "published",
    # Its wordings go into another entry, which answers for both from then on.
    ("draft", "merge"): "retired",
    ("published", "merge"): "retired",
    ("draft", "retire"): "retired",
    ("published", "retire"): "retired",
}


EffectStatus = Literal["started", "suspended", "done", "indeterminate", "left"]
EffectMove = Literal["finish", "suspend", "go_on", "doubt", "ran", "run_again", "leave"]

EFFECT_MOVES: Mapping[tuple[EffectStatus, EffectMove], EffectStatus] = {
    ("started", "finish"): "done",
    # The tool paused in the middle, or was not let begin.
    ("started", "suspend"): "suspended",
    ("suspended", "suspend"): "suspended",
    ("suspended", "go_on"): "started",
    # A call that may be repeated starts again after a crash, and nobody is asked.
    ("started", "go_on"): "started",
    ("started", "doubt"): "indeterminate",
    # What a person said of it.
    ("indeterminate", "ran"): "done",
    ("indeterminate", "run_again"): "started",
    ("indeterminate", "leave"): "left",
    # The tool came back after all, in the very process that had begun it: now it is known.
    ("suspended", "finish"): "done",
    ("indeterminate", "finish"): "done",
    ("left", "finish"): "done",
}

TicketStatus = Literal["open", "answered"]
TicketMove = Literal["answer"]

TICKET_MOVES: Mapping[tuple[TicketStatus, TicketMove], TicketStatus] = {("open", "answer"): "answered"}


def statuses_that(moves: Mapping[tuple[S, M], S], move: M) -> tuple[S, ...]:
    """Return the statuses that take a move, in the table's order: the database's conditions are written from it."""
    return tuple(before for before, each in moves if each == move)


def result_of(moves: Mapping[tuple[S, M], S], move: M) -> S:
    """Return where a move leads, from wherever it is made."""
    (result,) = {after for (_, each), after in moves.items() if each == move}
    return result


def next_request_status(status: RequestStatus, move: RequestMove) -> RequestStatus:
    """Return where `move` leads, or refuse it."""
    try:
        return REQUEST_MOVES[status, move]
    except KeyError:
        raise _illegal("request", status, move) from None


def next_run_status(status: RunStatus, move: RunMove) -> RunStatus:
    """Return where `move` leads, or refuse it."""
    try:
        return RUN_MOVES[status, move]
    except KeyError:
        raise _illegal("run", status, move) from None


def next_session_status(status: SessionStatus, move: SessionMove) -> SessionStatus:
    """Return where `move` leads, or refuse it."""
    try:
        return SESSION_MOVES[status, move]
    except KeyError:
        raise _illegal("session", status, move) from None


def next_entry_status(status: EntryStatus, move: EntryMove) -> EntryStatus:
    """Return where `move` leads, or refuse it."""
    try:
        return ENTRY_MOVES[status, move]
    except KeyError:
        raise _illegal("entry", status, move) from None


def next_effect_status(status: EffectStatus, move: EffectMove) -> EffectStatus:
    """Return where `move` leads, or refuse it."""
    try:
        return EFFECT_MOVES[status, move]
    except KeyError:
        raise _illegal("effect", status, move) from None


def next_ticket_status(status: TicketStatus, move: TicketMove) -> TicketStatus:
    """Return where `move` leads, or refuse it."""
    try:
        return TICKET_MOVES[status, move]
    except KeyError:
        raise _illegal("ticket", status, move) from None


def mermaid(moves: Mapping[Any, str]) -> str:
    """Print a table of moves as a Mermaid state diagram."""
    lines = [f"    {before} --> {after}: {move}" for (before, move), after in moves.items()]
    return "\n".join(["stateDiagram-v2", *lines])


def states_page() -> str:
    """Return the page of the docs that shows every table as a diagram."""
    parts = [
        "# States",
        "Printed from the tables in `src/handraise/core/states.py` by `python -m handraise.core.states`.",
    ]
    for title, moves in (
        ("Requests", REQUEST_MOVES),
        ("Runs", RUN_MOVES),
        ("Sessions", SESSION_MOVES),
        ("Entries", ENTRY_MOVES),
        ("Effects", EFFECT_MOVES),
        ("Tickets", TICKET_MOVES),
    ):
        parts.append(f"## {title}\n\n```mermaid\n{mermaid(moves)}\n```")
    return "\n\n".join(parts) + "\n"


def _illegal(kind: str, status: str, move: str) -> IllegalMove:
    return IllegalMove(
        f"{'An' if kind[0] in 'aeiou' else 'A'} {kind} that is {status} cannot {move}.",
        fix="Nothing was changed; read it again to see where it stands.",
        details={"status": status, "move": move},
    )


if __name__ == "__main__":
    print(states_page(), end="")
