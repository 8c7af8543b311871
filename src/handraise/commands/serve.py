"""`handraise serve`, and what `handraise demo` has in common with it."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handraise.commands.needs import need_server
from handraise.core.errors import InvalidInput, Misconfigured

if TYPE_CHECKING:
    from handraise.engine.engine import Pace
    from handraise.engine.intake.quotas import Quotas
    from handraise.engine.loading import Agent
    from handraise.service.app import About
    from handraise.service.server import Started
    from handraise.service.settings.settings import EngineSettings, Settings
    from handraise.store.store import Store

Host = Annotated[str | None, typer.Option(help="The address to listen on; 127.0.0.1 unless set.")]
Port = Annotated[int | None, typer.Option(help="The port, 2024 unless set; the next free one if it is taken.")]
Database = Annotated[str | None, typer.Option(help="sqlite:///file.db or postgresql://user@host/name.")]
Config = Annotated[Path | None, typer.Option(help="The settings file; handraise.toml in this folder if it is there.")]
Agents = Annotated[
    list[str] | None, typer.Argument(help="The agents to serve, as module:attribute.", metavar="MODULE:ATTRIBUTE...")
]
Names = Annotated[
    list[str] | None, typer.Option("--name", help="What to call each agent, in order; else its attribute's name.")
]


def serve(
    agents: Agents = None,
    name: Names = None,
    host: Host = None,
    port: Port = None,
    database: Database = None,
    config: Config = None,
    reload: Annotated[bool, typer.Option("--reload", help="Start again when a file here changes.")] = False,
    open_pages: Annotated[bool, typer.Option("--open/--no-open", help="Open the pages in a browser.")] = False,
) -> None:
    """Serve your own agents: chat, inbox and live feeds."""
    need_server()
    if reload:
        from handraise.commands.reload import run_again_on_changes

        run_again_on_changes()
        return
    from handraise.service.settings.sources import read_settings

    flags = {"agents": named_agents(agents, name), "host": host, "port": port, "database": database}
    settings = read_settings(flags=flags, file=config)
    if not settings.agents:
        raise Misconfigured(
            "There is no agent to serve.", fix="Name one, e.g. handraise serve my_app:agent, or run: handraise init."
        )

    def loaded() -> Mapping[str, Agent]:
        from handraise.engine.loading import load_agent

        return {called: load_agent(path) for called, path in settings.agents.items()}

    run_service(loaded, settings, open_pages=open_pages)


def named_agents(paths: list[str] | None, names: list[str] | None) -> dict[str, str] | None:
    """Return the agents of a command line by name, or None when it has none."""
    if not paths:
        if names:
            raise InvalidInput("--name names no agent.", fix="Say which: handraise serve my_app:agent --name NAME.")
        return None
    names = names or []
    if len(names) > len(paths):
        raise InvalidInput(f"There are {len(names)} names for {len(paths)} agents.", fix="Give each agent one --name.")
    for path in paths:
        module, colon, attribute = path.partition(":")
        if not (module and colon and attribute):
            raise InvalidInput(f"{path!r} is not module:attribute.", fix="Write for example my_app:agent.")
    called = [*names, *(path.rpartition(":")[2] for path in paths[len(names) :])]
    if len(set(called)) < len(called):
        raise InvalidInput(f"Two agents are called the same: {', '.join(called)}.", fix="Tell them apart with --name.")
    return dict(zip(called, paths, strict=True))


def run_service(
    agents: Callable[[], Mapping[str, Agent]],
    settings: Settings,
    *,
    open_pages: bool,
    demo: bool = False,
    about: About | None = None,
    prepare: Callable[[Store], Awaitable[None]] | None = None,
) -> None:
    """Serve agents until the process is told to stop, and say where."""
    from contextlib import ExitStack

    from handraise.commands.process import run_to_the_end
    from handraise.core.masking import Secrets
    from handraise.engine.engine import Engine
    from handraise.engine.runs.spans import Spans
    from handraise.service.logs import set_up_logs
    from handraise.service.server import serve as serve_until_stopped
    from handraise.service.tracing import tracer_for
    from handraise.store.opening import open_store

    secrets = Secrets()
    set_up_logs(settings.logs, secrets)
    tracing = ExitStack()
    engine = Engine(
        store=open_store(settings.database),
        database_url=settings.database,
        agents=agents(),
        pace=pace_of(settings.engine),
        quotas=quotas_of(settings.engine),
        customer_confirms=settings.customer_confirms,
        help=settings.help,
        sensitive=settings.sensitive,
        secrets=secrets,
        spans=Spans(tracing.enter_context(tracer_for(settings.tracing))),
    )

    def ready(started: Started) -> None:
        _tell(started, settings)
        if open_pages:
            import webbrowser

            webbrowser.open(f"{started.address}/")

    with tracing:
        run_to_the_end(serve_until_stopped(engine, settings, demo=demo, ready=ready, about=about, prepare=prepare))
    typer.echo("Stopped.")


def pace_of(settings: EngineSettings) -> Pace:
    """Return how the engine is to run agents."""
    from datetime import timedelta

    from handraise.engine.engine import Pace

    return Pace(
        lease=timedelta(seconds=settings.lease_seconds),
        at_once=settings.runs_at_once,
        grace=timedelta(seconds=settings.grace_seconds),
        sweep=timedelta(seconds=settings.sweep_seconds),
    )


def quotas_of(settings: EngineSettings) -> Quotas:
    """Return how much the engine lets agents ask of people."""
    from datetime import timedelta

    from handraise.engine.intake.quotas import Quotas

    def deadline(seconds: int) -> timedelta | None:
        return timedelta(seconds=seconds) if seconds else None

    return Quotas(
        open_requests_per_session=settings.open_requests_per_session,
        requests_per_session=settings.requests_per_session,
        requests_per_run=settings.requests_per_run,
        question_deadline=deadline(settings.question_deadline_seconds),
        approval_deadline=deadline(settings.approval_deadline_seconds),
    )


def _tell(started: Started, settings: Settings) -> None:
    if settings.port not in {0, started.port}:
        typer.echo(f"Port {settings.port} is taken; using {started.port} instead.")
    address, welcome = started.address, started.welcome
    lines: list[tuple[str, Any]] = [("Chat", f"{address}/")]
    if welcome is not None and welcome.link is not None:
        once = f"signs you in as {welcome.operator_id}, once, within {settings.link_minutes} min"
        lines.append(("Console", f"{address}/sign-in/{welcome.link}  ({once})"))
    else:
        lines.append(("Console", f"{address}/console  (to sign in: handraise operators link NAME)"))
    lines.append(("API", f"{address}/api/docs"))
    if welcome is not None and welcome.key is not None:
        lines.append(("Key", f"{welcome.key}  (for programs, as {welcome.operator_id}; shown only now)"))
    lines.append(("Data", _without_password(settings.database)))
    for label, text in lines:
        typer.echo(f"{label:<8} {text}")
    typer.echo("Press Ctrl-C to stop.")
    sys.stdout.flush()


def _without_password(url: str) -> str:
    import re

    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", url)
