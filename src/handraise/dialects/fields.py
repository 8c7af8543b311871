"""Fields that a wire format may carry: a value that does not fit is as good as none."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    JsonValue,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

_TEN_YEARS = 10 * 365 * 24 * 60 * 60
"""Longer than anybody waits, and short of where dates overflow."""


def _or_none(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    try:
        return check(value)
    except ValidationError:
        return None


def _with_zone(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


# An optional field is there for people to see. Losing it must not lose the request that carries it.
OptionalText = Annotated[str | None, WrapValidator(_or_none)]
OptionalTexts = Annotated[list[str] | None, WrapValidator(_or_none)]
OptionalObject = Annotated[dict[str, JsonValue] | None, WrapValidator(_or_none)]
OptionalSeconds = Annotated[Annotated[float, Field(gt=0, le=_TEN_YEARS)] | None, WrapValidator(_or_none)]
OptionalMoment = Annotated[Annotated[datetime, AfterValidator(_with_zone)] | None, WrapValidator(_or_none)]


def fits(shape: type[BaseModel], value: Any, /) -> bool:
    """Return whether `value` has the shape, without keeping what was read."""
    try:
        shape.model_validate(value)
    except ValidationError:
        return False
    return True
