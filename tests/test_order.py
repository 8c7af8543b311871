"""Which tests xdist keeps together, and which come last."""

from __future__ import annotations

import pytest

from tests.order import drives_a_browser, grouped


@pytest.fixture(scope="module")
def service() -> str:
    return "it stands for one that takes seconds to start"


def scopes(session: pytest.Session) -> dict[str, str]:
    """Return where xdist keeps each of these tests, by its name."""
    with grouped(session):
        named = [item.nodeid for item in session.items if "tests/test_order.py::" in item.nodeid]
    # So `--dist loadgroup` reads it: if it ever reads anything else, every worker starts every service.
    return {name.partition("@")[0].partition("::")[2]: name.rpartition("@")[2] for name in named}


def test_what_shares_a_service_stays_together(service: str, request: pytest.FixtureRequest) -> None:
    found = scopes(request.session)

    assert found[request.node.name].endswith("test_order.py on , LONG"), service
    assert found.get("test_this_shares_it_too", found[request.node.name]) == found[request.node.name]


def test_this_shares_it_too(service: str, request: pytest.FixtureRequest) -> None:
    assert scopes(request.session)[request.node.name].endswith("test_order.py on , LONG"), service


def test_what_shares_nothing_goes_where_there_is_room(request: pytest.FixtureRequest) -> None:
    assert scopes(request.session)[request.node.name].endswith(request.node.name)


def test_what_drives_a_browser_comes_last(request: pytest.FixtureRequest) -> None:
    drives = [drives_a_browser(item) for item in request.session.items]

    assert drives == sorted(drives)


def test_names_are_their_own_again_afterwards(request: pytest.FixtureRequest) -> None:
    before = [*request.session.items]

    scopes(request.session)

    assert request.session.items == before
