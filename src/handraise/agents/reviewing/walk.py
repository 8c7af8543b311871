"""The walk of a run under review: what to do next with the agent, written once for sync and async."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from langgraph.errors import is_invalid_resume
from langgraph.types import Command, StateSnapshot
from pydantic import JsonValue, ValidationError

from handraise.core.requests import Request
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.registry import read_requests, write_resume
from handraise.graphs.breakpoints import StateUpdate, stopped_before_tools, update_for


class Reviewer(Protocol):
    """Whoever answers what the agent asks."""

    def now(self) -> datetime:
        """Return the time by this person's clock."""
        ...

    def close(self, request: Request, /) -> Request:
        """Return the request as it is closed: decided, or expired."""
        ...

    def show_refusal(self, why: str, /) -> None:
        """Learn why the agent did not take the answers. The same requests are asked again after this."""
        ...

    def go_on(self) -> None:
        """Let a step begin that has nothing to decide."""
        ...


@dataclass(frozen=True)
class Invoke:
    """Run the agent on `step`."""

    step: Any


@dataclass(frozen=True)
class Look:
    """Read where the agent stands."""


Act = Invoke | Look | StateUpdate


class AnswerRefused(Exception):
    """The agent did not take an answer. Nothing was saved, so it can be given again."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@contextmanager
def telling_refusals() -> Iterator[None]:
    """Turn whatever LangGraph raises for an answer that was not taken into `AnswerRefused`; all else passes."""
    try:
        yield
    except Exception as error:
        if not is_invalid_resume(error):
            raise
        if isinstance(error, ValidationError):
            raise AnswerRefused(error.errors(include_url=False)[0]["msg"]) from error
        raise AnswerRefused(str(error)) from error


def walk(person: Reviewer, input: Any, *, session_id: str) -> Generator[Act, Any, Any]:
    """Yield what to do with the agent, take what came of it, and return the agent's final state.

    A session that is already paused is answered before `input` is sent, which would otherwise drop what it waits for.
    """
    result: Any = None
    waiting = input is not None
    snapshot: StateSnapshot = yield Look()
    while True:
        if snapshot.interrupts:
            answers = {
                each.id: _answer(
                    person, RawInterrupt(id=each.id, value=each.value, response_schema=each.response_schema), session_id
                )
                for each in snapshot.interrupts
            }
            try:
                result = yield Invoke(Command(resume=answers))
            except AnswerRefused as refused:
                person.show_refusal(refused.why)
        elif stop := stopped_before_tools(snapshot):
            if update := update_for(snapshot, _answer(person, stop, session_id)):
                yield update
            result = yield Invoke(None)
        elif snapshot.tasks:
            person.go_on()
            result = yield Invoke(None)
        elif waiting:
            waiting = False
            result = yield Invoke(input)
        else:
            return result
        snapshot = yield Look()


def _answer(person: Reviewer, interrupt: RawInterrupt, session_id: str) -> JsonValue:
    asked = PauseContext(session_id=session_id, run_id="review", at=person.now())
    requests: Sequence[Request] = read_requests(interrupt, asked=asked)
    return write_resume([person.close(request) for request in requests])
