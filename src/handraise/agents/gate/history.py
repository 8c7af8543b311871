"""History: reading a conversation's last turn, and keeping every tool call in it answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolCall, ToolMessage


@dataclass(frozen=True, kw_only=True)
class ModelTurn:
    """The model's last message, and the results that its calls have so far."""

    message: AIMessage
    results: dict[str, ToolMessage] = field(default_factory=dict)

    def ids_used_twice(self) -> set[str | None]:
        """Return the call ids that several calls of this turn share: no decision could tell them apart."""
        if len(self.message.tool_calls) < 2:
            return set()
        counts = Counter(call["id"] for call in self.message.tool_calls)
        return {call_id for call_id, count in counts.items() if count > 1}


def last_turn(messages: Sequence[BaseMessage]) -> ModelTurn | None:
    """Return the last message of the model with what followed it, or None when the model has not spoken."""
    results: dict[str, ToolMessage] = {}
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            return ModelTurn(message=message, results=results)
        if isinstance(message, ToolMessage):
            results.setdefault(message.tool_call_id, message)
    return None


def with_every_call_answered(messages: list[AnyMessage]) -> list[AnyMessage]:
    """Return `messages` with a result for each call; model providers refuse a history without.

    A call loses its result when a customer writes while its turn waits for review: LangGraph then drops the pause.
    """
    missing: dict[int, list[ToolCall]] = {}
    results: set[str] = set()
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if isinstance(message, ToolMessage):
            results.add(message.tool_call_id)
        elif isinstance(message, AIMessage):
            if unanswered := [call for call in message.tool_calls if call["id"] and call["id"] not in results]:
                missing[position] = unanswered
            results = set()
    return _with_stand_ins(messages, missing) if missing else messages


def _with_stand_ins(messages: list[AnyMessage], missing: dict[int, list[ToolCall]]) -> list[AnyMessage]:
    whole: list[AnyMessage] = []
    waiting: list[ToolCall] = []
    for position, message in enumerate(messages):
        # Results have to follow their calls directly, so the missing ones go after those that are there.
        if waiting and not isinstance(message, ToolMessage):
            whole.extend(map(_stand_in, waiting))
            waiting = []
        whole.append(message)
        waiting = missing.get(position, waiting)
    return [*whole, *map(_stand_in, waiting)]


def _stand_in(call: ToolCall) -> ToolMessage:
    return ToolMessage(
        f"`{call['name']}` has no result: the conversation moved on before it had one. "
        "If it was waiting for review, it was not executed.",
        name=call["name"],
        tool_call_id=call["id"],
        status="error",
    )
