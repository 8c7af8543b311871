"""The gate of one agent among several: its rules hold while that agent is active."""

from __future__ import annotations

from typing import Any

from handraise.agents.gate.middleware import HumanInTheLoopMiddleware
from handraise.agents.gate.rules import InterruptOn


class AgentGate(HumanInTheLoopMiddleware[Any, Any, Any]):
    """A gate that the handoffs call themselves, so that it cannot be left out. It asks about each call on its own.

    Approvals are kept by the name of their gate, so this one does not use up those of a gate for all agents.
    """

    def __init__(self, interrupt_on: InterruptOn) -> None:
        super().__init__(interrupt_on, interrupt_mode="per_call", details=True)

    def asks_about(self, tool: str) -> bool:
        """Return whether a rule applies to `tool`."""
        return self.rules.for_tool(tool) is not None
