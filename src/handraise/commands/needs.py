"""What a command needs to be installed."""

from __future__ import annotations

from importlib.util import find_spec

from handraise.core.errors import Misconfigured


def need_server() -> None:
    """Refuse to go on without the server's packages."""
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise Misconfigured("This command needs the server's packages.", fix="Run: pip install 'handraise[server]'")
