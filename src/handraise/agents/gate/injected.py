"""Injected arguments: what LangGraph gives a tool after the approval, whatever a model or a middleware wrote there."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.tools import BaseTool
from langgraph.prebuilt.tool_node import _get_all_injected_args


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
