"""Records: what a batched gate decided about the calls of one turn, kept in the agent's state until they run.

They share the state key in which LangChain keeps its edits: every key of the state costs time in every step. So
an edit made under one gate is also carried out under the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from langchain.agents.middleware.human_in_the_loop import Action

from handraise.agents.upstream.gate import EDITS_KEY

RECORDS = ""
"""Where our records are among them. No edit is ever there: a call without an id is refused, and LangChain skips it."""


class Record(TypedDict):
    """One call's ruling. `decision` is None when the gate let it pass without asking."""

    digest: str
    decision: dict[str, Any] | None
    asked_in: str


class Records(TypedDict):
    """The records of one turn by gate and call id, so that several gates in one agent do not undo each other."""

    message_id: str | None
    gates: dict[str, dict[str, Record]]


def records_of(state: Mapping[str, Any], message_id: str | None) -> Records:
    """Return the records of the turn that `message_id` opened. Those of an earlier turn do not count."""
    return _kept(state, message_id) or Records(message_id=message_id, gates={})


def with_gate(records: Records, gate: str, decided: dict[str, Record]) -> Records:
    """Return the records with one gate's added."""
    return Records(message_id=records["message_id"], gates={**records["gates"], gate: decided})


def edits_of(state: Mapping[str, Any], message_id: str | None) -> dict[str, Action]:
    """Return the edits that another gate made in this turn."""
    return _edits(state) if _kept(state, message_id) else {}


def update_with(edits: dict[str, Action], records: Records) -> dict[str, Any]:
    """Return the update of the state that keeps these edits and records, and none of an earlier turn."""
    return {EDITS_KEY: {**edits, RECORDS: records}}


def update_without_old_edits(state: Mapping[str, Any], message_id: str | None) -> dict[str, Any] | None:
    """Drop an earlier turn's edits, as LangChain does; what another gate of this turn has kept stays."""
    return {EDITS_KEY: {}} if _edits(state) and not _kept(state, message_id) else None


def _kept(state: Mapping[str, Any], message_id: str | None) -> Records | None:
    records: Records | None = (state.get(EDITS_KEY) or {}).get(RECORDS)
    return None if records is None or records["message_id"] != message_id else records


def _edits(state: Mapping[str, Any]) -> dict[str, Action]:
    return {call_id: edit for call_id, edit in (state.get(EDITS_KEY) or {}).items() if call_id != RECORDS}
