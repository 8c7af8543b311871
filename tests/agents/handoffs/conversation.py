"""A process that holds part of a conversation: `handoff_conversation.py DATABASE TURN [TURN ...]`.

It approves what an earlier process left waiting, then lets the customer say each turn, and prints one JSON line for
each time the agents stop: who is active, what was said, and what waits for a person.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from handraise import HandoffAgentMiddleware

EXAMPLE = Path(__file__).parents[3] / "examples" / "handoffs.py"
SESSION: Any = {"configurable": {"thread_id": "ten-turns"}}


def main(database: str, *turns: str) -> None:
    example = runpy.run_path(str(EXAMPLE))
    with SqliteSaver.from_conn_string(database) as saver:
        agent = create_agent(
            example["default_model"],
            middleware=[HandoffAgentMiddleware(example["agent_config"])],
            checkpointer=saver,
        )
        waiting = agent.get_state(SESSION).interrupts
        if waiting:
            report(agent.invoke(Command(resume={waiting[0].id: {"type": "approve"}}), SESSION))
        for turn in turns:
            report(agent.invoke({"messages": [HumanMessage(turn)]}, SESSION))


def report(state: dict[str, Any]) -> None:
    waits_for = [interrupt.value["name"] for interrupt in state.get("__interrupt__", ())]
    last = state["messages"][-1].text
    sys.stdout.write(json.dumps({"agent": state["active_agent"], "said": last, "waits_for": waits_for}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
