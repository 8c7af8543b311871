"""Fixtures for every test: a fresh database on SQLite and on a real PostgreSQL.

Nothing here starts, or imports, a database before a test asks for it.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.order import grouped, sort
from tests.patience import PATIENCE
from tests.postgres import PostgresServer, shared_postgres
from tests.pristine import make_empty, make_pristine
from tests.quick import Guard
from tests.sparing import spare_the_collector

# LangGraph reads this once, when the first test imports it.
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

    from handraise.store.store import Store
    from tests.windows import Window, Windows


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the tests that a person runs while they work."""
    parser.addoption("--quick", action="store_true", help="only tests that need no database, browser or process")


def pytest_configure(config: pytest.Config) -> None:
    """Let properties take their time: a busy machine is not a failure."""
    from hypothesis import HealthCheck, settings

    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
    if config.getoption("quick"):
        config.pluginmanager.register(Guard(), "quick")


def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Where nothing is compiled yet, do it once: else each worker would, at the same time."""
    if sys.dont_write_bytecode or any(Path(__file__).parent.glob("*/__pycache__/test_*.pyc")):
        return
    quick = ["--quick"] if config.getoption("quick") else []
    collect = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", *quick, *config.args]
    subprocess.run(collect, stdout=subprocess.DEVNULL, check=False)


@pytest.hookimpl(wrapper=True)  # pytest sorts in its own hook of this name
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Let each test have its turn."""
    yield
    sort(items)


@pytest.hookimpl(wrapper=True)  # xdist's own hook of this name tells which tests there are
def pytest_collection_finish(session: pytest.Session) -> Iterator[None]:
    """Say which tests stay together, where there are several workers, and leave what is there by now alone."""
    with grouped(session) if hasattr(session.config, "workerinput") else nullcontext():
        yield
    spare_the_collector()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """Start PostgreSQL once for the whole run."""
    with shared_postgres() as server:
        server.execute("CREATE DATABASE test", "CREATE DATABASE empty")
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """Return the URL of a PostgreSQL database as a first start leaves it."""
    make_pristine(postgres_server, "test")
    return postgres_server.url("test")


@pytest.fixture
def empty_postgres_url(postgres_server: PostgresServer) -> str:
    """Return the URL of a PostgreSQL database with nothing in it, not even our tables."""
    make_empty(postgres_server, "empty")
    return postgres_server.url("empty")


@pytest.fixture(scope="session")
def new_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return what makes an empty database, of the kind that is named, for several tests to share."""
    numbers = itertools.count(1)

    def make(kind: str) -> str:
        name = f"shared_{next(numbers)}"
        if kind == "sqlite":
            return f"sqlite:///{tmp_path_factory.mktemp(name) / 'handraise.db'}"
        server: PostgresServer = request.getfixturevalue("postgres_server")
        server.execute(f"CREATE DATABASE {name}")
        return server.url(name)

    return make


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Return the URL of a SQLite database that does not exist yet."""
    return f"sqlite:///{tmp_path / 'handraise.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a fresh database, of each kind in turn."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """Return an open store on a fresh database, of each kind in turn."""
    from handraise.store.opening import open_store

    async with open_store(database_url) as opened:
        yield opened


QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Pages of one window share a process, in which what they load is loaded already.
    "--renderer-process-limit=1",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the browser that is on this machine, and wait for it: a busy machine is not a failure."""
    from playwright.sync_api import expect

    from tests.obtain_browser import find_browser

    expect.set_options(timeout=PATIENCE * 1000)

    browser = find_browser()
    assert browser, "no browser: run `make browser`, which fetches one or says what to install"
    return {**browser_type_launch_args, "executable_path": browser, "args": QUIET}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Speak English unless a test says otherwise."""
    return {**browser_context_args, "locale": "en-US"}


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Iterator[Windows]:
    """The windows of the browser, for one test after the other."""
    from tests.windows import Windows

    with Windows(browser) as windows:
        yield windows


@pytest.fixture
def new_context(windows: Windows, browser_context_args: dict[str, Any]) -> Iterator[Callable[..., BrowserContext]]:
    """Open a window as clean as a new one, which is closed after the test; so are those of `page` and `context`."""
    taken: list[Window] = []

    def new(**settings: Any) -> BrowserContext:
        taken.append(windows.take({**browser_context_args, **settings}))
        return taken[-1].context

    yield new
    for window in taken:
        windows.give_back(window)
