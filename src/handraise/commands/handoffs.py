"""`handraise handoffs`: what the command line says about the agents of a conversation."""

from __future__ import annotations

from typing import Annotated

import typer

from handraise.core.errors import HandraiseError
from handraise.runtime.loading import load

app = typer.Typer(help="Several agents on one conversation.", no_args_is_help=True)


@app.callback()
def handoffs() -> None:
    """Several agents on one conversation."""


@app.command()
def show(
    agent: Annotated[str, typer.Argument(help="The agent, as module:attribute.", metavar="MODULE:ATTRIBUTE")],
) -> None:
    """Print the agents and who may hand to whom, as Mermaid."""
    from handraise.agents.handoffs.diagram import mermaid_of

    try:
        typer.echo(mermaid_of(load(agent)))
    except HandraiseError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
