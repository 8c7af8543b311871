"""How strictly LangGraph goes by its checkpoints: by two switches of its own that it does not document."""

from __future__ import annotations

from langgraph.checkpoint.serde import _msgpack

STRICT_RESUME = "__pregel_strict_resume"
"""In a run's configuration: a resume for an interrupt that is no longer pending is refused, not misapplied."""


def reads_strictly() -> bool:
    """Return whether checkpoints are read strictly, so that a crafted row cannot run code."""
    return bool(_msgpack.STRICT_MSGPACK_ENABLED)
