"""A simulated operator: answers what an agent asks, in this process, without a service."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig

from handraise.agents.reviewing.driving import Agent, arun_reviewed, run_reviewed
from handraise.core.actors import Actor
from handraise.core.errors import InvalidDecision, Misconfigured
from handraise.core.requests import Request
from handraise.testing.answers import AnswerRule, answer_to
from handraise.testing.clock import Clock

MOST = 100
"""How many requests one operator answers, so that an agent which asks forever ends a test instead of hanging it."""


class SimulatedOperator:
    """Somebody who answers every request of an agent by rule, after thinking for `takes` on a clock of their own.

    `closed` holds the requests as they were closed, with decisions. Where thinking goes past a request's deadline,
    the clock closes it and the agent is told that nobody answered in time.
    """

    def __init__(
        self,
        answers: AnswerRule,
        *,
        name: str = "simulated",
        clock: Clock | None = None,
        takes: timedelta = timedelta(),
        most: int = MOST,
    ) -> None:
        self.closed: list[Request] = []
        self.clock = clock or Clock()
        self._answers = answers
        self._actor = Actor(kind="operator", id=name, channel="test")
        self._takes = takes
        self._most = most

    def run(self, agent: Agent, input: Any, config: RunnableConfig | None = None) -> Any:
        """Run the agent to its end, answering on the way; return its final state.

        A session that was already paused is answered first. Without a `thread_id` in `config` a new session begins.
        """
        return run_reviewed(agent, input, config, person=self)

    async def arun(self, agent: Agent, input: Any, config: RunnableConfig | None = None) -> Any:
        """`run` for agents with async tools."""
        return await arun_reviewed(agent, input, config, person=self)

    def now(self) -> datetime:
        """Return the time by the operator's clock."""
        return self.clock.now()

    def close(self, request: Request, /) -> Request:
        """Return the request as this operator decides it, or as the clock closes it at its deadline."""
        if len(self.closed) >= self._most:
            raise Misconfigured(
                f"The agent has asked more than {self._most} times.",
                fix="See why it asks again and again, or allow more with most=.",
            )
        self.clock.turn(self._takes)
        if request.deadline is not None and self.now() >= request.deadline:
            closed = request.expire(at=self.now())
        else:
            closed = request.decide(answer_to(request, self._answers), by=self._actor, at=self.now())
        self.closed.append(closed)
        return closed

    def show_refusal(self, why: str, /) -> None:
        """Raise, since the same answer would be refused forever."""
        raise InvalidDecision(
            f"The agent did not take the simulated operator's answer: {why}", fix="Answer what the request offers."
        )

    def go_on(self) -> None:
        """Let a step begin that has nothing to decide."""
