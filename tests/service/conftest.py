"""A real service with the test's own agent, on each database in turn; one for all tests, each with its own sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.service.desk import RunningDesk


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def desk(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[RunningDesk]:
    """The running service."""
    with RunningDesk(new_database(request.param)) as running:
        yield running


@pytest.fixture
def operator(desk: RunningDesk) -> Iterator[httpx.Client]:
    """A program with an operator's key."""
    with desk.program() as client:
        yield client


@pytest.fixture
def customer(desk: RunningDesk) -> Iterator[httpx.Client]:
    """A browser that keeps the cookies of the sessions it opens."""
    with desk.visitor() as client:
        yield client
