"""`handraise init`: a settings file and an agent to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handraise.commands.needs import need_server
from handraise.core.errors import Conflict


def init(
    folder: Annotated[Path, typer.Argument(help="Where to write them.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
) -> None:
    """Write handraise.toml and my_agent.py: an agent that runs offline, and every setting explained."""
    need_server()
    from importlib.resources import files

    from handraise.service.settings.text import starter_file

    written = {
        folder / "handraise.toml": starter_file({"my_agent": "my_agent:agent"}),
        folder / "my_agent.py": (files("handraise.demo") / "starter.py").read_text(encoding="utf-8"),
    }
    if not force and (there := [path for path in written if path.exists()]):
        raise Conflict(
            f"There is {' and '.join(str(path) for path in there)} already; nothing was written.",
            fix="Choose another folder, or write over it with --force.",
        )
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
        typer.echo(f"Wrote {path}")
    typer.echo("Next: handraise serve" if folder == Path() else f"Next: cd {folder} && handraise serve")
