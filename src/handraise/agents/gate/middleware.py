"""The gate: LangChain's `HumanInTheLoopMiddleware`, with the approval checked where the tool runs.

Change one import. What LangChain's own lets through, and this one does not, is listed in `docs/gate.md`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, cast

from langchain.agents.middleware.human_in_the_loop import InterruptMode, InterruptOnConfig
from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ContextT,
    ModelRequest,
    ModelResponse,
    ResponseT,
    StateT,
    ToolCallRequest,
)
from langchain_core.messages import ToolMessage
from langgraph.runtime import Runtime

from handraise.agents.gate.execution import Approved, ToolResult, aexecute, execute
from handraise.agents.gate.history import with_every_call_answered
from handraise.agents.gate.known_tools import KnownTools
from handraise.agents.gate.memory import arecall, recall
from handraise.agents.gate.rules import InterruptOn, Rule, Rules, asettle, settle
from handraise.agents.gate.turn_review import TurnReview
from handraise.agents.upstream.gate import EDIT_NOTICE, EditsState, LangChainWording
from handraise.core.policy import Verdict


class HumanInTheLoopMiddleware(TurnReview[StateT, ContextT, ResponseT]):
    """Pause the agent so that a person reviews tool calls, and let run only what was approved.

    A drop-in for LangChain's middleware of the same name: same arguments, payloads, decisions and messages. In
    `per_call` mode it adds no step to the graph.
    """

    state_schema = EditsState  # type: ignore[assignment]  # as LangChain's own does

    def __init__(
        self,
        interrupt_on: InterruptOn,
        *,
        description_prefix: str = "Tool execution requires approval",
        edit_notice: str | None = EDIT_NOTICE,
        interrupt_mode: InterruptMode = "batched",
        unlisted: Verdict = "allow",
        strict: bool = False,
        details: bool = False,
        require_named: bool = False,
    ) -> None:
        """Read the rules, or say which one can never work.

        Args:
            interrupt_on: Tool name or glob to `True` (every decision), `False` (runs freely) or a `GateConfig`.
            description_prefix: First line of a description that no rule words itself.
            edit_notice: Text before the result of a call that a person edited; None for no text.
            interrupt_mode: `batched` (one pause for a turn) or `per_call` (one for each call).
            unlisted: What happens to a tool that no key matches.
            strict: Raise, rather than warn, when `interrupt_on` names a tool that the agent does not have.
            details: Add fields for people and consoles to the payload; see `GateConfig`.
            require_named: Refuse an answer that does not name its call by `tool_call_id` or `digest`.

        Raises:
            ValueError: `interrupt_on`, `interrupt_mode` or `unlisted` holds a value that can never work.
        """
        super().__init__(
            cast("dict[str, bool | InterruptOnConfig]", interrupt_on),
            description_prefix=description_prefix,
            edit_notice=edit_notice,
            interrupt_mode=interrupt_mode,
        )
        if self.interrupt_mode == "per_call":
            kind: Any = type(self)
            self.__class__ = _without_after_model(kind)
        self.wording = LangChainWording(self)
        self.rules = Rules(interrupt_on, self.interrupt_on, unlisted=unlisted)
        self.strict = strict
        self.details = details
        self.require_named = require_named
        self._tools = KnownTools()
        for hook in ("wrap_model_call", "awrap_model_call", "wrap_tool_call", "awrap_tool_call"):
            setattr(self, hook, _with_signature(getattr(self, hook)))

    def wrap_model_call(
        self, request: ModelRequest[ContextT], handler: Callable[[ModelRequest[ContextT]], ModelResponse[ResponseT]]
    ) -> ModelResponse[ResponseT]:
        """Call the model with a history in which every tool call has a result."""
        return handler(self._fit_for_model(request))

    def awrap_model_call(
        self,
        request: ModelRequest[ContextT],
        handler: Callable[[ModelRequest[ContextT]], Awaitable[ModelResponse[ResponseT]]],
    ) -> Coroutine[Any, Any, ModelResponse[ResponseT]]:
        """Async twin of `wrap_model_call`. Not `async` itself: create_agent would trace it from a second thread."""
        return cast("Coroutine[Any, Any, ModelResponse[ResponseT]]", handler(self._fit_for_model(request)))

    def after_model(self, state: AgentState[Any], runtime: Runtime[ContextT]) -> dict[str, Any] | None:
        """Ask about all gated calls of a turn at once (batched mode)."""
        if self.interrupt_mode == "per_call":
            return None
        turn = self._open_turn(state)
        if turn is None:
            return self._nothing_to_ask(state)
        memory = recall()
        asked = turn.asked_before(memory)
        if asked is None:
            asked = [
                position
                for position, (call, rule) in enumerate(turn.gated)
                if settle(self.wording.wants_review(call, rule.config, state, runtime))
            ]
        return self._close_turn(turn, asked, memory, runtime)

    async def aafter_model(self, state: AgentState[Any], runtime: Runtime[ContextT]) -> dict[str, Any] | None:
        """Async twin of `after_model`."""
        if self.interrupt_mode == "per_call":
            return None
        turn = self._open_turn(state)
        if turn is None:
            return self._nothing_to_ask(state)
        memory = await arecall()
        asked = turn.asked_before(memory)
        if asked is None:
            asked = [
                position
                for position, (call, rule) in enumerate(turn.gated)
                if await asettle(self.wording.wants_review(call, rule.config, state, runtime))
            ]
        return self._close_turn(turn, asked, memory, runtime)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolResult]) -> ToolResult:
        """Run a call that needs no review, or exactly what was approved; ask if that is not known yet."""
        rule = self._rule_for(request)
        if rule is None:
            return handler(request)
        settled = self._settled_before(request, rule)
        if settled is None:
            memory = recall()
            ruled = self._ruled(request, memory)
            if rule.wants_review(request) if ruled is None else ruled:
                settled = self._ask_about(request, rule, memory)
            else:
                settled = self._passed(request)
        if isinstance(settled, ToolMessage):
            return settled
        return self._annotated(execute(settled, handler), settled)

    def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]]
    ) -> Coroutine[Any, Any, ToolResult]:
        """Async twin of `wrap_tool_call`. Not `async` itself, as `awrap_model_call`."""
        rule = self._rule_for(request)
        if rule is None:
            return cast("Coroutine[Any, Any, ToolResult]", handler(request))
        return self._areview(request, rule, handler)

    async def _areview(
        self, request: ToolCallRequest, rule: Rule, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]]
    ) -> ToolResult:
        settled = self._settled_before(request, rule)
        if settled is None:
            memory = await arecall()
            ruled = self._ruled(request, memory)
            if await rule.awants_review(request) if ruled is None else ruled:
                settled = self._ask_about(request, rule, memory)
            else:
                settled = self._passed(request)
        if isinstance(settled, ToolMessage):
            return settled
        return self._annotated(await aexecute(settled, handler), settled)

    def _rule_for(self, request: ToolCallRequest) -> Rule | None:
        if not self._tools.rules_are_checked:
            self._tools.check(self.rules, request, strict=self.strict)
        return self.rules.for_tool(request.tool_call["name"])

    def _annotated(self, result: ToolResult, approved: Approved) -> ToolResult:
        return self.wording.with_notice(result, approved.request, approved.edit)

    def _fit_for_model(self, request: ModelRequest[ContextT]) -> ModelRequest[ContextT]:
        self._tools.meet(request.tools)
        messages = with_every_call_answered(request.messages)
        return request if messages is request.messages else request.override(messages=messages)


def _with_signature(hook: Callable[..., Any]) -> Callable[..., Any]:
    """Return a hook that keeps its signature: create_agent's tracing asks for it in every call."""
    kept = functools.partial(hook)
    kept.__signature__ = inspect.signature(hook)  # type: ignore[attr-defined]  # where `inspect` looks first
    return kept


@functools.cache
def _without_after_model(gate: type[Any]) -> type[Any]:
    """Return the same gate without the hook that `per_call` mode has no use for: it would cost a step in every turn.

    The name stays, because LangGraph finds a paused thread's place by it.
    """
    unused: dict[str, Any] = {
        hook: getattr(AgentMiddleware, hook)
        for hook in ("after_model", "aafter_model")
        if getattr(gate, hook) is getattr(HumanInTheLoopMiddleware, hook)
    }
    if not unused:
        return gate
    if gate.state_schema is EditsState:
        unused["state_schema"] = AgentState
    parts = {"__module__": gate.__module__, "__qualname__": gate.__qualname__, "__doc__": gate.__doc__}
    return type(gate.__name__, (gate,), {**unused, **parts})
