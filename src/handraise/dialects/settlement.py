"""Settlement: the question whether a call ran before a fault hid its outcome.

`{"type": "effect_unknown", ...}`, answered by `{"settlement": "ran" | "run_again" | "leave", "result": ...}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, assert_never

from pydantic import BaseModel, JsonValue

from handraise.core.decisions import Approve, DecisionKind, Edit, Reject, Respond
from handraise.core.errors import Unspeakable
from handraise.core.requests import Option, Request, request_id
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.fields import fits

OPTIONS = (
    Option(id="ran", label="It ran", description="Write what it returned; the agent goes on with that."),
    Option(id="run_again", label="It did not run", description="Run it now."),
    Option(id="leave", label="Leave it", description="Do not run it; the agent is told that nobody knows."),
)


class _EffectUnknown(BaseModel):
    type: Literal["effect_unknown"]
    name: str
    args: dict[str, JsonValue]
    tool_call_id: str
    digest: str
    times: int


class Settling:
    """One question with three answers. Without an answer in time the call is left alone."""

    name: ClassVar[str] = "settlement"
    speaks: ClassVar[frozenset[DecisionKind]] = frozenset({"respond"})

    def understands(self, value: Any, /) -> bool:
        return fits(_EffectUnknown, value)

    def read_requests(self, interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
        unknown = _EffectUnknown.model_validate(interrupt.value)
        return [
            Request(
                id=request_id(session_id=asked.session_id, interrupt_id=interrupt.id, position=0),
                session_id=asked.session_id,
                run_id=asked.run_id,
                kind="settlement",
                dialect=self.name,
                interrupt_id=interrupt.id,
                tool=unknown.name,
                tool_call_id=unknown.tool_call_id,
                args=unknown.args,
                allowed=("respond",),
                agent=asked.agent,
                question=(
                    f"{unknown.name} was started, and then the service stopped before it could record the result. "
                    "Look whether it happened, then choose."
                ),
                question_type="risk_confirmation",
                options=OPTIONS,
                urgency="high",
                created_at=asked.at,
            )
        ]

    def write_resume(self, requests: Sequence[Request], /) -> JsonValue:
        match requests[0].decision:
            case Respond(selected_option=str() as chosen, text=text):
                return {"settlement": chosen, "result": text}
            case Respond() | None:
                return {"settlement": "leave"}
            case Approve() | Edit() | Reject() as decision:
                raise Unspeakable(dialect=self.name, word=decision.type)
            case _ as never:
                assert_never(never)
