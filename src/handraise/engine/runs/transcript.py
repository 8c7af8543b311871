"""From LangChain's messages to facts, with keys by which each is recorded once, however often a run sees it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import JsonValue

from handraise.core.log.facts import Fact, HandoffMade, MessageSent, ToolCalled, ToolFinished


def handoff_in(update: Any, *, source: str | None) -> list[tuple[str, Fact]]:
    """Return the fact that the conversation moved to another agent, where a node's update says so, with its key."""
    target = active_agent_in(update)
    results = [message for message in messages_in(update) if isinstance(message, ToolMessage)]
    if not source or target is None or target == source or not results:
        return []
    return [(f"handoff:{_id(results[0])}", HandoffMade(source=source, target=target))]


def active_agent_in(update: Any) -> str | None:
    """Return which of several agents has the conversation, where a node's update or a graph's state says so."""
    active = update.get("active_agent") if isinstance(update, dict) else None
    return active if isinstance(active, str) else None


def messages_in(update: Any) -> list[BaseMessage]:
    """Return the messages of a node's update or of a graph's state; nothing when it has none."""
    messages = update.get("messages", []) if isinstance(update, dict) else []
    if isinstance(messages, BaseMessage):
        return [messages]
    return (
        [message for message in messages if isinstance(message, BaseMessage)] if isinstance(messages, Sequence) else []
    )


def facts_of(message: BaseMessage) -> list[tuple[str, Fact]]:
    """Return the facts in a message, each with the key under which it is recorded once."""
    match message:
        case AIMessage():
            facts: list[tuple[str, Fact]] = []
            if message.text.strip():
                facts.append((f"sent:{_id(message)}", MessageSent(message_id=_id(message), text=message.text)))
            facts += [
                (
                    f"called:{_id(message)}:{call['id']}",
                    ToolCalled(tool_call_id=call["id"] or "", tool=call["name"], args=_plain(call["args"])),
                )
                for call in message.tool_calls
            ]
            return facts
        case ToolMessage():
            finished = ToolFinished(
                tool_call_id=message.tool_call_id, tool=message.name or "", status=message.status, content=message.text
            )
            # Not the call's id alone: some models number their calls anew in every turn.
            return [(f"finished:{_id(message)}", finished)]
        case _:
            return []


def _id(message: BaseMessage) -> str:
    """Return a message's id. LangGraph gives one to each; a graph with a list of its own may not."""
    return message.id or hashlib.sha256(message.model_dump_json().encode()).hexdigest()[:24]


def _plain(args: dict[str, Any]) -> dict[str, JsonValue]:
    return args
