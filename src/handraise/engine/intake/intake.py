"""Intake: what a paused agent asks becomes requests, each with everything that a person needs to decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage
from pydantic import JsonValue

from handraise.core.policy import Ruling
from handraise.core.requests import Request
from handraise.core.runs import Run
from handraise.core.sessions import Session
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.registry import read_requests
from handraise.engine.intake.audience import Audience
from handraise.engine.intake.calls import with_call_ids
from handraise.engine.intake.quotas import Quotas
from handraise.engine.intake.sensitive import Sensitive

Step = Callable[[Request], Request]


@dataclass(frozen=True, kw_only=True)
class Intake:
    """Takes in what one agent asks. It neither waits nor writes."""

    schemas: Mapping[str, dict[str, JsonValue]]
    quotas: Quotas
    audience: Audience
    sensitive: Sensitive

    def requests(
        self,
        pending: Sequence[RawInterrupt],
        *,
        run: Run,
        session: Session,
        agent: str,
        messages: Sequence[BaseMessage],
    ) -> list[Request]:
        """Return the requests in what is pending, opened before or not, in the order of their calls."""
        asked = PauseContext(
            session_id=run.session_id, run_id=run.id, at=session.updated_at, agent=agent, schemas=self.schemas
        )
        read = [request for interrupt in pending for request in read_requests(interrupt, asked=asked)]
        steps: tuple[Step, ...] = (
            with_ruling,
            self.quotas.with_deadline,
            self.audience.assign,
            lambda request: request.model_copy(update={"customer": session.customer}),
            self.sensitive.mark,
        )
        return [_after(steps, request) for request in with_call_ids(read, messages)]


def with_ruling(request: Request) -> Request:
    """Return a call to review with the ruling that brought it here: whatever policy its agent has, it said to ask."""
    if not request.is_review or request.ruling is not None:
        return request
    return request.model_copy(update={"ruling": Ruling(verdict="ask", rule=request.tool)})


def _after(steps: Sequence[Step], request: Request) -> Request:
    for step in steps:
        request = step(request)
    return request
