"""The agents of one conversation, after every check: what each may call, and whom each may hand to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langchain_core.tools import BaseTool

from handraise.agents.handoffs.gate import AgentGate


@dataclass(frozen=True, kw_only=True)
class RosterAgent:
    """One agent. `model` is None when the agent uses the model that `create_agent` was given."""

    name: str
    prompt: SystemMessage
    model: BaseChatModel | None = None
    tools: Mapping[str, BaseTool] = field(default_factory=dict)
    provider_tools: tuple[dict[str, Any], ...] = ()
    """Tools that the model's provider runs itself: shown to the model, never run in this process."""
    handoff_tools: Mapping[str, BaseTool] = field(default_factory=dict)
    """The tool that hands to each agent, by the name of the agent that receives."""
    gate: AgentGate

    @cached_property
    def offered(self) -> list[BaseTool | dict[str, Any]]:
        """Everything that the agent's model is shown."""
        return [*self.tools.values(), *self.provider_tools, *self.handoff_tools.values()]

    @cached_property
    def runnable(self) -> frozenset[str]:
        """The names of the tools that the agent may run."""
        return frozenset(self.tools) | {tool.name for tool in self.handoff_tools.values()}


@dataclass(frozen=True, kw_only=True)
class Roster:
    """Every agent of the conversation, and the one that speaks first."""

    agents: Mapping[str, RosterAgent]
    default: RosterAgent
    receivers: Mapping[str, str]
    """The agent that receives, by the name of the handoff tool."""

    @property
    def tools(self) -> list[BaseTool]:
        """Every tool that some agent may run, each once."""
        every = (
            tool for agent in self.agents.values() for tool in (*agent.tools.values(), *agent.handoff_tools.values())
        )
        return list({tool.name: tool for tool in every}.values())
