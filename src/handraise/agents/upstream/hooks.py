"""A middleware's hooks as create_agent finds and calls them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from langchain.agents.middleware import AgentMiddleware

HookT = TypeVar("HookT", bound=Callable[..., Any])


class HidesHooks:
    """Mixed into a middleware, hides those of its hooks from create_agent that are of no use as it is set up.

    create_agent asks `middleware.__class__` which hooks there are, and adds a step to the graph for each. One that does
    nothing would cost time in every turn.
    """

    hidden_hooks: frozenset[str] = frozenset()

    @property  # type: ignore[misc]  # a view for others to read: `type()` stays what it is
    def __class__(self) -> type[Any]:
        own: Any = type(self)
        return _seen_without(self.hidden_hooks, own) if self.hidden_hooks else own


@functools.cache
def _seen_without(hooks: frozenset[str], middleware: type[Any]) -> type[Any]:
    # The name stays, because LangGraph finds a paused thread's place by it.
    same = {name: getattr(middleware, name) for name in ("__module__", "__qualname__", "__doc__")}
    return type(
        middleware.__name__, (middleware,), {**same, **{hook: getattr(AgentMiddleware, hook) for hook in hooks}}
    )


def quick_to_inspect(hook: HookT) -> HookT:
    """Return a hook that brings its signature along: create_agent's tracing asks for it in every call."""
    return cast("HookT", _QuickToInspect(hook))


class _QuickToInspect:
    def __init__(self, hook: Callable[..., Any]) -> None:
        self._hook = hook
        whole = inspect.signature(hook)
        self._signature = whole.replace(parameters=[*whole.parameters.values()][1:])

    def __get__(self, middleware: Any, owner: type[Any] | None = None) -> Callable[..., Any]:
        if middleware is None:
            return self._hook
        bound = functools.partial(self._hook, middleware)
        bound.__signature__ = self._signature  # type: ignore[attr-defined]  # where `inspect` looks first
        return bound
