"""Where settings come from: `handraise.toml`, then the environment, then the command line. The last one wins."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from handraise.core.errors import Misconfigured
from handraise.service.settings.settings import Settings

FILE = "handraise.toml"
PREFIX = "HANDRAISE_"
NOT_SETTINGS = frozenset({"HANDRAISE_CONFIG", "HANDRAISE_KEY", "HANDRAISE_URL", "HANDRAISE_BROWSER"})
"""Names of ours in the environment that mean something to other parts; `HANDRAISE_SKIP_...` are the build's."""

_Values = dict[tuple[str, ...], tuple[Any, str]]
"""From a setting's path to its value and to where the value was said."""


def read_settings(
    *,
    flags: Mapping[str, Any] | None = None,
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    use_file: bool = True,
) -> Settings:
    """Return the settings, or one sentence about the first thing that is wrong."""
    environment = os.environ if environment is None else environment
    values: _Values = {}
    if use_file:
        named = environment.get("HANDRAISE_CONFIG")
        values |= _from_file(file or (Path(named) if named else None))
    values |= _from_environment(environment)
    said = {name: value for name, value in (flags or {}).items() if value is not None}
    values |= {(name,): (value, f"--{name.replace('_', '-')}") for name, value in said.items()}
    return _validated(values)


def settings_paths(model: type[BaseModel] = Settings) -> Iterator[tuple[tuple[str, ...], FieldInfo]]:
    """Yield every setting's path and its field, groups opened up."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from (((name, *path), inner) for path, inner in settings_paths(field.annotation))
        else:
            yield (name,), field


def environment_name(path: tuple[str, ...]) -> str:
    """Return the name of a setting in the environment."""
    return PREFIX + "_".join(path).upper()


def _from_file(named: Path | None) -> _Values:
    path = named or Path(FILE)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if named is None:
            return {}
        raise Misconfigured(
            f"There is no settings file {path}.", fix="Check --config, or run: handraise init."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"The settings file {path} cannot be read: {error}.", fix="Mend the file.") from None
    except tomllib.TOMLDecodeError as error:
        raise Misconfigured(f"{path} is not TOML: {error}.", fix="Mend that line.") from None
    known = dict(settings_paths())
    values: _Values = {}
    for name, value in document.items():
        if isinstance(value, dict) and (name,) not in known:
            for inner, setting in value.items():
                values[name, inner] = (setting, str(path))
            if not value and not any(known_path[0] == name for known_path in known):
                values[name,] = (value, str(path))
        else:
            values[name,] = (value, str(path))
    for setting_path in values:
        _must_be_known(setting_path, known, where=str(path))
    return values


def _from_environment(environment: Mapping[str, str]) -> _Values:
    known = {environment_name(path): (path, field) for path, field in settings_paths()}
    values: _Values = {}
    for name, text in environment.items():
        if not name.startswith(PREFIX) or name in NOT_SETTINGS or name.startswith(f"{PREFIX}SKIP_") or not text:
            continue
        if name not in known:
            raise Misconfigured(f"The environment sets {name}, which is no setting.", fix=_did_you_mean(name, known))
        path, field = known[name]
        values[path] = (_parsed(text, field, name), name)
    return values


def _parsed(text: str, field: FieldInfo, name: str) -> Any:
    kind = get_origin(field.annotation)
    if kind is tuple:
        return [part.strip() for part in text.split(",") if part.strip()]
    if kind is dict:
        pairs = [part.partition("=") for part in text.split(",") if part.strip()]
        if not all(equals for _, equals, _ in pairs):
            raise Misconfigured(f"{name} is {text!r}.", fix="Write name=value, with commas between several.")
        return {key.strip(): value.strip() for key, _, value in pairs}
    return text


def _must_be_known(path: tuple[str, ...], known: Mapping[tuple[str, ...], FieldInfo], *, where: str) -> None:
    if path not in known:
        names = {".".join(known_path): None for known_path in known}
        raise Misconfigured(
            f"{where} sets {'.'.join(path)}, which is no setting.", fix=_did_you_mean(".".join(path), names)
        )


def _did_you_mean(name: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]}?" if near else f"Choose one of: {', '.join(known)}."


def _validated(values: _Values) -> Settings:
    nested: dict[str, Any] = {}
    for path, (value, _) in values.items():
        group = nested
        for name in path[:-1]:
            group = group.setdefault(name, {})
        group[path[-1]] = value
    try:
        return Settings.model_validate(nested)
    except ValidationError as error:
        first = error.errors()[0]
        location = tuple(str(part) for part in first["loc"] if part != "[key]")
        where = next((said for path, (_, said) in values.items() if location[: len(path)] == path), "a default")
        raise Misconfigured(
            f"{where} sets {'.'.join(location)} to {first['input']!r}: {_allowed(first['msg'])}.",
            fix="Every setting is explained in docs/operations.md and in what `handraise init` writes.",
        ) from None


def _allowed(message: str) -> str:
    return message[:1].lower() + message[1:].rstrip(".")
