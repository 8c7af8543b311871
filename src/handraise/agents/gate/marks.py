"""Rulings: what a gate settled about a call in a task that pauses later, kept with the pause.

LangGraph runs a paused task again from its start, with its last question and the answers so far. So an answer that a
gate took is saved with the gate's mark, and a call that it let pass is noted on whatever pause comes up through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt

from handraise.agents.upstream.tasks import questions_in
from handraise.dialects.dialect import RULINGS

_TAKEN = "handraise_taken"
"""The key of the mark in a saved answer. LangChain's gate passes over keys that it does not know."""


class GateMark(NamedTuple):
    """Which gate settled which call, as it was then, in which task."""

    task: str
    gate: str
    call_id: str
    digest: str


def marked(answer: Any, ruling: GateMark | None) -> Any:
    """Return an answer as it is saved: with the mark of the gate that took it."""
    return {**answer, _TAKEN: list(ruling)} if ruling and isinstance(answer, dict) else answer


def mark_on(answer: Any) -> GateMark | None:
    """Return whose answer this is, or None when no gate of ours took it."""
    return _read(answer.get(_TAKEN)) if isinstance(answer, dict) else None


@contextmanager
def noting(passed: GateMark | None) -> Iterator[None]:
    """Note on every pause in the block that a gate let the call pass which pauses now."""
    try:
        yield
    except GraphInterrupt as pause:
        if passed is None:
            raise
        raise GraphInterrupt(tuple(_noted(question, passed) for question in questions_in(pause))) from None


def notes_on(question: Interrupt[Any]) -> list[GateMark]:
    """Return which calls the gates around a question had let pass."""
    schema = question.response_schema
    notes = schema.get(RULINGS) if isinstance(schema, dict) else None
    return [note for note in map(_read, notes) if note] if isinstance(notes, list) else []


def _read(written: Any) -> GateMark | None:
    # What answers a tool's own question may hold anything.
    match written:
        case [str(task), str(gate), str(call_id), str(digest)]:
            return GateMark(task, gate, call_id, digest)
        case _:
            return None


def _noted(question: Interrupt[Any], passed: GateMark) -> Interrupt[Any]:
    # A question of an agent inside the tool brings the notes of that agent's own task, which has them already.
    notes = [list(note) for note in [*notes_on(question), passed] if note.task == passed.task]
    schema = question.response_schema if isinstance(question.response_schema, dict) else {}
    return replace(question, response_schema={**schema, RULINGS: notes})
