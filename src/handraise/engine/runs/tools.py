"""What is known of an agent's tools without running it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, get_type_hints

from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode
from pydantic import BaseModel, JsonValue
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.fields import FieldInfo

from handraise.engine.loading import Agent


def schemas_of(agent: Agent) -> dict[str, dict[str, JsonValue]]:
    """Return the JSON schema of each tool's arguments, by tool name, without those that are injected."""
    return {tool.name: _schema(tool) for tool in _tools_of(agent)}


def declared_of(agent: Agent) -> dict[str, dict[str, JsonValue]]:
    """Return what each tool's author declared of its arguments, by tool name.

    The schema that a model is shown has lost it: LangChain leaves out whatever a field declares beyond its type.
    """
    return {tool.name: {"allOf": [_of_model(tool), _of_function(tool)]} for tool in _tools_of(agent)}


def backstage_of(agent: Agent) -> frozenset[str]:
    """Return the names of the tools by which an agent asks an operator, whatever they are called."""
    return frozenset(tool.name for tool in _tools_of(agent) if getattr(tool, "asks_an_operator", False))


def _of_model(tool: BaseTool) -> JsonValue:
    schema = tool.args_schema
    if isinstance(schema, dict):
        return schema
    with suppress(PydanticInvalidForJsonSchema, PydanticUserError):
        if isinstance(schema, type) and issubclass(schema, BaseModel):
            return schema.model_json_schema()
    return {}


def _of_function(tool: BaseTool) -> JsonValue:
    """Return the extras of `Annotated[..., Field(json_schema_extra=...)]` in a function's signature."""
    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None)
    try:
        hints = get_type_hints(function, include_extras=True) if function else {}
    except (NameError, TypeError):  # a name that only its author's function can see
        return {}
    extras = {
        name: field.json_schema_extra
        for name, hint in hints.items()
        for field in getattr(hint, "__metadata__", ())
        if isinstance(field, FieldInfo) and isinstance(field.json_schema_extra, dict)
    }
    return {"properties": dict(extras)}


def _tools_of(agent: Agent) -> list[BaseTool]:
    nodes = [node.bound for node in agent.nodes.values()]
    return [tool for node in nodes if isinstance(node, ToolNode) for tool in node.tools_by_name.values()]


def _schema(tool: BaseTool) -> dict[str, Any]:
    schema = tool.tool_call_schema
    if isinstance(schema, dict):
        return schema
    if issubclass(schema, BaseModel):
        return schema.model_json_schema()
    return {}
