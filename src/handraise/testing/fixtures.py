"""Fixtures for pytest. Ask for them: `pytest_plugins = ["handraise.testing.fixtures"]` in your `conftest.py`.

Nothing here is loaded by installing Handraise, and nothing of an agent is imported before a test asks for a fixture.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from handraise.testing.clock import Clock
    from handraise.testing.operators import SimulatedOperator


@pytest.fixture
def handraise_clock() -> Clock:
    """Return a clock that stands still until the test turns it."""
    from handraise.testing.clock import Clock

    return Clock()


@pytest.fixture
def handraise_operator(handraise_clock: Clock) -> Callable[..., SimulatedOperator]:
    """Return what makes a simulated operator, who goes by `handraise_clock`: `handraise_operator(Approve())`."""
    from handraise.testing.operators import SimulatedOperator

    def make(answers: Any, **options: Any) -> SimulatedOperator:
        return SimulatedOperator(answers, **{"clock": handraise_clock, **options})

    return make


@pytest.fixture
def handraise_session() -> RunnableConfig:
    """Return the config of a new session, for an agent that is invoked more than once in a test."""
    return {"configurable": {"thread_id": str(uuid.uuid4())}}
