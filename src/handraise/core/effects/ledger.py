"""The ledger's protocol: how a tool's execution is recorded around the tool itself.

An engine offers a ledger to what runs inside it; without an engine there is none, and tools simply run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from pydantic import JsonValue

T = TypeVar("T")

Settlement = Literal["ran", "run_again", "leave"]
"""What a person says of an effect whose outcome a crash hid: it ran; it did not, run it now; leave it."""


@dataclass(frozen=True, kw_only=True)
class EffectCall:
    """One call of a tool, as the ledger knows it. `place` is where in the graph it runs: the same after a crash."""

    place: str
    tool: str
    tool_call_id: str
    digest: str
    args: dict[str, JsonValue]
    repeatable: bool = False


@dataclass(frozen=True)
class Fresh:
    """The call may run now. Its key is the same however often it is tried: a provider can use it to run it once."""

    idempotency_key: str


@dataclass(frozen=True)
class Done:
    """The call ran before; this is what it returned then."""

    result: JsonValue


@dataclass(frozen=True)
class Unknown:
    """The call was started and a crash hid its outcome, for the `times`-th time. Only a person can tell."""

    times: int


@dataclass(frozen=True)
class Left:
    """A person chose to leave the call alone: it does not run."""


class Ledger(Protocol):
    """Records effects: `started` before, `done` with the result after."""

    async def start(self, call: EffectCall, /) -> Fresh | Done | Unknown | Left:
        """Record that a call is about to run, or say why it must not."""
        ...

    async def settle(
        self, call: EffectCall, settlement: Settlement, result: JsonValue, /, *, times: int
    ) -> Fresh | Done | Unknown | Left:
        """Apply a person's word on the `times`-th doubt; once, however often it is repeated."""
        ...

    async def finish(self, call: EffectCall, result: JsonValue, /) -> None:
        """Record what a call returned, or how it failed."""
        ...

    async def suspend(self, call: EffectCall, /) -> None:
        """Record that a call paused in the middle: it starts over when its run goes on."""
        ...

    def wait(self, answer: Awaitable[T], /) -> T:
        """Let a thread other than the engine's wait for one of the above."""
        ...


_ledger: ContextVar[Ledger | None] = ContextVar("handraise_ledger", default=None)
_key: ContextVar[str | None] = ContextVar("handraise_idempotency_key", default=None)


def current_ledger() -> Ledger | None:
    """Return the ledger of the engine that runs this code, if one does."""
    return _ledger.get()


@contextmanager
def offering(ledger: Ledger) -> Iterator[None]:
    """Offer `ledger` to everything inside."""
    token = _ledger.set(ledger)
    try:
        yield
    finally:
        _ledger.reset(token)


@contextmanager
def executing(idempotency_key: str) -> Iterator[None]:
    """Mark everything inside as one recorded execution."""
    token = _key.set(idempotency_key)
    try:
        yield
    finally:
        _key.reset(token)


def idempotency_key() -> str | None:
    """Return the key of the recorded execution that this code is part of: the same however often it is tried."""
    return _key.get()
