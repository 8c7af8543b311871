"""An agent that calls what it is told to call, so that a test says exactly what an operator gets to see."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool, tool
from pydantic import BaseModel, Field

from handraise.agents.ask_human.tool import AskHumanAgentTool, ask_human
from handraise.agents.gate.middleware import HumanInTheLoopMiddleware
from handraise.testing import ScriptedModel
from tests.console.hostile import HOSTILE
from tests.running import RunningDemo
from tests.service.talking import until

PAYMENT = {
    "type": "object",
    "title": "Pay",
    "properties": {
        "order_id": {"type": "string", "description": "Which order"},
        "amount": {"type": "number", "maximum": 100},
        "method": {"enum": ["card", "cash"]},
        "express": {"type": "boolean"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "address": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
    "required": ["order_id", "amount"],
}
CALL = {
    "order_id": "0012",
    "amount": 42.5,
    "method": "card",
    "express": False,
    "note": None,
    "tags": ["gift"],
    "address": {"city": "Ulm", "floor": 3},
    "reference": "R-7",
}
"""A call with two values, `address.floor` and `reference`, that the schema does not name."""


def _pay(**received: Any) -> str:
    """Pay an order. What is received is what the tool's side sees, types and all."""
    return f"paid {json.dumps(received, sort_keys=True)}"


pay = StructuredTool.from_function(_pay, name="pay", description="Pay an order.", args_schema=PAYMENT)


@tool
def say(text: str, why: str) -> str:
    """Say something to the world."""
    return f"said {text}: {why}"


@tool
def send(to: str, folder: str, stops_at: int) -> str:
    """Send a parcel; the machine stops in the middle of it, once so many were started."""
    started = Path(folder) / to
    if not started.exists():
        started.touch()
        until(lambda: len(list(Path(folder).iterdir())) == stops_at)
        os.kill(os.getpid(), signal.SIGKILL)
    return f"sent to {to}"


class Slot(BaseModel):
    """When a courier comes."""

    day: str = Field(description="Which day", min_length=3)
    hour: int = Field(ge=8, le=18)


def _spelled_out(value: Any) -> Any:
    """Put the hostile texts in that a test only numbers: all at once, they are longer than a message may be."""
    match value:
        case dict():
            return {_spelled_out(name): _spelled_out(item) for name, item in value.items()}
        case list():
            return [_spelled_out(item) for item in value]
        case str():
            return re.sub(r"@hostile (\d+)@", lambda found: HOSTILE[int(found[1])], value)
        case _:
            return value


def _reply(messages: Sequence[BaseMessage]) -> AIMessage:
    last = messages[-1]
    if isinstance(last, ToolMessage):
        return AIMessage(f"Result: {last.text}")
    if not isinstance(last, HumanMessage) or not last.text.startswith("call "):
        return AIMessage(f"You said: {last.text}")
    _, name, args = last.text.split(" ", maxsplit=2)
    call = {"name": name, "args": _spelled_out(json.loads(args)), "id": f"call_{len(messages)}"}
    return AIMessage("One moment.", tool_calls=[call])


agent = create_agent(
    ScriptedModel(script=_reply),
    [
        pay,
        say,
        send,
        AskHumanAgentTool(timeout_seconds=3600),
        ask_human(schema=Slot, name="ask_slot", timeout_seconds=3600),
    ],
    middleware=[
        HumanInTheLoopMiddleware(
            {
                "pay": True,
                "send": True,
                "say": {
                    "allowed_decisions": ["approve", "edit", "reject"],
                    "description": lambda call, _state, _runtime: str(call["args"]["why"]),
                },
            }
        )
    ],
)


class RunningCounter(RunningDemo):
    """`handraise serve` with this agent."""

    command: ClassVar[list[str]] = ["serve", f"{__name__}:agent"]
    environment: ClassVar[dict[str, str]] = {
        "HANDRAISE_LIMITS_SESSION_REQUESTS_PER_MINUTE": "100000",
        "HANDRAISE_LIMITS_REQUESTS_PER_MINUTE": "100000",
        "PYTHONPATH": f"{Path(__file__).parents[3]}:{Path(__file__).parents[3] / 'src'}",
    }

    def __init__(self, database_url: str) -> None:
        super().__init__(database_url, "--name", "counter")

    def revive(self) -> None:
        """Start again what has ended by itself."""
        with self.process:
            self._process = None
        self.start()
