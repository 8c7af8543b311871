"""`handraise insights`: count everything again from the event log."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Insights: count them again from the event log.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Keep `rebuild` a command of its own, though it is the only one."""


@app.command("rebuild")
def rebuild_counts(
    database: Annotated[
        str, typer.Option(help="sqlite:///file.db or postgresql://user@host/name.", envvar="HANDRAISE_DATABASE")
    ] = "sqlite:///handraise.db",
    without_forgotten: Annotated[
        bool, typer.Option(help="Go on although sessions were forgotten: their share of the figures is lost.")
    ] = False,
) -> None:
    """Forget all counts and count every event again. A service may run meanwhile; its numbers grow as it goes."""
    import asyncio

    from rich.progress import Progress

    from handraise.insights.follower import rebuild
    from handraise.store.opening import open_store

    async def run(progress: Progress) -> int:
        task = progress.add_task("Counting events", total=None)
        counted = 0

        def tell(done: int, of: int) -> None:
            nonlocal counted
            counted = done
            progress.update(task, completed=done, total=of)

        async with open_store(database) as store:
            await rebuild(store, without_forgotten=without_forgotten, progress=tell)
        return counted

    with Progress() as progress:
        counted = asyncio.run(run(progress))
    typer.echo(f"{counted} events counted.")
