"""The settings in words: the starter file that `handraise init` writes, and the table in the docs."""

from __future__ import annotations

import json
import textwrap
from typing import Any, get_args, get_origin

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from handraise.service.settings.sources import environment_name, settings_paths


def starter_file(agents: dict[str, str]) -> str:
    """Return a `handraise.toml` that serves `agents` and explains every other setting where it can be changed."""
    lines = [
        "# The settings of `handraise serve`. Each shows its default after a #: take the # away to set it.",
        "# The environment (HANDRAISE_...) wins over this file, and the command line over both.",
    ]
    group = ""
    for path, field in settings_paths():
        if path == ("agents",):
            continue
        if path[:-1] and path[0] != group:
            group = path[0]
            lines += ["", f"[{group}]"]
        lines += ["", *textwrap.wrap(field.description or "", 110, initial_indent="# ", subsequent_indent="# ")]
        lines.append(f"# {path[-1]} = {_toml(field.get_default(call_default_factory=True))}")
    lines += [
        "",
        "# What to call each agent, and where it is, as module:attribute. The first is the default.",
        "[agents]",
    ]
    lines += [f"{name} = {_toml(where)}" for name, where in agents.items()]
    return "\n".join(lines) + "\n"


def settings_table() -> str:
    """Return every setting as a Markdown table."""
    rows = ["| setting | environment | default | allowed | meaning |", "|---|---|---|---|---|"]
    for path, field in settings_paths():
        default = _toml(field.get_default(call_default_factory=True))
        cells = [
            f"`{'.'.join(path)}`",
            f"`{environment_name(path)}`",
            f"`{default}`",
            allowed_values(field),
            field.description or "",
        ]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def allowed_values(field: FieldInfo) -> str:
    """Say in a few words which values a setting takes."""
    low = next((item.ge for item in field.metadata if isinstance(item, Ge)), None)
    high = next((item.le for item in field.metadata if isinstance(item, Le)), None)
    if low is not None and high is not None:
        return f"{low} to {high}"
    kind = get_origin(field.annotation)
    if kind is dict:
        return "name = value"
    if kind is tuple:
        return "a list"
    if field.annotation is bool:
        return "`true`, `false`"
    if options := get_args(field.annotation):
        return ", ".join(f"`{option}`" for option in options)
    return "text"


def _toml(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + "}"
        case tuple() | list():
            return "[" + ", ".join(_toml(inner) for inner in value) + "]"
        case str() | bool():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)
