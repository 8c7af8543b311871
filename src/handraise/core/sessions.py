"""Sessions: one conversation each. A session's id is LangGraph's `thread_id`."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from handraise.core.states import SessionStatus


class Session(BaseModel):
    """One conversation between a customer and an agent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    agent: str
    status: SessionStatus = "active"
    customer: str = ""
    language: str = ""
    taken_by: str | None = None
    """The operator who talks to the customer in the agent's place, while one does."""
    version: int = 1
    created_at: datetime
    updated_at: datetime
