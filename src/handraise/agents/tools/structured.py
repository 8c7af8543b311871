"""Any tool or function as a StructuredTool: the one kind whose function and signature are in the open."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool, Tool
from langchain_core.tools import tool as as_tool
from langchain_core.tools.base import FILTERED_ARGS, _get_runnable_config_param, create_schema_from_function

RunManager = CallbackManagerForToolRun | AsyncCallbackManagerForToolRun | None


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


def what_it_wants(run: Callable[..., Any], config: RunnableConfig, run_manager: RunManager) -> dict[str, Any]:
    """Return what a tool's `_run` takes beside its arguments, as LangChain gives it: the config and the callbacks."""
    wanted: dict[str, Any] = {"run_manager": run_manager} if "run_manager" in signature(run).parameters else {}
    if name := _get_runnable_config_param(run):
        wanted[name] = config
    return wanted


class AdaptedTool(StructuredTool):
    """A tool of another kind, which reads its arguments and runs in its own way."""

    original: BaseTool

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return self.original._to_args_and_kwargs(tool_input, tool_call_id)

    def _run(
        self, *args: Any, config: RunnableConfig, run_manager: CallbackManagerForToolRun | None = None, **kwargs: Any
    ) -> Any:
        run = self.original._run
        return run(*args, **kwargs, **what_it_wants(run, config, run_manager))

    async def _arun(
        self,
        *args: Any,
        config: RunnableConfig,
        run_manager: AsyncCallbackManagerForToolRun | None = None,
        **kwargs: Any,
    ) -> Any:
        run: Callable[..., Any] = self.original._arun if _is_async(self.original) else self.original._run
        return await self.original._arun(*args, **kwargs, **what_it_wants(run, config, run_manager))


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
        **{**settings_of(tool), "args_schema": tool.args_schema or _schema_of(tool)},
        func=tool._run,
        coroutine=tool._arun if _is_async(tool) else None,
        original=tool,
    )


def _schema_of(tool: BaseTool) -> Any:
    """Return what a tool's `_run` takes from a model: LangChain's own reading of it asks the model for the config."""
    config = _get_runnable_config_param(tool._run)
    if config is None:
        return tool.get_input_schema()
    return create_schema_from_function(tool.name, tool._run, filter_args=[*FILTERED_ARGS, config])


def _is_async(tool: BaseTool) -> bool:
    return type(tool)._arun is not BaseTool._arun
