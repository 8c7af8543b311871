"""Runs: one execution of an agent on a session each. A run may pause, and goes on as the same run."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, JsonValue

from handraise.core.states import RunStatus


class Run(BaseModel):
    """One execution of an agent.

    `seq` orders a session's runs; `epoch` rises with every claim, and a write that carries an older one is refused;
    `attempts` counts how often it failed since it last paused.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    seq: int
    session_id: str
    agent: str
    input: dict[str, JsonValue]
    status: RunStatus = "queued"
    not_before: datetime
    owner: str | None = None
    epoch: int = 0
    lease_until: datetime | None = None
    attempts: int = 0
    error: str = ""
    created_at: datetime
    finished_at: datetime | None = None
    trace: str | None = None
    """The span that ended when this run paused, as a W3C `traceparent`: its resume links to it."""
