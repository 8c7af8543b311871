"""Breakpoint: the calls that a static breakpoint stopped before, when we drive the agent ourselves.

It is the chat agent's dialect with one word more: a person may also answer in a call's place, which the chat
agent's wire cannot say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import JsonValue

from handraise.core.decisions import DECISION_KINDS, DecisionKind, Respond
from handraise.core.requests import Request
from handraise.dialects.chat_agent import ChatAgent
from handraise.dialects.dialect import PauseContext, RawInterrupt, response_text


class Breakpoint(ChatAgent):
    """`{"type": "breakpoint", "tool_calls": [...]}`, answered like `chat_agent`, with `responded` beside `rejected`."""

    name: ClassVar[str] = "breakpoint"
    speaks: ClassVar[frozenset[DecisionKind]] = frozenset(DECISION_KINDS)

    def understands(self, value: Any, /) -> bool:
        return super().understands(value) and value.get("type") == "breakpoint"

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        ours = {"dialect": self.name, "allowed": DECISION_KINDS}
        return [request.model_copy(update=ours) for request in super().read_requests(interrupt, asked=asked)]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        responded: list[JsonValue] = [
            {"id": request.tool_call_id, "name": request.tool, "text": response_text(request.decision)}
            for request in sorted(requests, key=lambda request: request.position)
            if isinstance(request.decision, Respond)
        ]
        answer = super().write_resume([r for r in requests if not isinstance(r.decision, Respond)])
        return {**answer, "responded": responded} if responded and isinstance(answer, dict) else answer
