"""Tracebacks for the log: where an error came from, without the values that were at hand there."""

from __future__ import annotations

import traceback


def format_traceback(error: BaseException) -> str:
    """Return an error's traceback. The log's own would show every local variable: conversations, and keys perhaps."""
    return "".join(traceback.format_exception(error)).rstrip()
