"""Which calls of an agent do not run, and what its model is told instead."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage

from handraise.agents.gate.call_review import NO_ID, SHARED_ID
from handraise.agents.gate.history import last_turn
from handraise.agents.handoffs.roster import Roster, RosterAgent

NOT_ITS_TOOL = "Not executed: {tool} is not a tool of {agent}, which has {own}."
NOT_THE_FIRST = "Not transferred to {receiver}: one turn hands over once, and {first} was called first."
NO_BUDGET_LEFT = (
    "Not transferred to {receiver}: the {budget} handoffs allowed for one customer message are used up. "
    "Answer with what you have, or say what is missing."
)


@dataclass(frozen=True, kw_only=True)
class Refusals:
    """An agent runs only its own tools, hands over once in a turn, and not endlessly."""

    roster: Roster
    budget: int | None

    def of(self, call: ToolCall, *, by: RosterAgent, messages: Sequence[BaseMessage]) -> ToolMessage | None:
        """Return the answer to a call that may not run, or None. `messages` end with the turn that made it."""
        name = call["name"]
        if name not in by.runnable:
            own = ", ".join(sorted(by.runnable)) or "no tools"
            return _refused(call, NOT_ITS_TOOL.format(tool=name, agent=by.name, own=own))
        receiver = self.roster.receivers.get(name)
        if receiver is None:
            return None
        if why := _no_id_of_its_own(call, messages):
            return _refused(call, why)
        first = _first_handoff_beside(call, messages, by.runnable & self.roster.receivers.keys())
        if first["id"] != call["id"]:
            return _refused(call, NOT_THE_FIRST.format(receiver=receiver, first=first["name"]))
        if self.budget is not None and _handoffs_made(messages, self.roster.receivers) >= self.budget:
            return _refused(call, NO_BUDGET_LEFT.format(receiver=receiver, budget=self.budget))
        return None

    def among(
        self, said: Sequence[BaseMessage], *, by: RosterAgent, before: Sequence[BaseMessage]
    ) -> list[ToolMessage]:
        """Return the answers to every call in `said` that may not run. One without an id is answered where it runs."""
        answered = {message.tool_call_id for message in said if isinstance(message, ToolMessage)}
        calls = [call for message in said if isinstance(message, AIMessage) for call in message.tool_calls]
        waiting = [call for call in calls if call["id"] and call["id"] not in answered]
        refused = (self.of(call, by=by, messages=[*before, *said]) for call in waiting)
        return [answer for answer in refused if answer is not None]


def _no_id_of_its_own(call: ToolCall, messages: Sequence[BaseMessage]) -> str | None:
    """Say why a handoff cannot be told from the other calls of its turn, or return None."""
    if not call["id"]:
        return NO_ID.format(name=call["name"])
    turn = last_turn(messages)
    shared = turn is not None and call["id"] in turn.ids_used_twice()
    return SHARED_ID.format(name=call["name"], id=call["id"]) if shared else None


def _first_handoff_beside(call: ToolCall, messages: Sequence[BaseMessage], names: Collection[str]) -> ToolCall:
    """Return the handoff that counts in the turn that made `call`: the first that has no answer yet."""
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if isinstance(message, AIMessage) and any(other["id"] == call["id"] for other in message.tool_calls):
            answered = {later.tool_call_id for later in messages[position:] if isinstance(later, ToolMessage)}
            handoffs = (other for other in message.tool_calls if other["name"] in names and other["id"] not in answered)
            return next(handoffs, call)
    return call


def _handoffs_made(messages: Sequence[BaseMessage], names: Collection[str]) -> int:
    """Count the handoffs since the customer spoke. Refused and rejected ones end in an error and do not count."""
    count = 0
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        if isinstance(message, ToolMessage) and message.name in names and message.status != "error":
            count += 1
    return count


def _refused(call: ToolCall, why: str) -> ToolMessage:
    return ToolMessage(why, name=call["name"], tool_call_id=call["id"] or "", status="error")
