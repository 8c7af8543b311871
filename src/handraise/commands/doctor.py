"""`handraise doctor`: everything that must be right before an agent is served, one line for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import typer

from handraise.commands.needs import need_server
from handraise.commands.serve import Agents, Config, Database, Host, Names, Port, named_agents
from handraise.core.errors import HandraiseError, Misconfigured

if TYPE_CHECKING:
    from handraise.service.settings.settings import Settings
    from handraise.store.inspection import Inspection

CLOCK_SECONDS = 5
"""How far the clocks may be apart: checkpoints are ordered by ours, leases and deadlines run on the database's."""

Check = Callable[[], str]


def doctor(
    agents: Agents = None,
    name: Names = None,
    host: Host = None,
    port: Port = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Check that what `handraise serve` would need is there, without changing anything."""
    need_server()
    from handraise.service.settings.sources import read_settings

    flags = {"agents": named_agents(agents, name), "host": host, "port": port, "database": database}
    failed = 0
    for title, check in _checks(read_settings(flags=flags, file=config)):
        try:
            typer.echo(f"ok    {title}: {check()}")
        except HandraiseError as error:
            failed += 1
            typer.echo(f"FAIL  {title}: {error}")
    if failed:
        typer.echo(f"{failed} of these need mending.")
        raise typer.Exit(1)


def _checks(settings: Settings) -> Iterator[tuple[str, Check]]:
    import asyncio

    from handraise.store.inspection import inspect

    found: Inspection | None = None

    def reachable() -> str:
        nonlocal found
        found = asyncio.run(inspect(settings.database))
        return "answers" if found.exists else "will be created at the first start"

    yield "database", reachable
    if found is not None:
        yield "migrations", partial(_migrations, found)
        yield "clock", partial(_clock, found)
        yield "waiting runs", partial(_waiting, found, settings)
    yield "data folder", partial(_data_folder, settings.database)
    yield "checkpoints", partial(_checkpoints, settings.database)
    if not settings.agents:
        yield "agents", _no_agent
    for called, path in settings.agents.items():
        yield f"agent {called}", partial(_agent, path)
    yield "model key", _model_key
    yield "port", partial(_port, settings)


def _migrations(found: Inspection) -> str:
    if found.schema > found.newest:
        raise Misconfigured(
            f"the schema is {found.schema}, newer than this version's {found.newest}.", fix="Upgrade handraise."
        )
    if found.schema < found.newest:
        return f"schema {found.schema}; the next start brings it to {found.newest}"
    return f"schema {found.schema}, the newest"


def _clock(found: Inspection) -> str:
    apart = abs(found.ahead_seconds)
    if apart > CLOCK_SECONDS:
        raise Misconfigured(f"this machine's clock and the database's are {apart:.1f} s apart.", fix="Set both by NTP.")
    return f"{apart:.1f} s from the database's"


def _waiting(found: Inspection, settings: Settings) -> str:
    unserved = {agent: runs for agent, runs in sorted(found.waiting.items()) if agent not in settings.agents}
    if unserved:
        counted = ", ".join(f"{runs} for {agent!r}" for agent, runs in unserved.items())
        raise Misconfigured(
            f"runs have long been waiting for agents that are not named here: {counted}.",
            fix="Serve them too, here or in another process, or close their sessions.",
        )
    return "none for an agent that is not named here"


def _data_folder(database: str) -> str:
    import os

    from handraise.store.opening import is_postgres, sqlite_path

    if is_postgres(database):
        return "none needed"
    path = sqlite_path(database).absolute()
    there = next(folder for folder in (path.parent, *path.parents) if folder.exists())
    if (
        not there.is_dir()
        or not os.access(there, os.W_OK | os.X_OK)
        or (path.exists() and not os.access(path, os.W_OK))
    ):
        raise Misconfigured(f"{path} cannot be written.", fix=f"Allow this user to write in {there}.")
    return f"{there} can be written"


def _checkpoints(database: str) -> str:
    from handraise.engine.checkpoints.strictness import reads_strictly
    from handraise.engine.diagnosis import missing_checkpointer

    if (package := missing_checkpointer(database)) is not None:
        raise Misconfigured(f"the package {package} is not installed.", fix=f"Run: pip install {package}")
    if not reads_strictly():
        raise Misconfigured(
            "checkpoints are not read strictly: a crafted row could run code.",
            fix="Set LANGGRAPH_STRICT_MSGPACK=true in the environment.",
        )
    return "kept in the same database, read strictly"


def _no_agent() -> str:
    raise Misconfigured("none is named.", fix="Name one, e.g. handraise doctor my_app:agent, or run: handraise init.")


def _agent(path: str) -> str:
    from handraise.engine.loading import load_agent

    load_agent(path)
    return f"{path} is a graph"


def _model_key() -> str:
    from handraise.engine.diagnosis import missing_model_keys

    if missing := missing_model_keys():
        raise Misconfigured(f"{missing[0]} is not set.", fix="Set it; any value if your own server needs none.")
    return "nothing is missing"


def _port(settings: Settings) -> str:
    from handraise.service.server import listen

    taken = listen(settings.host, settings.port)
    got = taken.getsockname()[1]
    taken.close()
    return f"{got} is free" if settings.port in {0, got} else f"{settings.port} is taken; {got} would be used"
