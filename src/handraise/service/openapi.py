"""The OpenAPI document: FastAPI's, and what the streams and sockets carry."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from handraise.service.chat_api.frames import ChatAnswer, ChatMessageFrame
from handraise.service.help_desk_api.socket import HumanRequestEvent
from handraise.service.http.problems import Problem
from handraise.service.routes.live import HeartbeatFrame, SnapshotFrame
from handraise.service.routes.sessions import DeltaFrame, EventFrame

CARRIED = (
    EventFrame,
    DeltaFrame,
    SnapshotFrame,
    HeartbeatFrame,
    HumanRequestEvent,
    ChatMessageFrame,
    ChatAnswer,
    Problem,
)


def describe(app: FastAPI) -> None:
    """Let the application's document have every schema that it names."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        described = plain()
        _, carried = models_json_schema(
            [(model, "serialization") for model in CARRIED], ref_template="#/components/schemas/{model}"
        )
        described["components"]["schemas"] = carried["$defs"] | described["components"]["schemas"]
        for methods in described["paths"].values():
            for operation in methods.values():
                for answer in operation["responses"].values():
                    _as_problem(answer.get("content", {}))
        return described

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way to extend it


def _as_problem(content: dict[str, Any]) -> None:
    """Name the media type of a problem, which FastAPI takes for plain JSON where a route names only the model."""
    if str(content.get("application/json", {}).get("schema", {}).get("$ref", "")).endswith("/Problem"):
        content["application/problem+json"] = content.pop("application/json")
