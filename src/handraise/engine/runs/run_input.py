"""What was said, as LangChain's messages, and a history that every model provider accepts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langgraph.types import StateSnapshot

from handraise.core.effects.effect import Effect
from handraise.core.runs import Run
from handraise.core.states import EffectStatus
from handraise.engine.runs.transcript import messages_in

MARK = "handraise_run"
"""The key in a checkpoint's metadata that says which run wrote it."""

NOT_EXECUTED = "This call was not executed: the conversation went on without it."
EXECUTED = "This call was executed, but the conversation went on before its result was read."
UNKNOWN = "This call was started, and nobody knows whether it was executed: the conversation went on without it."


def was_delivered(run: Run, snapshot: StateSnapshot) -> bool:
    """Return whether the agent has heard what this run is about: it was delivered before a crash or a pause.

    The history alone does not tell: an agent may have summed it up since.
    """
    return (snapshot.metadata or {}).get(MARK) == run.id or _where_delivered(run, snapshot) is not None


def since_delivery(run: Run, snapshot: StateSnapshot) -> list[BaseMessage]:
    """Return what came after the message that this run answers; the whole history when that message is gone."""
    return messages_in(snapshot.values)[_where_delivered(run, snapshot) or 0 :]


def open_calls(snapshot: StateSnapshot) -> list[ToolCall]:
    """Return the calls that a stopped or failed run left without a result."""
    # A result answers the call before it: some models number their calls anew in every turn.
    waiting: dict[str, ToolCall] = {}
    for message in messages_in(snapshot.values):
        if isinstance(message, AIMessage):
            waiting.update((call["id"], call) for call in message.tool_calls if call["id"])
        elif isinstance(message, ToolMessage):
            waiting.pop(message.tool_call_id, None)
    return [*waiting.values()]


def input_of(run: Run, snapshot: StateSnapshot, *, effects: Sequence[Effect] = ()) -> dict[str, Any]:
    """Return a run's input: results for calls that were left without one, then what was said.

    Providers refuse a history without those results; what they say is what the ledger knows of the call.
    """
    left_by = (snapshot.metadata or {}).get(MARK)
    known = {effect.tool_call_id: effect.status for effect in effects if left_by in {None, effect.run_id}}
    missing = [
        ToolMessage(_left_open(known.get(call["id"] or "")), name=call["name"], tool_call_id=call["id"], status="error")
        for call in open_calls(snapshot)
    ]
    return {"messages": [*missing, *(_message(one) for one in _said(run))]}


def _said(run: Run) -> list[dict[str, Any]]:
    said = run.input["said"]
    return [dict(one) for one in said if isinstance(one, dict)] if isinstance(said, list) else []


def _message(said: dict[str, Any]) -> BaseMessage:
    if said["role"] == "operator":
        return AIMessage(said["text"], id=said["message_id"])
    return HumanMessage(said["text"], id=said["message_id"])


def _where_delivered(run: Run, snapshot: StateSnapshot) -> int | None:
    last = _said(run)[-1]["message_id"]
    return next((index for index, message in enumerate(messages_in(snapshot.values)) if message.id == last), None)


def _left_open(status: EffectStatus | None) -> str:
    match status:
        case "done":
            return EXECUTED
        case "started" | "indeterminate":
            return UNKNOWN
        case "suspended" | "left" | None:
            return NOT_EXECUTED
        case _ as never:
            assert_never(never)
