"""Running a tool once: the ledger around the tool itself, for sync and for async tools alike.

The order of things is written once, as a generator that asks its driver to do what may wait.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, assert_never, cast

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import get_runtime
from langgraph.types import interrupt
from pydantic import JsonValue

from handraise.agents.run_once.direct_calls import DirectCalls
from handraise.agents.run_once.results import Before, encoded, failure
from handraise.core.digests import digest
from handraise.core.effects.ledger import (
    Done,
    EffectCall,
    Fresh,
    Ledger,
    Left,
    Settlement,
    Unknown,
    current_ledger,
    executing,
    idempotency_key,
)
from handraise.core.errors import NotCanonical, NotRunAgain, Unavailable

REPEATABLE = "handraise_repeatable"
"""The key in a tool's metadata that says it may run twice."""

LEFT = "Nobody knows whether this call ran before a fault, and it was decided to leave it alone. Do not call it again."

_direct_calls = DirectCalls()


async def arun_once(call: EffectCall | None, run: Callable[[], Awaitable[Any]]) -> Any:
    """Run a call and record it, or return what it returned before."""
    ledger = current_ledger()
    if ledger is None or call is None or _is_part_of_another(call):
        return await run()
    start = await _aresolve(_start(ledger, call))
    if not isinstance(start, Fresh):
        return start.value
    try:
        with _execution(call, start):
            result = await run()
    except GraphBubbleUp:
        await ledger.suspend(call)
        raise
    except Unavailable:
        raise  # the database went away under an agent inside the tool: how far it came is a question for a person
    except Exception as error:
        await ledger.finish(call, failure(error))
        raise
    await ledger.finish(call, encoded(result))
    return result


def run_once(call: EffectCall | None, run: Callable[[], Any]) -> Any:
    """Run a call and record it, from a thread of the tool's own."""
    ledger = current_ledger()
    if ledger is None or call is None or _is_part_of_another(call):
        return run()
    start = _resolve(ledger, _start(ledger, call))
    if not isinstance(start, Fresh):
        return start.value
    try:
        with _execution(call, start):
            result = run()
    except GraphBubbleUp:
        ledger.wait(ledger.suspend(call))
        raise
    except Unavailable:
        raise  # as above
    except Exception as error:
        ledger.wait(ledger.finish(call, failure(error)))
        raise
    ledger.wait(ledger.finish(call, encoded(result)))
    return result


def effect_call(
    *, tool: str, args: dict[str, Any], tool_call_id: str | None, metadata: dict[str, Any] | None
) -> EffectCall | None:
    """Return the call as a ledger knows it, or None where there is no ledger, or nothing that could be recorded."""
    if current_ledger() is None:
        return None
    try:
        bound = digest(tool, args)
    except NotCanonical:
        return None
    info = get_runtime().execution_info
    return EffectCall(
        place=info.checkpoint_ns if info is not None else "",
        tool=tool,
        tool_call_id=tool_call_id or _direct_calls.name(bound, by=info),
        digest=bound,
        args=args,
        repeatable=bool((metadata or {}).get(REPEATABLE)),
    )


_place: ContextVar[str | None] = ContextVar("handraise_place", default=None)


@contextmanager
def _execution(call: EffectCall, start: Fresh) -> Iterator[None]:
    with executing(start.idempotency_key):
        token = _place.set(call.place)
        try:
            yield
        finally:
            _place.reset(token)


def _is_part_of_another(call: EffectCall) -> bool:
    """Return whether a call only carries out a recorded one: a gate's, or a tool's that calls this one directly.

    An agent inside a tool has a place of its own, and its effects are recorded as its own.
    """
    return idempotency_key() is not None and _place.get() == call.place


class _NotNow:
    @property
    def value(self) -> Any:
        raise NotRunAgain(LEFT)


_Waiting = Coroutine[Any, Any, Fresh | Done | Unknown | Left]


def _start(
    ledger: Ledger, call: EffectCall
) -> Generator[_Waiting, Fresh | Done | Unknown | Left, Fresh | Before | _NotNow]:
    state = yield ledger.start(call)
    while True:
        match state:
            case Fresh():
                return state
            case Done(result=result):
                return Before(result)
            case Left():
                return _NotNow()
            case Unknown(times=times):
                # One interrupt for each doubt, in order: an answer to an earlier doubt never serves a later one.
                answers = [interrupt(_question(call, number)) for number in range(1, times + 1)]
                settlement, result = _read(answers[-1])
                state = yield ledger.settle(call, settlement, result, times=times)
            case _ as never:
                assert_never(never)


async def _aresolve(steps: Generator[_Waiting, Any, Any]) -> Any:
    answer: Any = None
    while True:
        try:
            waiting = steps.send(answer)
        except StopIteration as done:
            return done.value
        answer = await waiting


def _resolve(ledger: Ledger, steps: Generator[_Waiting, Any, Any]) -> Any:
    answer: Any = None
    while True:
        try:
            waiting = steps.send(answer)
        except StopIteration as done:
            return done.value
        answer = ledger.wait(waiting)


def _question(call: EffectCall, number: int) -> dict[str, JsonValue]:
    return {
        "type": "effect_unknown",
        "name": call.tool,
        "args": call.args,
        "tool_call_id": call.tool_call_id,
        "digest": call.digest,
        "times": number,
    }


def _read(answer: Any) -> tuple[Settlement, JsonValue]:
    settlement = cast("Settlement", answer["settlement"])
    return settlement, {"said": answer.get("result", "")} if settlement == "ran" else None
