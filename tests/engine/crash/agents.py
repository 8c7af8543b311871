"""Agents that pay: behind every kind of gate, and behind none."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Literal, get_args

from langchain.agents import create_agent
from langchain_core.tools import BaseTool, tool

import handraise
from handraise import HumanInTheLoopMiddleware, human_in_the_loop_async
from tests.engine.world import Bank, paying_model

AgentKind = Literal[
    "batched",
    "per_call",
    "decorated",
    "threaded",
    "subagent",
    "decorated_subagent",
    "effectful_subagent",
    "ungated",
    "repeatable",
]
KINDS: tuple[AgentKind, ...] = get_args(AgentKind)
GATED: tuple[AgentKind, ...] = tuple(kind for kind in KINDS if kind not in {"ungated", "repeatable"})
Point = Callable[[str], None]


def agent_of(kind: AgentKind, bank: Bank, *, slow: float, point: Point) -> Any:
    """Return an agent whose payment passes a point before, in the middle and after."""

    async def pay(amount: float) -> str:
        """Pay an amount."""
        point("tool starts")
        await asyncio.sleep(slow)
        paid = bank.pay(amount)
        point("tool paid")
        return paid

    def pay_in_a_thread(amount: float) -> str:
        """Pay an amount."""
        point("tool starts")
        time.sleep(slow)
        paid = bank.pay(amount)
        point("tool paid")
        return paid

    model = paying_model(42.5)
    match kind:
        case "batched":
            return create_agent(model, [tool(pay)], middleware=[HumanInTheLoopMiddleware({"pay": True})])
        case "per_call":
            gate = HumanInTheLoopMiddleware({"pay": True}, interrupt_mode="per_call")
            return create_agent(model, [tool(pay)], middleware=[gate])
        case "decorated":
            return create_agent(model, [human_in_the_loop_async(pay)])
        case "ungated":
            return create_agent(model, [handraise.effect(pay)])
        case "repeatable":
            return create_agent(model, [handraise.effect(repeatable=True)(pay)])
        case "subagent" | "decorated_subagent" | "effectful_subagent":
            gate = HumanInTheLoopMiddleware({"pay": True}, interrupt_mode="per_call")
            inner: Any = (
                create_agent(model, [human_in_the_loop_async(pay)])
                if kind == "decorated_subagent"
                else create_agent(model, [tool(pay)], middleware=[gate])
            )

            async def delegate(amount: float) -> str:
                """Let another agent pay."""
                done = await inner.ainvoke({"messages": [("user", f"pay {amount}")]})
                return str(done["messages"][-1].text)

            outer = handraise.effect(repeatable=True)(delegate) if kind == "effectful_subagent" else tool(delegate)
            return create_agent(paying_model(42.5, by="delegate"), [outer])
        case "threaded":
            threaded: BaseTool = tool("pay")(pay_in_a_thread)
            return create_agent(model, [threaded], middleware=[HumanInTheLoopMiddleware({"pay": True})])
