"""A shop whose tools write down what they did, and a way to talk with its agents, sync and async."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangChainGate
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, Interrupt

from handraise import HumanInTheLoopMiddleware
from handraise.testing import ScriptedModel

Mode = Literal["batched", "per_call"]
How = Literal["invoke", "ainvoke", "stream", "astream"]
Gate = type[LangChainGate[Any, Any, Any]]

LANGCHAIN: Gate = LangChainGate
OURS: Gate = HumanInTheLoopMiddleware
BOTH_GATES = [LANGCHAIN, OURS]
BOTH_MODES: list[Mode] = ["batched", "per_call"]
SYNC_AND_ASYNC: list[How] = ["invoke", "ainvoke"]

APPROVE: dict[str, Any] = {"type": "approve"}
REJECT: dict[str, Any] = {"type": "reject"}


def call(name: str, /, *, id: str | None = "call-1", **args: Any) -> Any:
    """Return a tool call as a model writes it."""
    return {"name": name, "args": args, "id": id, "type": "tool_call"}


def calling(*calls: Any) -> AIMessage:
    """Return a model's message that makes these calls."""
    return AIMessage("", tool_calls=list(calls))


def edit(name: str, /, **args: Any) -> dict[str, Any]:
    """Return the decision to run `name` with `args` instead."""
    return {"type": "edit", "edited_action": {"name": name, "args": args}}


class Shop:
    """Tools with effects that can be counted."""

    def __init__(self) -> None:
        self.did: list[tuple[Any, ...]] = []

    @property
    def tools(self) -> list[BaseTool]:
        did = self.did

        def refund(order: str, amount: float) -> str:
            """Refund an order."""
            did.append(("refund", order, amount))
            return f"refunded {amount}"

        def delete_order(order: str) -> str:
            """Delete an order."""
            did.append(("delete_order", order))
            return f"deleted {order}"

        def look_up(order: str) -> str:
            """Look up an order."""
            did.append(("look_up", order))
            return f"{order} is shipped"

        return [_as_tool(refund), _as_tool(delete_order), _as_tool(look_up)]

    def agent(self, *replies: AIMessage, middleware: Sequence[Any] = (), **options: Any) -> Any:
        """Return an agent whose model says `replies`, then "Done."."""
        model = ScriptedModel.replaying(*replies, AIMessage("Done."))
        options.setdefault("checkpointer", InMemorySaver())
        return create_agent(model, options.pop("tools", self.tools), middleware=middleware, **options)


_made: dict[str, StructuredTool] = {}
"""The shop's tools, once each: reading a function's schema takes longer than most conversations."""


def _as_tool(function: Callable[..., str]) -> BaseTool:
    if function.__name__ not in _made:
        _made[function.__name__] = StructuredTool.from_function(function)
    return _made[function.__name__].model_copy(update={"func": function})


class Talk:
    """One session with an agent, driven the way `how` says."""

    def __init__(self, agent: Any, how: How = "invoke", *, session: str = "s-1") -> None:
        self.agent = agent
        self.how = how
        self.config: Any = {"configurable": {"thread_id": session}}

    def say(self, text: str) -> None:
        self.run({"messages": [{"role": "user", "content": text}]})

    def answer(self, *decisions: Any) -> None:
        """Answer all that is pending, in the order of the calls."""
        pending = sorted(self.pending, key=lambda one: str(one.value.get("tool_call_id", "")))
        if "action_requests" in pending[0].value:
            self.resume({"decisions": list(decisions)})
        elif len(pending) == 1:
            self.resume(*decisions)
        else:
            self.resume({one.id: decision for one, decision in zip(pending, decisions, strict=True)})

    def resume(self, value: Any) -> None:
        self.run(Command(resume=value))

    def run(self, what: Any, config: Any = None) -> list[Any]:
        """Run the agent and return what it emitted: the result, or the chunks of a stream."""
        config = config or self.config
        match self.how:
            case "invoke":
                return [self.agent.invoke(what, config)]
            case "ainvoke":
                return [finish(self.agent.ainvoke(what, config))]
            case "stream":
                return list(self.agent.stream(what, config, stream_mode="updates"))
            case "astream":
                return list(finish(_collected(self.agent, what, config)))

    @property
    def snapshot(self) -> Any:
        if self.how in {"ainvoke", "astream"}:
            return finish(self.agent.aget_state(self.config))
        return self.agent.get_state(self.config)

    @property
    def pending(self) -> tuple[Interrupt[Any], ...]:
        return tuple(self.snapshot.interrupts)

    @property
    def messages(self) -> list[AnyMessage]:
        return list(self.snapshot.values["messages"])

    @property
    def results(self) -> list[ToolMessage]:
        return [message for message in self.messages if isinstance(message, ToolMessage)]


def finish(work: Awaitable[Any]) -> Any:
    """Run async work to its end."""

    async def run() -> Any:
        return await work

    return asyncio.run(run())


async def _collected(agent: Any, what: Any, config: Any) -> list[Any]:
    return [chunk async for chunk in agent.astream(what, config, stream_mode="updates")]
