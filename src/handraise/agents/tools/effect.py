"""Effects: a tool without a gate whose executions are recorded all the same, so that a crash never repeats one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from langchain_core.tools import BaseTool, StructuredTool

from handraise.agents.run_once.once import REPEATABLE
from handraise.agents.tools.gated import GatedTool, InterruptParams, gate
from handraise.agents.tools.structured import structured

Target = Callable[..., Any] | BaseTool
Marked = TypeVar("Marked", bound=StructuredTool)


@overload
def effect(func: Target, /) -> BaseTool: ...
@overload
def effect(*, repeatable: bool = False) -> Callable[[Target], BaseTool]: ...
def effect(func: Target | None = None, /, *, repeatable: bool = False) -> BaseTool | Callable[[Target], BaseTool]:
    """Record a tool's executions in the ledger of the engine that runs it. Without an engine it simply runs.

    A call that a crash interrupts is never run again unasked: a person is asked whether it ran. Say `repeatable=True`
    where running it twice does no harm. `handraise.idempotency_key()` gives the tool a key for its provider.
    """

    def decorate(target: Target) -> GatedTool:
        tool = _marked(structured(target), repeatable=repeatable)
        if isinstance(tool, GatedTool):
            return tool  # a tool behind a review is recorded already, as it was decided
        return gate(tool, handler=_run if tool.func else None, async_handler=_arun)

    return decorate if func is None else decorate(func)


def _marked(tool: Marked, *, repeatable: bool) -> Marked:
    update: dict[str, Any] = {"metadata": {**(tool.metadata or {}), REPEATABLE: repeatable}}
    if isinstance(tool, GatedTool):
        update["gated"] = _marked(tool.gated, repeatable=repeatable)
    return tool.model_copy(update=update)


def _run(params: InterruptParams) -> Any:
    return params["tool"].invoke(params["tool_call_args"])


async def _arun(params: InterruptParams) -> Any:
    return await params["tool"].ainvoke(params["tool_call_args"])
