"""Effects: a gated tool's real-world execution, as the ledger records it."""

from __future__ import annotations

import hashlib
from datetime import datetime

from pydantic import BaseModel, ConfigDict, JsonValue

from handraise.core.digests import canonical
from handraise.core.states import EffectStatus


def effect_id(*, session_id: str, place: str, tool_call_id: str) -> str:
    """Derive an effect's id from the call it executes: one call, one row, however often it is tried.

    The place in the graph is part of it, because some models number their calls anew in every turn.
    """
    return f"eff_{hashlib.sha256(canonical([session_id, place, tool_call_id])).hexdigest()[:24]}"


class Effect(BaseModel):
    """One execution of a tool. `started` without `done` after a crash means nobody knows: a person settles it.

    `suspended` is a call that paused in the middle, `left` one that a person chose not to run; `doubts` counts how
    often a crash hid the outcome. When it started, the database says.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    session_id: str
    run_id: str
    request_id: str | None = None
    tool: str
    tool_call_id: str
    digest: str
    status: EffectStatus = "started"
    epoch: int
    doubts: int = 0
    result: JsonValue = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
