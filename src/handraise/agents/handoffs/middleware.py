"""Handoffs: several agents on one conversation, one active at a time."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState, ExtendedModelResponse, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langgraph.types import Command

from handraise.agents.handoffs.config import AgentConfig, read_roster
from handraise.agents.handoffs.pauses import asking_as
from handraise.agents.handoffs.refusals import Refusals
from handraise.agents.handoffs.roster import RosterAgent
from handraise.agents.handoffs.state import state_schema_of
from handraise.core.errors import Misconfigured

__all__ = ["AgentConfig", "HandoffAgentMiddleware"]

_log = logging.getLogger(__name__)

ToolResult = ToolMessage | Command[Any]


class HandoffAgentMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Lets several agents share a conversation; the active one has its own prompt, model and tools.

    `create_agent`'s own `tools` and `system_prompt` are not used: every tool belongs to the agents that list it.
    """

    def __init__(
        self,
        agents_config: Mapping[str, AgentConfig],
        custom_handoffs_tool_descriptions: Mapping[str, str] | None = None,
        handoffs_tool_overrides: Mapping[str, BaseTool] | None = None,
        *,
        handoff_budget: int | None = None,
    ) -> None:
        """Check the agents and load their models.

        Args:
            agents_config: each agent's prompt, handoffs, model, tools and approval rules, by its name.
            custom_handoffs_tool_descriptions: what the model reads about handing to an agent, by the agent's name.
            handoffs_tool_overrides: tools to use instead of the ones made here, by the name of the receiving agent.
                Each returns a `Command` whose update has `messages` and `active_agent`, and any other keys.
            handoff_budget: how many handoffs may follow one customer message; None for any number.

        Raises:
            Misconfigured: the configuration cannot work; the error names the agent and the fix.
        """
        super().__init__()
        if handoff_budget is not None and handoff_budget < 1:
            raise Misconfigured(
                f"handoff_budget is {handoff_budget}.", fix="Give 1 or more, or None for any number of handoffs."
            )
        self.roster = read_roster(
            agents_config,
            descriptions=custom_handoffs_tool_descriptions or {},
            overrides=handoffs_tool_overrides or {},
        )
        self._refusals = Refusals(roster=self.roster, budget=handoff_budget)
        self.tools = self.roster.tools
        self.state_schema = state_schema_of(self.roster)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """Call the active agent's model, with its prompt and its tools."""
        agent = self._active(request.state)
        return self._completed(agent, request, agent.gate.wrap_model_call(_as_agent(agent, request), handler))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """Call the active agent's model, with its prompt and its tools."""
        agent = self._active(request.state)
        return self._completed(agent, request, await agent.gate.awrap_model_call(_as_agent(agent, request), handler))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolResult]) -> ToolResult:
        """Run a call of the active agent, after a person's approval where its rules want one."""
        agent = self._active(request.state)
        if refusal := self._refusals.of(request.tool_call, by=agent, messages=request.state["messages"]):
            return refusal
        with asking_as(agent.name):
            return agent.gate.wrap_tool_call(request, handler)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]]
    ) -> ToolResult:
        """Run a call of the active agent, after a person's approval where its rules want one."""
        agent = self._active(request.state)
        if refusal := self._refusals.of(request.tool_call, by=agent, messages=request.state["messages"]):
            return refusal
        with asking_as(agent.name):
            return await agent.gate.awrap_tool_call(request, handler)

    def _active(self, state: Mapping[str, Any]) -> RosterAgent:
        name = state.get("active_agent")
        if isinstance(name, str) and name in self.roster.agents:
            return self.roster.agents[name]
        if name:
            _log.warning(
                "The active agent %r is not in agents_config; the default agent %r goes on.",
                name,
                self.roster.default.name,
            )
        return self.roster.default

    def _completed(
        self, agent: RosterAgent, request: ModelRequest[Any], response: ModelResponse[Any]
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        # Refused calls are answered here, before any gate sees them: nobody is asked about a call that cannot run.
        refusals = self._refusals.among(response.result, by=agent, before=request.state["messages"])
        response = replace(response, result=[*response.result, *refusals])
        if request.state.get("active_agent") == agent.name:
            return response
        # The state names the agent from its first word on, so that a pause can say who asked, and a name that no
        # longer exists is replaced (and logged) once.
        return ExtendedModelResponse(model_response=response, command=Command(update={"active_agent": agent.name}))


def _as_agent(agent: RosterAgent, request: ModelRequest[Any]) -> ModelRequest[Any]:
    return request.override(model=agent.model or request.model, system_message=agent.prompt, tools=agent.offered)
