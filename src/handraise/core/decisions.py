"""Decisions: what a person answered. A closed union of four."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from handraise.core.errors import InvalidDecision

DecisionKind = Literal["approve", "edit", "reject", "respond"]
DECISION_KINDS: tuple[DecisionKind, ...] = get_args(DecisionKind)


class _Decision(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Approve(_Decision):
    """Run the call exactly as shown."""

    type: Literal["approve"] = "approve"


class Edit(_Decision):
    """Run the same tool with these arguments instead. An edit never changes the tool."""

    type: Literal["edit"] = "edit"
    args: dict[str, JsonValue]


class Reject(_Decision):
    """Do not run the call; the reason goes to the agent."""

    type: Literal["reject"] = "reject"
    reason: str = ""


class Respond(_Decision):
    """Answer in the tool's place: in text, by an offered option, or with data where a schema asked for it."""

    type: Literal["respond"] = "respond"
    text: str = ""
    selected_option: str | None = None
    data: JsonValue = None


AnyDecision = Approve | Edit | Reject | Respond
"""What a person may answer. `Decision` is the same, as a field of a model that says by its `type` which it is."""

Decision = Annotated[AnyDecision, Field(discriminator="type")]

_adapter: TypeAdapter[AnyDecision] = TypeAdapter(Decision)


def parse_decision(value: Any) -> AnyDecision:
    """Read a decision from plain data, or say which field is wrong."""
    try:
        return _adapter.validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the decision"
        raise InvalidDecision(
            f"The decision does not fit: {where}: {first['msg']}.",
            fix=f"Send an object with a `type` of {', '.join(DECISION_KINDS)} and the fields of that type.",
        ) from None
