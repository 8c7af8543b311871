"""The state that handoffs add to an agent: which agent is active."""

# Annotations are evaluated here, not postponed: one of them holds an object made for each middleware.
from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, Self

from langchain.agents.middleware import AgentState
from langgraph.channels import LastValue

from handraise.agents.handoffs.roster import Roster


class ActiveAgent(LastValue[str]):
    """The channel of `active_agent`. Two writes in one step do not crash: the later call of the turn wins.

    It also carries the roster, so that a compiled graph can be asked who hands to whom.
    """

    __slots__ = ("roster",)

    def __init__(self, typ: Any, key: str = "", *, roster: Roster | None = None) -> None:
        super().__init__(typ, key)
        self.roster = roster

    def copy(self) -> Self:
        copied = super().copy()
        copied.roster = self.roster
        return copied

    def update(self, values: Sequence[str]) -> bool:
        return super().update(values[-1:])


def state_schema_of(roster: Roster) -> type[AgentState[Any]]:
    """Return the state of a conversation among the agents of `roster`."""
    channel = ActiveAgent(str, roster=roster)

    class HandoffState(AgentState[Any]):
        active_agent: NotRequired[Annotated[str, channel]]

    return HandoffState
