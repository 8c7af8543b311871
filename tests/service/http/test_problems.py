"""Errors over HTTP: each has a row in the one table of statuses, and none breaks the answer."""

from __future__ import annotations

import importlib
import pkgutil
from http import HTTPStatus

import httpx
import pytest
from fastapi import FastAPI

import handraise
from handraise.core import errors
from handraise.core.errors import Conflict, HandraiseError, NotRunAgain, QuotaExceeded
from handraise.service.http.problems import STATUSES, add_problem_handlers, status_of


class MoonEclipsed(HandraiseError):
    code = "moon_eclipsed"


class TideMissed(Conflict):
    code = "tide_missed"


def ours() -> set[type[HandraiseError]]:
    """Return every error that any module of the package defines."""
    for module in pkgutil.walk_packages(handraise.__path__, "handraise."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return {kind for kind in below(HandraiseError) if kind.__module__.startswith("handraise.")}


def below(kind: type[HandraiseError]) -> set[type[HandraiseError]]:
    return {kind}.union(*(below(each) for each in kind.__subclasses__()))


def test_every_error_has_a_row_of_its_own_and_every_row_is_an_errors() -> None:
    assert set(STATUSES) == ours()


def test_every_error_is_defined_where_the_tree_is_drawn() -> None:
    assert {kind.__module__ for kind in ours()} == {errors.__name__}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MoonEclipsed("The moon is gone.", fix="Wait."), HTTPStatus.INTERNAL_SERVER_ERROR),
        (TideMissed("The tide is out.", fix="Wait."), HTTPStatus.CONFLICT),
        (NotRunAgain("The tool failed.", fix="It was not run again."), HTTPStatus.CONFLICT),
        (QuotaExceeded("Too much.", fix="Raise the limit."), HTTPStatus.CONFLICT),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_an_error_without_a_row_is_still_a_problem_with_its_code_and_fix(
    error: HandraiseError, status: HTTPStatus
) -> None:
    app = FastAPI()
    add_problem_handlers(app)

    @app.get("/")
    async def fail() -> None:
        raise error

    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://desk") as client:
        answer = await client.get("/")

    assert status_of(error) == status
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert (answer.json()["code"], answer.json()["fix"]) == (error.code, error.fix)
