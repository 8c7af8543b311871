"""Questions: one call to review each, and the shape of the answers to them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from types import GenericAlias
from typing import Any, cast

from langchain.agents.middleware.human_in_the_loop import DecisionType
from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool
from pydantic import TypeAdapter, create_model

from handraise.agents.gate.arguments import ArgsSchema, schema_of
from handraise.agents.gate.rules import GateConfig
from handraise.agents.upstream.gate import decision_type

_MOST_KEPT = 256


@dataclass(frozen=True, kw_only=True)
class Question:
    """One call as it would run, and the decisions its rule allows."""

    call: ToolCall
    config: GateConfig
    digest: str
    tool: BaseTool | None = None
    saved_schema: dict[str, Any] | None = None
    """The arguments' schema as an earlier process published it, for when this one has not met the tool yet."""

    @property
    def args_schema(self) -> ArgsSchema:
        return schema_of(self.tool) if self.tool else self.saved_schema


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What an answer may look like: LangChain's own type of it, so that its words and errors stay LangChain's."""

    kind: Any
    adapter: TypeAdapter[Any]
    schema: str
    """What clients see, as JSON text: reading it is the quickest way to a copy of their own."""
    tool: BaseTool | None = None
    """Kept because its id is part of the key under which the shape is kept."""

    def published(self) -> dict[str, Any]:
        """Return the schema for clients to read, and to change if they like."""
        return cast("dict[str, Any]", json.loads(self.schema))


# LangChain builds these anew for every question, which costs more than all else; a gate asks the same ones again.
_of_one: dict[tuple[str, tuple[DecisionType, ...], int], Shape] = {}
_of_many: dict[tuple[int, ...], Shape] = {}


def decision_shape(question: Question) -> Shape:
    """Return the shape of one decision on this call."""
    name, allowed, tool = question.call["name"], tuple(question.config["allowed_decisions"]), question.tool
    key = (name, allowed, id(tool))
    if key not in _of_one:
        _of_one[key] = _shape(_of_one, decision_type(allowed, name, tool), tool)
    return _of_one[key]


def batch_shape(questions: Sequence[Question]) -> Shape:
    """Return the shape of `{"decisions": [...]}` for these calls, in their order."""
    kinds = tuple(decision_shape(question).kind for question in questions)
    key = tuple(map(id, kinds))
    if key not in _of_many:
        answer = create_model("HITLResponse", decisions=(cast("Any", GenericAlias(tuple, kinds)), ...))
        _of_many[key] = _shape(_of_many, answer, None)
    return _of_many[key]


def saved_args_schema(schema: Any, position: int) -> dict[str, Any] | None:
    """Find the arguments' schema of the call at `position` in a schema that a `batch_shape` published."""
    if not isinstance(schema, dict):
        return None
    definitions = schema.get("$defs", {})

    def follow(part: dict[str, Any]) -> dict[str, Any]:
        name = part.get("$ref", "").removeprefix("#/$defs/")
        return cast("dict[str, Any]", definitions.get(name, part))

    try:
        decision = follow(schema["properties"]["decisions"]["prefixItems"][position])
        for choice in map(follow, decision.get("oneOf", [decision])):
            if choice["properties"]["type"]["const"] == "edit":
                action = follow(choice["properties"]["edited_action"])
                return {**follow(action["properties"]["args"]), "$defs": definitions}
    except (KeyError, IndexError):
        return None
    return None


def _shape(kept: dict[Any, Shape], kind: Any, tool: BaseTool | None) -> Shape:
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    adapter = TypeAdapter(kind)
    return Shape(kind=kind, adapter=adapter, schema=json.dumps(adapter.json_schema()), tool=tool)
