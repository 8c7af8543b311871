"""What a tool returned, or how it failed, as the ledger keeps it."""

from __future__ import annotations

import base64
from typing import Any, cast

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import JsonValue

from handraise.core.errors import NotRunAgain

_serializer = JsonPlusSerializer()


class Before:
    """What a call returned, or how it failed, when it ran before."""

    def __init__(self, result: JsonValue) -> None:
        self._result = cast("dict[str, Any]", result)

    @property
    def value(self) -> Any:
        if "failed" in self._result:
            raise NotRunAgain(f"The tool failed: {self._result['failed']}.", fix="It was not run again.")
        if "said" in self._result:
            return self._result["said"]
        value = _serializer.loads_typed((self._result["type"], base64.b64decode(self._result["data"])))
        return tuple(value) if self._result.get("tuple") else value


def encoded(result: Any) -> JsonValue:
    try:
        kind, data = _serializer.dumps_typed(result)
    except TypeError:
        # The tool has run, whatever it returned: its result is kept as the text that the model would see.
        return {"said": str(result)}
    # A tuple is a tool's content and artifact, and must not come back as a list.
    return {"type": kind, "data": base64.b64encode(data).decode(), "tuple": isinstance(result, tuple)}


def failure(error: Exception) -> JsonValue:
    return {"failed": f"{type(error).__name__}: {error}"}
