"""Pauses inside an agent: whatever waits for a person says which agent asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from langgraph.errors import GraphInterrupt

from handraise.agents.upstream.tasks import questions_in


@contextmanager
def asking_as(agent: str) -> Iterator[None]:
    """Name `agent` in every pause in the block, whoever raised it: a gate or a tool. An agent inside it was first."""
    try:
        yield
    except GraphInterrupt as paused:
        signed = [replace(interrupt, value=_signed(interrupt.value, agent)) for interrupt in questions_in(paused)]
        raise GraphInterrupt(signed) from paused


def _signed(value: Any, agent: str) -> Any:
    match value:
        case {"action_requests": [*actions]}:
            return {**value, "action_requests": [_signed(action, agent) for action in actions]}
        case [*actions]:
            return [_signed(action, agent) for action in actions]
        case dict():
            return {"agent": agent, **value}
        case _:
            return value
