"""Actors: who did something. Every event and every decision has one."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

ActorKind = Literal["customer", "operator", "agent", "service", "clock"]


class Actor(BaseModel):
    """Who acted, and through which channel (`console`, `api`, `chat`, ...) the act reached us."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ActorKind
    id: str = ""
    channel: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.id}" if self.id else self.kind


CLOCK = Actor(kind="clock")
SERVICE = Actor(kind="service")
