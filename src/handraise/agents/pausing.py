"""Pausing: an `interrupt` whose answer is checked before LangGraph saves it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast

from langgraph.types import interrupt
from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

Answer = TypeVar("Answer")


def pause(payload: Any, /, *, read: Callable[[Any], Answer], answer_schema: dict[str, Any]) -> Answer:
    """Pause with `payload`, and return the answer as `read` understood it.

    When `read` raises a ValueError, the resume fails with a `pydantic.ValidationError` (also a ValueError) that quotes
    it, nothing is saved, and the same interrupt can be answered again.
    """

    # Pydantic prints the reader in its errors: a function of its own keeps the call's state out of them.
    def answer(value: Any) -> Answer:
        try:
            return read(value)
        except ValueError as error:
            raise PydanticCustomError("invalid_decision", "{why}", {"why": str(error)}) from error

    checked = Annotated[Any, PlainValidator(answer), WithJsonSchema(answer_schema)]
    return interrupt(payload, response_schema=cast("type[Answer]", checked))
