"""From `module:attribute` to an agent that the engine can run."""

from __future__ import annotations

from typing import Any

from langgraph.pregel import Pregel

from handraise.core.errors import Misconfigured
from handraise.runtime.loading import load

Agent = Pregel[Any, Any, Any, Any]


def load_agent(path: str) -> Agent:
    """Import the agent at `path` (`my_app:agent`), or say in one sentence why not."""
    value = load(path)
    if not isinstance(value, Pregel):
        raise Misconfigured(
            f"{path!r} is a {type(value).__name__}, not a compiled LangGraph graph.",
            fix="Name what `create_agent(...)` or `StateGraph(...).compile()` returned.",
        )
    return value
