"""`handraise knowledge`: add, import, export and search entries from the command line."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from handraise.core.errors import InvalidInput

if TYPE_CHECKING:
    from handraise.core.actors import Actor
    from handraise.store.store import Store

T = TypeVar("T")

app = typer.Typer(help="What the team knows: add, import, export and search.", no_args_is_help=True)

Database = Annotated[
    str, typer.Option(help="sqlite:///file.db or postgresql://user@host/name.", envvar="HANDRAISE_DATABASE")
]
FileFormat = Annotated[
    Literal["jsonl", "markdown"] | None, typer.Option(help="The file's format; by its name if left out.")
]
HERE = "sqlite:///handraise.db"


@app.command()
def add(
    question: Annotated[str, typer.Argument(help="The question, as a customer would ask it.")],
    answer: Annotated[str, typer.Argument(help="The answer.")],
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given several times.")] = None,
    source: Annotated[str, typer.Option(help="Where the answer is from.")] = "",
    publish: Annotated[bool, typer.Option("--publish", help="Publish it at once.")] = False,
    even_if_similar: Annotated[bool, typer.Option("--even-if-similar", help="Add it beside a similar entry.")] = False,
    database: Database = HERE,
) -> None:
    """Add an entry, as a draft."""
    from handraise.knowledge.curation import Curation, NewEntry

    new = NewEntry(question=question, answer=answer, tags=tuple(tag or ()), source=source)
    entry = _on(
        database,
        lambda store: Curation(store).draft(new, by=_you(), publish=publish, even_if_similar=even_if_similar),
    )
    typer.echo(f"{entry.id} {entry.status}")


@app.command("import")
def import_file(
    file: Annotated[Path, typer.Argument(help="A .jsonl or .md file.")],
    format: FileFormat = None,
    publish: Annotated[bool, typer.Option("--publish", help="Publish the drafts in it at once.")] = False,
    database: Database = HERE,
) -> None:
    """Import a file: all of its entries, or none when one of them is wrong."""
    from handraise.knowledge.files import format_of, import_entries

    kind = format or format_of(file)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"The file {file} cannot be read: {error}.", fix="Name a UTF-8 text file.") from None
    done = _on(
        database,
        lambda store: import_entries(store, text, format=kind, name=str(file), by=_you(), publish=publish),
    )
    typer.echo(f"{done.added} added, {done.unchanged} there already.")


@app.command("export")
def export_file(
    file: Annotated[Path | None, typer.Argument(help="A .jsonl or .md file; printed if left out.")] = None,
    format: FileFormat = None,
    status: Annotated[
        Literal["draft", "published", "retired"] | None, typer.Option(help="Only these; all if left out.")
    ] = None,
    database: Database = HERE,
) -> None:
    """Export the knowledge base."""
    from handraise.knowledge.files import export_entries, format_of

    kind = format or (format_of(file) if file else "jsonl")
    text = _on(database, lambda store: export_entries(store, format=kind, status=status))
    if file is None:
        typer.echo(text, nl=False)
    else:
        file.write_text(text, encoding="utf-8")


@app.command()
def search(
    question: Annotated[str, typer.Argument(help="What to look for.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many passages to show.")] = 3,
    drafts: Annotated[bool, typer.Option("--drafts", help="Look among drafts as well.")] = False,
    database: Database = HERE,
) -> None:
    """Search as an agent does."""
    from handraise.knowledge.search import search as find

    passages = _on(database, lambda store: find(store, question, limit=limit, drafts=drafts))
    if not passages:
        typer.echo("Nothing found.")
        raise typer.Exit(1)
    for passage in passages:
        entry = passage.entry
        typer.echo(f"{entry.id}  {passage.score:.2f}  {entry.question}\n    {' '.join(entry.answer.split())}")


def _you() -> Actor:
    from handraise.core.actors import Actor

    return Actor(kind="operator", channel="cli")


def _on(database: str, work: Callable[[Store], Awaitable[T]]) -> T:
    import asyncio

    from handraise.store.opening import open_store

    async def run() -> T:
        async with open_store(database) as store:
            return await work(store)

    return asyncio.run(run())
