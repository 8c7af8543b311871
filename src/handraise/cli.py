"""The command line. Everything heavy is imported by the command that needs it, so that help comes at once."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from handraise import __version__
from handraise.commands import people
from handraise.commands.audit import audit
from handraise.commands.check import check
from handraise.commands.demo import demo
from handraise.commands.doctor import doctor
from handraise.commands.handoffs import app as handoffs
from handraise.commands.init import init
from handraise.commands.insights import app as insights
from handraise.commands.knowledge import app as knowledge
from handraise.commands.needs import need_server
from handraise.commands.serve import serve
from handraise.core.errors import HandraiseError

app = typer.Typer(
    name="handraise",
    help="The human side of AI agents: agents raise a hand, people answer, agents carry on.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Coloured help would import four times as much as the help itself takes.
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line. An error that we know is one sentence and exit code 2, never a traceback."""
    # LangGraph reads this once, when it is first imported, and a command may import an agent before the engine.
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
    try:
        app()
    except HandraiseError as error:
        typer.echo(f"handraise: {error}", err=True)
        sys.exit(2)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"handraise {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Agents raise a hand, people answer, agents carry on."""


app.command()(demo)
app.command()(serve)
app.command()(init)
app.command()(doctor)
app.add_typer(people.operators, name="operators")
app.add_typer(people.keys, name="keys")
app.add_typer(handoffs, name="handoffs")
app.add_typer(knowledge, name="knowledge")
app.add_typer(insights, name="insights")
app.add_typer(check, name="check")
app.add_typer(audit, name="audit")


@app.command()
def openapi() -> None:
    """Print the API's OpenAPI document."""
    need_server()
    import json

    from handraise.service.document import document

    typer.echo(json.dumps(document(), indent=2, ensure_ascii=False, sort_keys=True))
