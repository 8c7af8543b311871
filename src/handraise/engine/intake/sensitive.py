"""Sensitive arguments: found when a call is proposed, from the tool's schema and the names that settings list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from handraise.core.log.facts import Fact, ToolCalled, ToolFinished
from handraise.core.masking import Secrets, mask, sensitive_paths, values_at
from handraise.core.requests import Request


class Sensitive:
    """What one agent's tools take that people must not see."""

    def __init__(
        self, declared: Mapping[str, dict[str, JsonValue]], *, names: Sequence[str], secrets: Secrets | None = None
    ) -> None:
        self._declared = declared
        self._names = names
        self._secrets = secrets or Secrets()

    def mark(self, request: Request) -> Request:
        """Return a request that knows which of its arguments are sensitive."""
        paths = self._paths(request.tool, request.args, request.args_schema)
        return request.model_copy(update={"sensitive": paths})

    def mask(self, fact: Fact) -> Fact:
        """Return a fact as it is recorded: without what is sensitive in a call, or came back from one."""
        match fact:
            case ToolCalled(tool=tool, args=args):
                paths = self._paths(tool, args)
                return fact.model_copy(update={"args": mask(args, paths)}) if paths else fact
            case ToolFinished(content=content):
                return fact.model_copy(update={"content": self._secrets.scrub(content)})
            case _:
                return fact

    def _paths(self, tool: str, args: Mapping[str, JsonValue], schema: JsonValue = None) -> tuple[str, ...]:
        found = {
            path
            for each in (schema, self._declared.get(tool))
            for path in sensitive_paths(args, each if isinstance(each, dict) else None, self._names)
        }
        paths = tuple(sorted(found))
        self._secrets.note(values_at(args, paths))
        return paths
