"""Execution: the one place where an approved call runs, as it was approved and once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from langchain.agents.middleware.human_in_the_loop import Action
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.types import Command

from handraise.agents.gate.marks import GateMark, noting
from handraise.agents.run_once.once import arun_once, effect_call, run_once
from handraise.agents.upstream.tools import body_of, injected_into
from handraise.core.digests import digest
from handraise.core.effects.ledger import EffectCall
from handraise.core.errors import Conflict, NotCanonical, NotRunAgain

ToolResult = ToolMessage | Command[Any]
EffectKey = tuple[str, ...]
"""Names one approval: the task that asked, the gate, and the call."""

_MOST_REMEMBERED = 1_000


@dataclass(frozen=True, kw_only=True)
class Approved:
    """A call that may run: exactly what was approved, and the name of that approval."""

    request: ToolCallRequest
    digest: str
    effect: EffectKey | None = None
    """Names the approval, so that it is used once; None when no person was asked."""
    edit: Action | None = None
    passed: GateMark | None = None
    """Noted on a pause of the tool, so that a call which its rule let pass is not asked about after it."""


def effect_key(asked_in: str, gate: str, call: ToolCall) -> EffectKey:
    """Return the name of the approval that a gate got for a call."""
    return asked_in, gate, str(call["id"])


def execute(approved: Approved, handler: Callable[[ToolCallRequest], ToolResult]) -> ToolResult:
    """Run an approved call, from sync code."""
    with _effects.starting(approved.effect) as run:
        if run.result is None:
            with noting(approved.passed):
                run.result = handler(_sealed(approved))
        return run.result


async def aexecute(approved: Approved, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]]) -> ToolResult:
    """Run an approved call, from async code."""
    with _effects.starting(approved.effect) as run:
        if run.result is None:
            with noting(approved.passed):
                run.result = await handler(_sealed(approved))
        return run.result


class SealedTool(BaseTool):
    """A tool that runs only with the arguments that were approved, whatever another middleware changed them to."""

    tool: BaseTool
    digest: str
    approved: dict[str, Any]

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        if refusal := self._refusal(input):
            return refusal
        try:
            result = run_once(self._effect(input), lambda: self.tool.invoke(input, config, **kwargs))
        except NotRunAgain as why:
            return self._message(input, str(why), status="error")
        return self._message(input, result) if isinstance(result, str) else result

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        if refusal := self._refusal(input):
            return refusal
        try:
            result = await arun_once(self._effect(input), lambda: self.tool.ainvoke(input, config, **kwargs))
        except NotRunAgain as why:
            return self._message(input, str(why), status="error")
        return self._message(input, result) if isinstance(result, str) else result

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        return body_of(self.tool)(*args, **kwargs)

    def _refusal(self, call: dict[str, Any]) -> ToolMessage | None:
        if self.is_as_approved(call["name"], call["args"]):
            return None
        changed = f"`{self.tool.name}` was not executed: its arguments were changed after they had been approved."
        return self._message(call, changed, status="error")

    def is_as_approved(self, name: str, args: dict[str, Any]) -> bool:
        """Return whether a call is what this seal holds."""
        try:
            if args.keys() == self.approved.keys() and digest(name, args) == self.digest:
                return True
            if digest(self.name, self.approved) != self.digest:
                return False  # somebody reached into the very objects that were approved
            # What LangGraph injects is no part of the approval. Everything else counts, also what no schema names.
            injected = injected_into(self.tool)
            approved = digest(self.name, _without(injected.hidden, self.approved))
            return digest(name, _without(injected.given, args)) == approved
        except NotCanonical:
            return False

    def _effect(self, call: dict[str, Any]) -> EffectCall | None:
        return effect_call(tool=call["name"], args=self.approved, tool_call_id=call["id"], metadata=self.tool.metadata)

    def _message(
        self, call: dict[str, Any], content: str, *, status: Literal["success", "error"] = "success"
    ) -> ToolMessage:
        return ToolMessage(content, name=self.tool.name, tool_call_id=call["id"], status=status)


def released(edited: ToolCallRequest, *, shown: ToolCall) -> ToolCallRequest:
    """Return a call that a person edited without the seals of gates around this one, if they hold what was shown.

    The person decided after those gates, about what they had approved. What anybody else changed stays sealed.
    """
    tool = edited.tool
    while isinstance(tool, SealedTool) and tool.is_as_approved(shown["name"], shown["args"]):
        tool = tool.tool
    return edited if tool is None or tool is edited.tool else edited.override(tool=tool)


@dataclass
class ApprovalUse:
    """One use of an approval. Its result is there from the start when the call has run before."""

    result: ToolResult | None = None


class UsedApprovals:
    """The approvals that this process has used lately. An engine's ledger knows them across processes and crashes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: OrderedDict[EffectKey, ApprovalUse] = OrderedDict()

    @contextmanager
    def starting(self, effect: EffectKey | None) -> Iterator[ApprovalUse]:
        """Use an approval: once. A call that raised or paused gives it back, to be tried again."""
        if effect is None:
            yield ApprovalUse()
            return
        with self._lock:
            self._must_not_be_running(effect)
            run = self._runs.setdefault(effect, ApprovalUse())
            if len(self._runs) > _MOST_REMEMBERED:
                self._runs.popitem(last=False)
        try:
            yield run
        except BaseException:
            with self._lock:
                self._runs.pop(effect, None)
            raise

    def must_not_be_running(self, effects: Iterable[EffectKey]) -> None:
        """Refuse to go on while another run of the same pause uses one of these approvals."""
        with self._lock:
            for effect in effects:
                self._must_not_be_running(effect)

    def _must_not_be_running(self, effect: EffectKey) -> None:
        run = self._runs.get(effect)
        if run is not None and run.result is None:
            raise Conflict(
                f"The approved call {effect[-1]!r} is already being run by another resume of the same pause.",
                fix="It does not run a second time; wait for the other one and read the session's state.",
            )


_effects = UsedApprovals()
must_not_be_running = _effects.must_not_be_running


def _sealed(approved: Approved) -> ToolCallRequest:
    request, tool = approved.request, approved.request.tool
    if tool is None:
        return request
    seal = SealedTool(
        name=tool.name,
        description=tool.description,
        args_schema=tool.args_schema,
        return_direct=tool.return_direct,
        response_format=tool.response_format,
        metadata=tool.metadata,
        tags=tool.tags,
        tool=tool,
        digest=approved.digest,
        approved=request.tool_call["args"],
    )
    return request.override(tool=seal)


def _without(names: frozenset[str], args: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in args.items() if name not in names}
