"""The gate: LangChain's `HumanInTheLoopMiddleware`, with the approval checked where the tool runs.

Change one import. What LangChain's own lets through, and this one does not, is listed in `docs/gate.md`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, cast

from langchain.agents.middleware import HumanInTheLoopMiddleware as LangChainGate
from langchain.agents.middleware.human_in_the_loop import InterruptMode, InterruptOnConfig
from langchain.agents.middleware.types import (
    AgentState,
    ContextT,
    ModelRequest,
    ModelResponse,
    ResponseT,
    StateT,
    ToolCallRequest,
)
from langgraph.runtime import Runtime

from handraise.agents.gate.call_review import CallReview
from handraise.agents.gate.execution import ToolResult
from handraise.agents.gate.history import with_every_call_answered
from handraise.agents.gate.known_tools import KnownTools
from handraise.agents.gate.rules import InterruptOn, Rule, Rules
from handraise.agents.gate.turn_review import TurnReview
from handraise.agents.upstream.gate import EDIT_NOTICE, EditsState, LangChainWording
from handraise.agents.upstream.hooks import HidesHooks, quick_to_inspect
from handraise.core.policy import Verdict


class HumanInTheLoopMiddleware(HidesHooks, LangChainGate[StateT, ContextT, ResponseT]):
    """Pause the agent so that a person reviews tool calls, and let run only what was approved.

    A drop-in for LangChain's middleware of the same name: same arguments, payloads, decisions and messages. In
    `per_call` mode it adds no step to the graph.
    """

    state_schema = EditsState

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
        wording = LangChainWording(self)
        self.rules = Rules(interrupt_on, self.interrupt_on, unlisted=unlisted)
        self.strict = strict
        self._tools = KnownTools()
        self._turns = TurnReview(
            wording=wording, rules=self.rules, tools=self._tools, with_details=details, require_named=require_named
        )
        self._calls = CallReview(wording=wording, with_details=details, require_named=require_named)
        if self.interrupt_mode == "per_call":
            self._do_without_turns()

    @quick_to_inspect
    def wrap_model_call(
        self, request: ModelRequest[ContextT], handler: Callable[[ModelRequest[ContextT]], ModelResponse[ResponseT]]
    ) -> ModelResponse[ResponseT]:
        """Call the model with a history in which every tool call has a result."""
        return handler(self._fit_for_model(request))

    @quick_to_inspect
    def awrap_model_call(
        self,
        request: ModelRequest[ContextT],
        handler: Callable[[ModelRequest[ContextT]], Awaitable[ModelResponse[ResponseT]]],
    ) -> Coroutine[Any, Any, ModelResponse[ResponseT]]:
        """Async twin of `wrap_model_call`. Not `async` itself: create_agent would trace it from a second thread."""
        return cast("Coroutine[Any, Any, ModelResponse[ResponseT]]", handler(self._fit_for_model(request)))

    def after_model(self, state: AgentState[Any], runtime: Runtime[ContextT]) -> dict[str, Any] | None:
        """Ask about all gated calls of a turn at once (batched mode)."""
        return None if self.interrupt_mode == "per_call" else self._turns.review(state, runtime)

    async def aafter_model(self, state: AgentState[Any], runtime: Runtime[ContextT]) -> dict[str, Any] | None:
        """Async twin of `after_model`."""
        return None if self.interrupt_mode == "per_call" else await self._turns.areview(state, runtime)

    @quick_to_inspect
    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolResult]) -> ToolResult:
        """Run a call that needs no review, or exactly what was approved; ask if that is not known yet."""
        rule = self._rule_for(request)
        return handler(request) if rule is None else self._calls.review(request, rule, handler)

    @quick_to_inspect
    def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]]
    ) -> Coroutine[Any, Any, ToolResult]:
        """Async twin of `wrap_tool_call`. Not `async` itself, as `awrap_model_call`."""
        rule = self._rule_for(request)
        if rule is None:
            return cast("Coroutine[Any, Any, ToolResult]", handler(request))
        return self._calls.areview(request, rule, handler)

    def _rule_for(self, request: ToolCallRequest) -> Rule | None:
        if not self._tools.rules_are_checked:
            self._tools.check(self.rules, request, strict=self.strict)
        return self.rules.for_tool(request.tool_call["name"])

    def _fit_for_model(self, request: ModelRequest[ContextT]) -> ModelRequest[ContextT]:
        self._tools.meet(request.tools)
        messages = with_every_call_answered(request.messages)
        return request if messages is request.messages else request.override(messages=messages)

    def _do_without_turns(self) -> None:
        """Cost no step of the graph, and no key of its state, for turns that are not reviewed as a whole."""
        own, ours = type(self), HumanInTheLoopMiddleware
        hooks = ("after_model", "aafter_model")
        self.hidden_hooks = frozenset(hook for hook in hooks if getattr(own, hook) is getattr(ours, hook))
        if self.hidden_hooks and self.state_schema is EditsState:
            self.state_schema = AgentState  # type: ignore[assignment]  # create_agent takes any schema
