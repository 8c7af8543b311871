"""Every tool of every agent by name, so that no two share one: LangGraph finds a tool by its name alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from langchain_core.tools import BaseTool, tool

from handraise.agents.handoffs.tools import handoff_tool, handoff_tool_name
from handraise.core.errors import Misconfigured

# What every model provider accepts: the rule for names that are made here.
_PORTABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
# What at least one provider accepts: the rule for names that a developer chose.
_ACCEPTED_NAME = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


class Toolbox:
    """Hands out the tools of the agents, and refuses the first whose name is invalid or taken."""

    def __init__(self, *, descriptions: Mapping[str, str], overrides: Mapping[str, BaseTool]) -> None:
        self.receivers: dict[str, str] = {}
        self._descriptions = descriptions
        self._overrides = overrides
        self._handoffs: dict[str, BaseTool] = {}
        self._taken: dict[str, tuple[BaseTool, str]] = {}
        self._made_from: dict[Callable[..., Any], BaseTool] = {}

    def handoff_to(self, receiver: str) -> BaseTool:
        """Return the one tool that hands to `receiver`."""
        if receiver not in self._handoffs:
            made = self._override_for(receiver) or self._new_handoff(receiver)
            self._take(
                made, owner=f"the handoff to agent {receiver!r}", fix=f"Rename agent {receiver!r} or the other one."
            )
            self._handoffs[receiver] = made
            self.receivers[made.name] = receiver
        return self._handoffs[receiver]

    def admit(self, agent: str, given: Iterable[BaseTool | Callable[..., Any] | dict[str, Any]]) -> dict[str, BaseTool]:
        """Return the tools of `agent` by name. The provider's own tools, which are dicts, run elsewhere."""
        admitted: dict[str, BaseTool] = {}
        for one in given:
            if isinstance(one, dict):
                continue
            made = self._as_tool(agent, one)
            self._take(made, owner=f"agent {agent!r}", fix="Rename one of them, or use the same tool object in both.")
            admitted[made.name] = made
        return admitted

    def _new_handoff(self, receiver: str) -> BaseTool:
        name = handoff_tool_name(receiver)
        if not _PORTABLE_NAME.fullmatch(name):
            raise Misconfigured(
                f"Agent {receiver!r} needs a handoff tool named {name!r}, which model providers refuse.",
                fix="Name it with at most 46 letters, digits, _ and -, or give it a tool in handoffs_tool_overrides.",
            )
        return handoff_tool(receiver, description=self._descriptions.get(receiver))

    def _override_for(self, receiver: str) -> BaseTool | None:
        given = self._overrides.get(receiver)
        if given is None or isinstance(given, BaseTool):
            return given
        raise Misconfigured(
            f"handoffs_tool_overrides for agent {receiver!r} is {given!r}, not a tool.",
            fix="Decorate the function with @tool.",
        )

    def _as_tool(self, agent: str, given: BaseTool | Callable[..., Any]) -> BaseTool:
        if isinstance(given, BaseTool):
            return given
        if not callable(given):
            raise Misconfigured(
                f"Agent {agent!r} lists {given!r} as a tool.", fix="Give a tool, a function or a provider's dict."
            )
        if given not in self._made_from:
            self._made_from[given] = tool(given)
        return self._made_from[given]

    def _take(self, made: BaseTool, *, owner: str, fix: str) -> None:
        if not _ACCEPTED_NAME.fullmatch(made.name):
            raise Misconfigured(
                f"A tool of {owner} is named {made.name!r}, which model providers refuse.",
                fix="Use letters, digits, _ and -.",
            )
        same, first_owner = self._taken.setdefault(made.name, (made, owner))
        if same is not made:
            raise Misconfigured(f"Two tools are named {made.name!r}: one of {first_owner}, one of {owner}.", fix=fix)
