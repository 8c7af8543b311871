"""`handraise serve --reload`: the same command again, in a process of its own, whenever a file changes."""

from __future__ import annotations

import shlex
import signal
import sys

SECONDS_TO_STOP = 30
"""How long a service may take to give back what it holds before it is killed; a busy machine needs a while."""


def run_again_on_changes() -> None:
    """Run this command line without `--reload`, and again after each change to a Python or settings file here."""
    from watchfiles import DefaultFilter, run_process

    class Sources(DefaultFilter):
        def __call__(self, change: object, path: str) -> bool:
            return path.endswith((".py", ".toml")) and super().__call__(change, path)  # type: ignore[arg-type]

    # What a script starts in the background is told to ignore Ctrl-C; the service itself listens all the same.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    arguments = [argument for argument in sys.argv[1:] if argument != "--reload"]
    command = shlex.join([sys.executable, "-m", "handraise", *arguments])
    run_process(
        ".",
        target=command,
        target_type="command",
        watch_filter=Sources(),
        debounce=300,
        sigint_timeout=SECONDS_TO_STOP,
    )
