"""Static breakpoints (`interrupt_before=["tools"]`): stops without a value, which become requests too."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot
from pydantic import JsonValue

from handraise.dialects.dialect import RawInterrupt
from handraise.engine.loading import Agent
from handraise.graphs.breakpoints import stopped_before_tools, update_for


class Breakpoints:
    """The stops that an agent was compiled with."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        before = agent.interrupt_before_nodes
        self._nodes = set(agent.nodes) if before == "*" else set(before)

    def pending(self, snapshot: StateSnapshot) -> list[RawInterrupt]:
        """Return the stop that a snapshot stands at, if it is one before tool calls."""
        if snapshot.interrupts or not self._nodes.intersection(snapshot.next):
            return []
        stop = stopped_before_tools(snapshot)
        return [stop] if stop else []

    async def apply(self, snapshot: StateSnapshot, answers: dict[str, JsonValue], config: RunnableConfig) -> None:
        """Write what was decided into the agent's state, so that going on does as decided."""
        for answer in answers.values():
            update = update_for(snapshot, answer)
            if update is not None:
                values: dict[str, Any] = {"messages": update.messages}
                await self._agent.aupdate_state(config, values, as_node=update.as_node)
