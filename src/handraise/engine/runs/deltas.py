"""Deltas: pieces of text on their way to a customer. They are not stored; the whole message is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Delta:
    """A piece of a message that is still being written; `start` characters of it came before."""

    session_id: str
    message_id: str
    text: str
    start: int


Listener = Callable[[Delta], None]


class Deltas:
    """Passes deltas to whoever follows a session in this process."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}

    def publish(self, delta: Delta) -> None:
        """Pass a delta on, at once."""
        for listener in tuple(self._listeners.get(delta.session_id, ())):
            listener(delta)

    def follow(self, session_id: str, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every delta of a session, until the returned function is called."""
        self._listeners.setdefault(session_id, set()).add(listener)

        def stop() -> None:
            followers = self._listeners.get(session_id)
            if followers is not None:
                followers.discard(listener)
                if not followers:
                    del self._listeners[session_id]

        return stop
