"""One turn as a script sees it: what the customer wants, and what the tools have said about it so far."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from handraise.core.languages import Language
from handraise.demo.reading.wishes import Wish, read_wish

HANDOFF = "transfer_to_"


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one call came to. `failed` when a person or the clock kept it from running."""

    tool: str
    args: dict[str, Any]
    text: str
    failed: bool

    @property
    def data(self) -> dict[str, Any]:
        """Return the tool's own answer. After an edit, the gate puts a note to the model on the lines before it."""
        try:
            read = json.loads(self.text.rpartition("\n")[2])
        except ValueError:
            return {}
        return read if isinstance(read, dict) else {}


@dataclass(frozen=True, kw_only=True)
class CustomerTurn:
    """Everything since the customer's last message, and the results of the turns before."""

    wish: Wish
    results: tuple[Result, ...]
    earlier: tuple[Result, ...]

    @property
    def language(self) -> Language:
        return self.wish.language

    def of(self, tool: str) -> list[Result]:
        """Return the results of one tool in this turn."""
        return [result for result in self.results if result.tool == tool]

    def last(self, tool: str) -> Result | None:
        """Return the newest result of one tool in this turn."""
        return next(reversed(self.of(tool)), None)


def read_turn(messages: Sequence[BaseMessage]) -> CustomerTurn:
    """Read a conversation."""
    said = [position for position, message in enumerate(messages) if isinstance(message, HumanMessage)]
    start = said[-1] if said else 0
    calls = {
        call["id"]: call["args"]
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    }
    return CustomerTurn(
        wish=read_wish([messages[position].text for position in said]),
        results=tuple(_results(messages[start:], calls)),
        earlier=tuple(_results(messages[:start], calls)),
    )


def _results(messages: Sequence[BaseMessage], calls: dict[str | None, dict[str, Any]]) -> list[Result]:
    return [
        Result(
            tool=message.name or "",
            args=calls.get(message.tool_call_id, {}),
            text=message.text,
            failed=message.status == "error",
        )
        for message in messages
        if isinstance(message, ToolMessage) and not (message.name or "").startswith(HANDOFF)
    ]
