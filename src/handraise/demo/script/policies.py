"""Who does what about an intent. What belongs to another agent is handed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage

from handraise.demo.reading.intents import DESK_OF, Desk, Intent
from handraise.demo.script import membership, orders, reception, refunds
from handraise.demo.script.speaking import call
from handraise.demo.script.turns import HANDOFF, CustomerTurn, read_turn
from handraise.testing import Script

OWN: Mapping[Desk, Mapping[Intent, Callable[[CustomerTurn], AIMessage]]] = {
    "reception": {},
    "orders": orders.POLICY,
    "refunds": refunds.POLICY,
    "membership": membership.POLICY,
}


def script_of(desk: Desk) -> Script:
    """Return what the agent at a desk says next, as a function of the conversation alone."""

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        turn = read_turn(messages)
        intent = turn.wish.intent
        if act := OWN[desk].get(intent) or reception.POLICY.get(intent):
            return act(turn)
        return call((f"{HANDOFF}{DESK_OF[intent]}_agent", {}))

    return script
