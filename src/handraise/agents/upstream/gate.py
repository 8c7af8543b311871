"""LangChain's own gate: the words, payloads and state key that ours shares with it."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Annotated, Any, NotRequired, Protocol, cast, get_args

from langchain.agents.middleware import HumanInTheLoopMiddleware as LangChainGate
from langchain.agents.middleware.human_in_the_loop import (
    _EDIT_NOTICE,
    Action,
    ActionRequest,
    Decision,
    DecisionType,
    InterruptMode,
    InterruptOnConfig,
    ReviewConfig,
    _decision_schema,
)
from langchain.agents.middleware.types import AgentState, PrivateStateAttr, ResponseT, ToolCallRequest
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime
from langgraph.types import Command

EDIT_NOTICE: str = _EDIT_NOTICE
"""The default text before the result of a call that a person edited."""

GATE_DECISIONS: tuple[DecisionType, ...] = get_args(DecisionType)
"""The decisions that LangChain's gate knows. One of ours that it does not know is no word for a gate."""

EDITS_KEY = "hitl_edited_tool_calls"
"""The key of the agent's state in which a batched gate keeps its edits, by call id."""


class EditsState(AgentState[ResponseT]):
    """The state of a batched gate."""

    hitl_edited_tool_calls: NotRequired[Annotated[dict[str, Action], PrivateStateAttr]]


class Wording(Protocol):
    """How a gate asks, and what it says: in LangChain's words and payloads, which are not for us to make up."""

    @property
    def gate_name(self) -> str:
        """The name of the gate: its approvals are kept under it."""

    @property
    def mode(self) -> InterruptMode:
        """Whether the gate asks about all calls of a turn at once, or about each on its own."""

    def wants_review(
        self, call: ToolCall, config: Any, state: AgentState[Any], runtime: Runtime[Any]
    ) -> bool | Awaitable[bool]:
        """Ask the rule's `when` about a call that no tool has been found for yet."""

    def shown_in_batch(
        self, call: ToolCall, config: Any, state: AgentState[Any], runtime: Runtime[Any]
    ) -> tuple[ActionRequest, ReviewConfig]:
        """Return what a batched question shows of a call."""

    def shown_alone(self, request: ToolCallRequest, config: Any) -> dict[str, Any]:
        """Return the question about one call on its own."""

    def in_place_of_result(self, decision: dict[str, Any], call: ToolCall, config: Any) -> ToolMessage:
        """Return what the model reads of a call that was rejected, or that a person answered themselves."""

    def edited(self, request: ToolCallRequest, edit: Action) -> ToolCallRequest:
        """Return the call as a person edited it."""

    def with_notice(
        self, result: ToolMessage | Command[Any], request: ToolCallRequest, edit: Action | None
    ) -> ToolMessage | Command[Any]:
        """Return a result that tells the model of the edit, if there was one."""


class LangChainWording:
    """The wording of LangChain's own methods, with the settings of one gate."""

    def __init__(self, gate: LangChainGate[Any, Any, Any]) -> None:
        self._gate = gate

    @property
    def gate_name(self) -> str:
        return self._gate.name

    @property
    def mode(self) -> InterruptMode:
        return self._gate.interrupt_mode

    def wants_review(
        self, call: ToolCall, config: Any, state: AgentState[Any], runtime: Runtime[Any]
    ) -> bool | Awaitable[bool]:
        return self._gate._should_interrupt(call, config, state, runtime)

    def shown_in_batch(
        self, call: ToolCall, config: Any, state: AgentState[Any], runtime: Runtime[Any]
    ) -> tuple[ActionRequest, ReviewConfig]:
        return self._gate._create_action_and_config(call, config, state, runtime)

    def shown_alone(self, request: ToolCallRequest, config: Any) -> dict[str, Any]:
        return cast("dict[str, Any]", self._gate._tool_approval_request(request, config))

    def in_place_of_result(self, decision: dict[str, Any], call: ToolCall, config: Any) -> ToolMessage:
        _, message = self._gate._process_decision(cast("Decision", decision), call, config)
        return cast("ToolMessage", message)

    def edited(self, request: ToolCallRequest, edit: Action) -> ToolCallRequest:
        return self._gate._apply_edit(request, edit)

    def with_notice(
        self, result: ToolMessage | Command[Any], request: ToolCallRequest, edit: Action | None
    ) -> ToolMessage | Command[Any]:
        return self._gate._annotate_edited_result(result, request, edit)


def why_not_allowed(decision: dict[str, Any], call: ToolCall, config: Any) -> str | None:
    """Return why LangChain refuses a decision that the rule does not allow, or None when it would take it."""
    try:
        LangChainGate._process_decision(cast("Decision", decision), call, cast("InterruptOnConfig", config))
    except ValueError as error:
        return str(error)
    return None


def decision_type(allowed: Sequence[DecisionType], name: str, tool: BaseTool | None) -> Any:
    """Return the type of one decision on a call of `name`: pydantic reads answers by it, clients see its schema."""
    return _decision_schema(allowed, name, tool)
