"""`handraise audit`: verify the audit trail, export it, and forget what a customer said."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from handraise.commands.needs import need_server
from handraise.commands.record import current_user
from handraise.core.errors import InvalidInput

if TYPE_CHECKING:
    from handraise.audit.findings import Verdict
    from handraise.service.settings.settings import Settings
    from handraise.store.store import Store

T = TypeVar("T")
audit = typer.Typer(help="The audit trail: who did what, and the proof that nobody changed it.", no_args_is_help=True)

Database = Annotated[str | None, typer.Option(help="The database; the one of the settings unless set.")]
Config = Annotated[Path | None, typer.Option(help="The settings file; handraise.toml in this folder if it is there.")]
Time = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"], help="UTC.")]
SHOWN = 50


@audit.command()
def verify(
    head: Annotated[
        str, typer.Option(help="A head that was kept elsewhere: its hash, or an exported file that ends with it.")
    ] = "",
    file: Annotated[Path | None, typer.Option(help="Check this exported file by itself, without a database.")] = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Find any event that was changed, removed, added or moved. Exit 0 if there is none, 1 if there is."""
    need_server()
    from handraise.audit.files import check_file, kept_head

    if file is not None:
        if head or database or config:
            raise InvalidInput("A file is checked by itself.", fix="Give --file alone.")
        if not file.is_file():
            raise InvalidInput(f"There is no file {file}.", fix="Name one that `handraise audit export` wrote.")
        with file.open(encoding="utf-8", errors="replace", newline="\n") as lines:
            _tell(check_file(lines))
        return
    from handraise.audit.checking import check_store

    kept = kept_head(head) if head else None
    shown = _Progress()
    _tell(_on(_settings(database, config), lambda store: check_store(store, kept=kept, progress=shown.step)))


@audit.command()
def export(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where to; the terminal unless set.")] = None,
    session: Annotated[str | None, typer.Option(help="Only this session.")] = None,
    since: Time = None,
    until: Time = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Write the trail as JSON Lines, with the head hash at the end. The file can be verified by itself."""
    from contextlib import nullcontext
    from datetime import UTC

    settings = _settings(database, config)
    from handraise.audit.exporting import export as lines_of
    from handraise.store.tables.trail import TrailFilter

    where = TrailFilter(
        session_id=session,
        since=since.replace(tzinfo=UTC) if since else None,
        until=until.replace(tzinfo=UTC) if until else None,
    )

    async def write(store: Store) -> None:
        with nullcontext() if output is None else output.open("w", encoding="utf-8", newline="\n") as file:
            async for line in lines_of(store, where, by=current_user()):
                if file is None:
                    typer.echo(line, nl=False)
                else:
                    file.write(line)

    _on(settings, write)


@audit.command()
def forget(
    session: Annotated[str, typer.Argument(help="The session's id.")], database: Database = None, config: Config = None
) -> None:
    """Remove what was said in a session for good. Who did what kind of thing, and when, stays; so does the chain."""
    settings = _settings(database, config)
    from handraise.audit.forgetting import forget as forget_session

    gone = _on(settings, lambda store: forget_session(store, session, by=current_user(), reason="request"))
    typer.echo(f"Forgot {gone.events} events, {gone.requests} requests and {gone.drafts} drafts of session {session}.")
    if gone.published:
        kept = ", ".join(gone.published)
        typer.echo(f"Published entries that came from it stay; look whether they name anybody: {kept}")


class _Progress:
    """Says now and then how far it is; quiet when nobody watches."""

    def __init__(self) -> None:
        import sys

        self._shows = sys.stderr.isatty()

    def step(self, done: int, of: int) -> None:
        if self._shows and of:
            typer.echo(f"\r{min(done, of):,} of {of:,} events", err=True, nl=done >= of)


def _tell(verdict: Verdict) -> None:
    counted = f"{verdict.events:,} events and {verdict.seals:,} seals"
    if verdict.intact:
        gone = f" The content of {verdict.forgotten:,} events was forgotten on purpose." if verdict.forgotten else ""
        typer.secho(f"Intact: {counted}.{gone}", fg="green")
        return
    for finding in verdict.findings[:SHOWN]:
        typer.secho(f"{finding}", fg="red")
    if len(verdict.findings) > SHOWN:
        typer.echo(f"... and {len(verdict.findings) - SHOWN:,} more.")
    typer.secho(f"Broken: {len(verdict.findings):,} findings in {counted}.", fg="red", bold=True)
    raise typer.Exit(1)


def _settings(database: str | None, config: Path | None) -> Settings:
    need_server()
    from handraise.service.settings.sources import read_settings

    return read_settings(flags={"database": database}, file=config)


def _on(settings: Settings, work: Callable[[Store], Awaitable[T]]) -> T:
    import asyncio

    from handraise.store.opening import open_store

    async def once() -> T:
        async with open_store(settings.database) as store:
            return await work(store)

    return asyncio.run(once())
