"""`handraise serve --reload`: the same command again, in a process of its own, whenever a file changes."""

from __future__ import annotations

import shlex
import sys


def run_again_on_changes() -> None:
    """Run this command line without `--reload`, and again after each change to a Python or settings file here."""
    from watchfiles import DefaultFilter, run_process

    class Sources(DefaultFilter):
        def __call__(self, change: object, path: str) -> bool:
            return path.endswith((".py", ".toml")) and super().__call__(change, path)  # type: ignore[arg-type]

    arguments = [argument for argument in sys.argv[1:] if argument != "--reload"]
    command = shlex.join([sys.executable, "-m", "handraise", *arguments])
    run_process(".", target=command, target_type="command", watch_filter=Sources(), debounce=300)
