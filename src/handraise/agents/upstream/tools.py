"""LangChain's tools from the inside: how one reads a call, what is injected into it, and how its body is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langchain_core.tools.base import FILTERED_ARGS, _get_runnable_config_param, create_schema_from_function
from langgraph.prebuilt.tool_node import _get_all_injected_args

RunManager = CallbackManagerForToolRun | AsyncCallbackManagerForToolRun | None
Arguments = tuple[tuple[Any, ...], dict[str, Any]]
"""What a tool's body is given, by position and by name."""


class ReadsItsCall:
    """Mixed into a tool, lets it read a call in a way of its own; what it returns is what its body is given."""

    def read_call(self, given: str | dict[str, Any], call_id: str | None) -> Arguments:
        raise NotImplementedError

    def _to_args_and_kwargs(self, tool_input: str | dict[str, Any], tool_call_id: str | None) -> Arguments:
        return self.read_call(tool_input, tool_call_id)


def read_as(tool: BaseTool, given: str | dict[str, Any], call_id: str | None) -> Arguments:
    """Read a call as `tool` does, or raise what it raises for arguments that it refuses."""
    return tool._to_args_and_kwargs(given, call_id)


def read_as_any_tool(tool: BaseTool, given: str | dict[str, Any], call_id: str | None) -> Arguments:
    """Read a call as LangChain does for a tool that has no way of its own."""
    return BaseTool._to_args_and_kwargs(tool, given, call_id)


def without_injected(tool: BaseTool, given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that are a model's to write, and a person's to see."""
    return tool._filter_injected_args(given)


@dataclass(frozen=True)
class Injected:
    """The names of a tool's injected arguments."""

    given: frozenset[str]
    """LangGraph sets these itself when the tool runs: its state, store and runtime."""
    hidden: frozenset[str]
    """These and all others that are no model's to write: LangGraph takes away what a call says of them."""


def injected_into(tool: BaseTool) -> Injected:
    """Return what LangGraph's own reading of the tool says of its arguments."""
    read = _get_all_injected_args(tool)
    given = frozenset({*read.state, *filter(None, (read.store, read.runtime))})
    return Injected(given=given, hidden=given | read.all_injected_keys)


def body_of(tool: BaseTool) -> Callable[..., Any]:
    """Return what the tool does once its arguments are read."""
    return tool._run


def async_body_of(tool: BaseTool) -> Callable[..., Any]:
    """Return what the tool does in async code: LangChain's own stand-in runs the sync body in a thread."""
    return tool._arun


def has_async_body(tool: BaseTool) -> bool:
    """Return whether the tool has an async body of its own."""
    return type(tool)._arun is not BaseTool._arun


def extras_for(body: Callable[..., Any], config: RunnableConfig, run_manager: RunManager) -> dict[str, Any]:
    """Return what a tool's body takes beside its arguments, as LangChain gives it: the config and the callbacks."""
    wanted: dict[str, Any] = {"run_manager": run_manager} if "run_manager" in signature(body).parameters else {}
    if name := _get_runnable_config_param(body):
        wanted[name] = config
    return wanted


def schema_for_models(tool: BaseTool) -> Any:
    """Return what a tool's body takes from a model: LangChain's own reading of it asks the model for the config."""
    config = _get_runnable_config_param(tool._run)
    if config is None:
        return tool.get_input_schema()
    return create_schema_from_function(tool.name, tool._run, filter_args=[*FILTERED_ARGS, config])
