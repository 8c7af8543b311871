"""The mechanisms behind the promises, each with a switch: a test that passes without its mechanism proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any, Literal
from unittest.mock import patch

Switch = Literal["ledger", "fence", "compare-and-set", "tasks", "serving lock"]


@contextmanager
def switched_off(*switches: Switch) -> Iterator[None]:
    """Switch mechanisms off for a while, in this process."""
    with ExitStack() as stack:
        for switch in switches:
            for target, replacement in _instead_of(switch).items():
                stack.enter_context(patch(target, replacement))
        yield


def _instead_of(switch: Switch) -> dict[str, Any]:
    match switch:
        case "ledger":
            return {"handraise.engine.runs.runner.offering": _no_ledger}
        case "fence":
            return {
                "handraise.store.tables.runs.Runs.hold": _do_nothing,
                "handraise.store.tables.sessions.Sessions.lock_for": _only_lock,
                "handraise.store.tables.effects.HELD": "SELECT 1",
                "handraise.engine.checkpoints.postgres.fence_for": lambda _: ("SELECT 1", ()),
                "handraise.engine.checkpoints.sqlite.hold_the_fence": _do_nothing,
                "handraise.engine.checkpoints.postgres.hold_the_fence": _do_nothing,
            }
        case "compare-and-set":
            return {"handraise.store.tables.requests.Requests.close": _write_whatever_is_there}
        case "tasks":
            return {"handraise.engine.runs.runner._is_at_its_end": lambda snapshot: not snapshot.next}
        case "serving lock":
            return {"handraise.store.drivers.sqlite.serving_alone": lambda _: nullcontext()}


@contextmanager
def _no_ledger(_: object) -> Iterator[None]:
    yield


async def _do_nothing(*_: object, **__: object) -> None: ...


async def _only_lock(sessions: Any, run: Any) -> Any:
    return await sessions.lock(run.session_id)


async def _write_whatever_is_there(requests: Any, closed: Any) -> bool:
    swap = requests._swap
    current = await requests.get(closed.id)
    return bool(await swap(closed.model_copy(update={"version": current.version + 1}), version=current.version))
