"""How long tests wait for what must come: one generous bound, which a test that passes never reaches."""

from __future__ import annotations

import time
from collections.abc import Iterator

PATIENCE = 60.0
"""Seconds. A busy machine is not a failure; only what never comes is."""


def patiently() -> Iterator[None]:
    """Go round until patience ends: look each time, and pause a little in between."""
    ends = time.monotonic() + PATIENCE
    yield
    while time.monotonic() < ends:
        yield
