"""Calls that a program makes itself: no model made them, so they bring no id."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict

_MOST_TASKS = 1_000


class DirectCalls:
    """Names calls that no model made, and that have no id: by what they are, and how many equal ones came before.

    A task that starts over counts from the start, so its calls get the same names again.
    """

    def __init__(self) -> None:
        self._counts: OrderedDict[int, tuple[object, Counter[str]]] = OrderedDict()
        self._lock = threading.Lock()

    def name(self, digest: str, *, by: object) -> str:
        with self._lock:
            # The task is kept too: else another one could get its place in memory, and with it its counts.
            _, counts = self._counts.setdefault(id(by), (by, Counter()))
            counts[digest] += 1
            if len(self._counts) > _MOST_TASKS:
                self._counts.popitem(last=False)
            return f"direct:{digest}:{counts[digest]}"
