"""`handraise demo`: the built-in shop, with no key, no account and no network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from handraise.commands.needs import need_server
from handraise.commands.serve import Database, Host, Port, run_service


def demo(
    host: Host = None,
    port: Port = None,
    data: Annotated[Path | None, typer.Option(help="Where the demo keeps its data.")] = None,
    database: Database = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start without the sample conversations.")] = False,
    model: Annotated[
        str | None, typer.Option(help="A real model instead of the script, as provider:model, e.g. openai:gpt-4o.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Where an OpenAI-compatible server of your own answers for --model.")
    ] = None,
    question_seconds: Annotated[
        float, typer.Option(min=0.1, help="How long the agent waits when it asks a colleague.")
    ] = 300,
    fallback: Annotated[
        Literal["inform", "ticket", "self_service"], typer.Option(help="What the customer gets when nobody answers.")
    ] = "inform",
    open_pages: Annotated[bool, typer.Option("--open/--no-open", help="Open the pages in a browser.")] = True,
) -> None:
    """Start the built-in shop agent: no key, no account, no network."""
    need_server()
    from handraise.demo.gates import CUSTOMER_CONFIRMS
    from handraise.demo.opening import Demo
    from handraise.demo.samples import SAMPLES
    from handraise.service.app import About
    from handraise.service.settings.sources import environment_name, read_settings

    if database is None and not data:
        database = os.environ.get(environment_name(("database",)))
    folder = data or _folder_of(database) or Path.home() / ".local" / "share" / "handraise" / "demo"
    flags = {"host": host, "port": port, "database": database or f"sqlite:///{folder / 'handraise.db'}"}
    # The settings file of the folder we happen to be in is about another service, with other people's data.
    settings = read_settings(flags=flags, use_file=False)
    settings = settings.model_copy(update={"customer_confirms": settings.customer_confirms or CUSTOMER_CONFIRMS})
    shop = Demo(
        folder=folder,
        database_url=settings.database,
        model=model,
        base_url=base_url,
        question_seconds=question_seconds,
        fallback=fallback,
    )
    run_service(
        shop.agents,
        settings,
        open_pages=open_pages,
        demo=True,
        about=About(scripted=shop.scripted, samples=SAMPLES),
        prepare=None if fresh else shop.first_run,
    )


def _folder_of(database: str | None) -> Path | None:
    """Return the folder of a SQLite database, where the rest of the demo's data belongs too."""
    from handraise.store.opening import sqlite_path

    return sqlite_path(database).parent if database and database.startswith("sqlite:///") else None
