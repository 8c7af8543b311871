"""Finds what a module names of LangChain and LangGraph that they never promised."""

from __future__ import annotations

import ast
import re

UPSTREAM = ("langchain", "langchain_core", "langgraph")

UNPROMISED = {
    *("_should_interrupt", "_create_action_and_config", "_tool_approval_request", "_process_decision"),
    *("_apply_edit", "_annotate_edited_result", "_to_args_and_kwargs", "_filter_injected_args"),
    *("from_ns", "get_null_resume", "interrupt_counter", "FILTERED_ARGS", "create_schema_from_function"),
    *("PrivateStateAttr", "STRICT_MSGPACK_ENABLED", "hitl_edited_tool_calls"),
}
BODIES = {"_run", "_arun"}
"""LangChain documents that a tool has these, for its author to write. Calling another tool's is something else."""

MAGIC = re.compile(r"__pregel_|__interrupt__|__resume__|langgraph_(path|checkpoint_ns)|lc_agent_name|hitl_edited")


def unpromised(text: str) -> list[str]:
    """Return what a module names of LangChain and LangGraph that they never promised."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                found += [alias.name for alias in names if _is_private(alias.name)]
            case ast.ImportFrom(module=str(module), names=names):
                found += [name for alias in names if _is_private(name := f"{module}.{alias.name}")]
            case ast.Attribute(attr=name) if name in UNPROMISED or (name in BODIES and not _is_own(node.value)):
                found.append(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.Name(id=name):
                found += [name] * (name in UNPROMISED)
            case ast.Constant(value=str(value)) if MAGIC.search(value):
                found.append(value)
    return found


def _is_private(name: str) -> bool:
    package, *parts = name.split(".")
    return package in UPSTREAM and any(part.startswith("_") or part in UNPROMISED for part in parts)


def _is_own(of: ast.expr) -> bool:
    match of:
        case ast.Name(id="self") | ast.Call(func=ast.Name(id="super")):
            return True
        case _:
            return False
