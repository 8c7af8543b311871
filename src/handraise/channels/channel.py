"""What a channel is: one way to tell people something."""

from __future__ import annotations

from typing import Protocol

from handraise.channels.notices import Notice


class NotDelivered(Exception):
    """A channel could not deliver. `final` means that trying again is of no use."""

    def __init__(self, why: str, *, final: bool = False) -> None:
        super().__init__(why)
        self.final = final


class Channel(Protocol):
    """Delivers a notice, or raises NotDelivered."""

    @property
    def name(self) -> str:
        """The channel's own name, under which its deliveries are kept; it must not contain a secret."""
        ...

    async def deliver(self, notice: Notice, *, number: int) -> None:
        """Deliver a notice. `number` stays the same when it is tried again, so that receivers know it again."""
        ...
