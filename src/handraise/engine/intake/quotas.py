"""Quotas: how much an agent may ask of people, so that it cannot ask forever."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import assert_never

from handraise.core.errors import QuotaExceeded
from handraise.core.requests import Request, RequestKind
from handraise.store.store import Transaction


@dataclass(frozen=True, kw_only=True)
class Quotas:
    """Budgets for each session and run, and the time a question has when it brings no deadline of its own."""

    open_requests_per_session: int = 20
    requests_per_session: int = 500
    requests_per_run: int = 50
    question_deadline: timedelta | None = timedelta(seconds=300)
    approval_deadline: timedelta | None = None

    def with_deadline(self, request: Request) -> Request:
        """Return the request with a deadline, where one of its kind should have one."""
        default = self._default(request.kind)
        if request.deadline is not None or default is None:
            return request
        return request.model_copy(update={"deadline": request.created_at + default})

    def _default(self, kind: RequestKind) -> timedelta | None:
        match kind:
            case "question":
                return self.question_deadline
            case "approval":
                return self.approval_deadline
            case "settlement":
                return None  # Without an answer nobody knows what happened, however long it takes.
            case _ as never:
                assert_never(never)

    async def check(self, tx: Transaction, *, session_id: str, run_id: str) -> None:
        """Raise when a session or a run has asked too much."""
        open_now, total = await tx.requests.count_of_session(session_id)
        in_run = len(await tx.requests.of_run(run_id))
        for count, most, what, setting in (
            (open_now, self.open_requests_per_session, "open requests in one session", "open_requests_per_session"),
            (total, self.requests_per_session, "requests in one session", "requests_per_session"),
            (in_run, self.requests_per_run, "requests in one run", "requests_per_run"),
        ):
            if count > most:
                raise QuotaExceeded(
                    f"The agent asked too much: {count} {what}, and {most} is the most.",
                    fix=f"Look whether it asks in a loop, or raise the setting engine.{setting}.",
                )
