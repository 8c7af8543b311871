"""From `module:attribute` to what it names."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from handraise.core.errors import Misconfigured


def load(path: str) -> Any:
    """Import what `module:attribute` names, looking in the current folder first, as `python -m` does."""
    module_name, colon, attribute = path.partition(":")
    if not (module_name and colon and attribute):
        raise Misconfigured(f"{path!r} is not module:attribute.", fix="Write for example my_app:agent.")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(module_name)
    except Exception as error:  # a developer's module may raise anything while it is imported
        raise Misconfigured(
            f"{module_name!r} cannot be imported: {type(error).__name__}: {error}.",
            fix="Run this in the folder that holds it, and check that it imports in Python.",
        ) from error
    try:
        return getattr(module, attribute)
    except AttributeError as error:
        raise Misconfigured(
            f"Module {module_name!r} has no {attribute!r}.", fix="Check the name after the colon."
        ) from error
