"""Static breakpoints: an agent stopped by `interrupt_before=["tools"]`, read and answered like any other pause.

LangGraph gives such a stop no value and takes no answer; it only goes on. So the calls are read from the last message,
and an answer is given by changing that message before going on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langgraph.types import StateSnapshot

from handraise.dialects.dialect import RawInterrupt

_APPROVED = "-approved"
"""Marks a message that states calls which were approved before: nobody is asked about them again."""


@dataclass(frozen=True, kw_only=True)
class StateUpdate:
    """What to write with `update_state` before going on, and the node it is to look written by (None: as it stands)."""

    messages: list[AnyMessage]
    as_node: str | None


def stopped_before_tools(snapshot: StateSnapshot, /) -> RawInterrupt | None:
    """Return the stop as an interrupt in the breakpoint dialect, or None when this is not one."""
    message = _last_message(snapshot)
    if message is None or not snapshot.next or snapshot.interrupts or str(message.id).endswith(_APPROVED):
        return None
    calls = [{"id": call["id"], "name": call["name"], "args": call["args"]} for call in _with_own_ids(message)]
    return RawInterrupt(id=f"breakpoint:{message.id}", value={"type": "breakpoint", "tool_calls": calls})


def update_for(snapshot: StateSnapshot, answer: Any, /) -> StateUpdate | None:
    """Return the change that makes the agent do as `answer` says, or None when it may go on unchanged.

    Calls that were rejected never reach the tools: they get a message in the place of their result.
    """
    message = _last_message(snapshot)
    if message is None:
        return None
    calls = _with_own_ids(message)
    runs = {call["id"]: call["args"] for call in answer["tool_calls"]}
    refused: list[AnyMessage] = [
        ToolMessage(
            content=rejected["reason"] or "The call was rejected, so it was not executed.",
            name=rejected["name"],
            tool_call_id=rejected["id"],
            status="error",
        )
        for rejected in answer.get("rejected", [])
    ]
    refused += [
        ToolMessage(content=answered["text"], name=answered["name"], tool_call_id=answered["id"])
        for answered in answer.get("responded", [])
    ]
    if not runs:
        stated = [] if calls == message.tool_calls else [_with_calls(message, calls)]
        return StateUpdate(messages=[*stated, *refused], as_node=snapshot.next[0])
    to_run = [{**call, "args": runs[call["id"]]} for call in calls if call["id"] in runs]
    if not refused:
        unchanged = to_run == message.tool_calls
        return None if unchanged else StateUpdate(messages=[_with_calls(message, to_run)], as_node=None)
    # Agents look at the last message alone for what to run, so the calls that may run are stated last, on their own.
    not_run = [call for call in calls if call["id"] not in runs]
    allowed = _with_calls(AIMessage(content="", id=f"{message.id}{_APPROVED}"), to_run)
    return StateUpdate(messages=[_with_calls(message, not_run), *refused, allowed], as_node=None)


def _with_own_ids(message: AIMessage) -> list[ToolCall]:
    """Return the calls of a message, each with an id of its own: an answer is matched to its call by nothing else.

    A model may give two calls the same id, or none. The ids made here are the same each time the stop is read.
    """
    taken: set[str | None] = {None, ""}
    calls: list[ToolCall] = []
    for position, call in enumerate(message.tool_calls):
        own = call["id"]
        if own in taken:
            own = f"call_{uuid5(NAMESPACE_OID, f'{message.id}:{position}').hex[:24]}"
        taken.add(own)
        calls.append(call if own == call["id"] else ToolCall(**{**call, "id": own}))
    return calls


def _last_message(snapshot: StateSnapshot) -> AIMessage | None:
    messages = snapshot.values.get("messages") if isinstance(snapshot.values, dict) else None
    last = messages[-1] if messages else None
    return last if isinstance(last, AIMessage) and last.tool_calls else None


def _with_calls(message: AIMessage, calls: list[Any]) -> AIMessage:
    # Providers repeat the calls in their own form; a stale copy there would undo the change on the next turn.
    extra = {
        key: value for key, value in message.additional_kwargs.items() if key not in ("tool_calls", "function_call")
    }
    content = message.content if isinstance(message.content, str) else message.text
    return message.model_copy(update={"tool_calls": calls, "additional_kwargs": extra, "content": content})
