"""What a gate costs: the CPU of a turn with ours, with LangChain's and with none, side by side in one run.

Prints the CPU of each, then for each target whether it is met. The contenders take turns within each round, so that a
busy machine slows all of them alike; the median of the rounds is reported. Run it with
`python benchmarks/gate.py [rounds]`.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, cast

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangChainGate
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from handraise import HumanInTheLoopMiddleware
from handraise.testing import ScriptedModel

TURNS_PER_SAMPLE = 10
TURNS = {
    "model-only turn": [AIMessage("Hello.")],
    "ungated tool turn": [
        AIMessage("", tool_calls=[{"name": "look_up", "args": {"order": "A1"}, "id": "call-1"}]),
        AIMessage("It is on its way."),
    ],
    "gated tool turn, approved": [
        AIMessage("", tool_calls=[{"name": "refund", "args": {"order": "A1"}, "id": "call-1"}]),
        AIMessage("It is refunded."),
    ],
}


AT_MOST_OF_PLAIN = {"model-only turn": 1.10, "ungated tool turn": 1.20}
"""What a turn may cost in `per_call` mode, as a multiple of a plain agent's."""


def look_up(order: str) -> str:
    """Look up an order."""
    return f"{order}: shipped"


def refund(order: str) -> str:
    """Refund an order."""
    return f"{order}: refunded"


def contenders() -> dict[str, Callable[[], list[Any]]]:
    """Return what each column of the table puts into the agent."""
    rules: dict[str, Any] = {"refund": True}
    return {
        "plain": list,
        "LangChain batched": lambda: [LangChainGate(rules)],
        "Handraise batched": lambda: [HumanInTheLoopMiddleware(rules)],
        "LangChain per_call": lambda: [LangChainGate(rules, interrupt_mode="per_call")],
        "Handraise per_call": lambda: [HumanInTheLoopMiddleware(rules, interrupt_mode="per_call")],
    }


async def take_turn(invoke: Callable[[Any, Any], Awaitable[Any]], *, session: str) -> None:
    """Run one turn to its end, approving what it asks."""
    config = {"configurable": {"thread_id": session}}
    result = await invoke({"messages": [HumanMessage("Hi")]}, config)
    for question in result.get("__interrupt__", ()):
        approve = {"type": "approve"}
        batched = "action_requests" in question.value
        await invoke(Command(resume={"decisions": [approve]} if batched else approve), config)


def invoke_of(agent: Any, how: str) -> Callable[[Any, Any], Awaitable[Any]]:
    """Return the agent's `invoke` or `ainvoke`, to be awaited in either case."""

    async def invoke(what: Any, config: Any) -> Any:
        return agent.invoke(what, config)

    return invoke if how == "invoke" else cast("Callable[[Any, Any], Awaitable[Any]]", agent.ainvoke)


async def measure(replies: list[AIMessage], *, how: str, rounds: int) -> dict[str, float]:
    """Return each contender's median CPU seconds for one turn."""
    model = ScriptedModel.replaying(*replies)
    agents = {
        name: create_agent(model, [look_up, refund], middleware=middleware(), checkpointer=InMemorySaver())
        for name, middleware in contenders().items()
    }
    names = list(agents)
    samples: dict[str, list[float]] = {name: [] for name in names}
    threads = count()
    for round_number in range(-1, rounds):
        # Each comes first as often as the others: what runs first after the collection pays for it.
        first = round_number % len(agents)
        for name in [*names[first:], *names[:first]]:
            invoke = invoke_of(agents[name], how)
            gc.collect()
            before = time.process_time()
            for _ in range(TURNS_PER_SAMPLE):
                await take_turn(invoke, session=str(next(threads)))
            # The first round only warms up.
            if round_number >= 0:
                samples[name].append((time.process_time() - before) / TURNS_PER_SAMPLE)
    return {name: statistics.median(values) for name, values in samples.items()}


def targets(turn: str, seconds: dict[str, float]) -> list[str]:
    """Say for each target of this row whether it is met, at the two digits that the machine's noise leaves."""
    limits = [(f"Handraise {mode}", f"LangChain {mode}", 1.0) for mode in ("batched", "per_call")]
    if turn in AT_MOST_OF_PLAIN:
        limits.append(("Handraise per_call", "plain", AT_MOST_OF_PLAIN[turn]))
    said = []
    for ours, other, limit in limits:
        ratio = round(seconds[ours] / seconds[other], 2)
        said.append(f"{ours} / {other}: {ratio:.2f}, at most {limit:.2f}: {'PASS' if ratio <= limit else 'over'}")
    return said


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    say = sys.stdout.write
    say(f"CPU of one turn, median of {rounds} interleaved rounds; ratios to a plain agent\n\n")
    say("| turn | " + " | ".join(contenders()) + " |\n|---|" + "---|" * len(contenders()) + "\n")
    verdicts = []
    for how in ("invoke", "ainvoke"):
        for turn, replies in TURNS.items():
            seconds = asyncio.run(measure(replies, how=how, rounds=rounds))
            cells = [f"{value * 1e3:.2f} ms ({value / seconds['plain']:.2f}x)" for value in seconds.values()]
            say(f"| {turn}, {how} | " + " | ".join(cells) + " |\n")
            verdicts += [f"{turn}, {how}: {verdict}" for verdict in targets(turn, seconds)]
    say("\n" + "\n".join(verdicts) + "\n")


if __name__ == "__main__":
    main()
