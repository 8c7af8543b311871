"""Any tool or function as a StructuredTool: the one kind whose function and signature are in the open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool, Tool
from langchain_core.tools import tool as as_tool

from handraise.agents.upstream.tools import (
    Arguments,
    ReadsItsCall,
    async_body_of,
    body_of,
    extras_for,
    has_async_body,
    read_as,
    schema_for_models,
)


def structured(target: Callable[..., Any] | BaseTool) -> StructuredTool:
    """Return `target` as a StructuredTool of the same name, description, schema and settings."""
    if not isinstance(target, BaseTool):
        target = as_tool(target)
    match target:
        case StructuredTool():
            return target
        case Tool():
            return _from_single_input(target)
        case _:
            return _from_class(target)


def settings_of(tool: BaseTool) -> dict[str, Any]:
    """Return what every tool has: its name, description, schema, tags, error handling and the rest."""
    return {name: getattr(tool, name) for name in BaseTool.model_fields}


class AdaptedTool(ReadsItsCall, StructuredTool):
    """A tool of another kind, which reads its arguments and runs in its own way."""

    original: BaseTool

    def read_call(self, given: str | dict[str, Any], call_id: str | None) -> Arguments:
        return read_as(self.original, given, call_id)

    def _run(
        self, *args: Any, config: RunnableConfig, run_manager: CallbackManagerForToolRun | None = None, **kwargs: Any
    ) -> Any:
        run = body_of(self.original)
        return run(*args, **kwargs, **extras_for(run, config, run_manager))

    async def _arun(
        self,
        *args: Any,
        config: RunnableConfig,
        run_manager: AsyncCallbackManagerForToolRun | None = None,
        **kwargs: Any,
    ) -> Any:
        run = async_body_of(self.original)
        inspected = run if has_async_body(self.original) else body_of(self.original)
        return await run(*args, **kwargs, **extras_for(inspected, config, run_manager))


def _from_single_input(tool: Tool) -> AdaptedTool:
    # Such a tool takes one text by position, under whatever name the model gives it.
    schema = tool.args_schema or {"type": "object", "properties": tool.args, "required": [*tool.args]}
    func, coroutine = tool.func, tool.coroutine
    return AdaptedTool(
        **{**settings_of(tool), "args_schema": schema},
        func=func and (lambda **given: func(*given.values())),
        coroutine=coroutine and (lambda **given: coroutine(*given.values())),
        original=tool,
    )


def _from_class(tool: BaseTool) -> AdaptedTool:
    return AdaptedTool(
        **{**settings_of(tool), "args_schema": tool.args_schema or schema_for_models(tool)},
        func=body_of(tool),
        coroutine=async_body_of(tool) if has_async_body(tool) else None,
        original=tool,
    )
