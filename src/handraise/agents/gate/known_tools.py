"""Known tools: the tools of an agent, as far as a gate has met them, and whether its rules name any others."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.tools import BaseTool

from handraise.agents.gate.rules import Rules
from handraise.core.errors import Misconfigured


class KnownTools:
    """What a gate knows of the tools around it.

    A model may be shown only some of them, for other middleware chooses; all of them are known at the door of a tool.
    """

    def __init__(self) -> None:
        self.rules_are_checked = False
        self._tools: dict[str, BaseTool] = {}
        self._provided: set[str] = set()
        self._met: object = None

    def get(self, name: str) -> BaseTool | None:
        """Return a tool as this process last met it: a resumed process may not have met it yet."""
        return self._tools.get(name)

    def meet(self, shown: list[BaseTool | dict[str, Any]]) -> None:
        """Get to know what a model is shown. An agent hands over the same list each time, which is met once."""
        if shown is self._met:
            return
        self._met = shown
        self._tools.update({tool.name: tool for tool in shown if isinstance(tool, BaseTool)})
        self._provided.update(str(tool.get("name", "")) for tool in shown if isinstance(tool, dict))

    def check(self, rules: Rules, request: ToolCallRequest, *, strict: bool) -> None:
        """Warn of a rule for a tool that the agent does not have, before the first tool runs. If strict, refuse it."""
        here: Iterable[BaseTool] = getattr(request.runtime, "tools", ())
        names = {*self._tools, *self._provided, *(tool.name for tool in here), request.tool_call["name"]}
        try:
            rules.must_name_tools_of(names)
        except Misconfigured as error:
            if strict:
                raise
            warnings.warn(str(error), stacklevel=2)
        self.rules_are_checked = True
