"""Who may hand to whom, as a Mermaid diagram."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handraise.agents.handoffs.roster import Roster, RosterAgent
from handraise.agents.handoffs.state import ActiveAgent
from handraise.core.errors import Misconfigured


def mermaid_of(agent: Any) -> str:
    """Return the agents of a compiled graph and their handoffs as Mermaid text. A hand marks a tool that asks."""
    return mermaid_of_roster(roster_of(agent))


def roster_of(agent: Any) -> Roster:
    """Return the roster of a compiled graph or of a graph inside it: the channel of `active_agent` carries it."""
    for graph in _graphs(agent):
        channel = graph.channels.get("active_agent")
        if isinstance(channel, ActiveAgent) and channel.roster is not None:
            return channel.roster
    raise Misconfigured(
        f"{type(agent).__name__} is not an agent with a HandoffAgentMiddleware.",
        fix="Name what create_agent(..., middleware=[HandoffAgentMiddleware(...)]) returned.",
    )


def mermaid_of_roster(roster: Roster) -> str:
    """Return a roster as Mermaid text, in the order in which the agents were written."""
    ids = {name: f"a{number}" for number, name in enumerate(roster.agents)}
    boxes = [f'    {ids[agent.name]}["{_label(agent)}"]' for agent in roster.agents.values()]
    arrows = [f"    {ids[one]} {arrow} {ids[other]}" for one, arrow, other in _arrows(roster)]
    start = f'    customer(["customer"]) --> {ids[roster.default.name]}'
    return "\n".join(["flowchart LR", *boxes, start, *arrows])


def _arrows(roster: Roster) -> Iterator[tuple[str, str, str]]:
    """Yield who hands to whom; two agents that hand to each other share one arrow."""
    drawn: set[tuple[str, str]] = set()
    for agent in roster.agents.values():
        for receiver in agent.handoff_tools:
            if (receiver, agent.name) in drawn:
                continue
            drawn.add((agent.name, receiver))
            mutual = agent.name in roster.agents[receiver].handoff_tools
            yield agent.name, "<-->" if mutual else "-->", receiver


def _graphs(agent: Any) -> Iterator[Any]:
    if hasattr(agent, "channels"):
        yield agent
    if hasattr(agent, "get_subgraphs"):
        yield from (graph for _, graph in agent.get_subgraphs(recurse=True))


def _label(agent: RosterAgent) -> str:
    tools = [f"✋ {name}" if agent.gate.asks_about(name) else name for name in agent.tools]
    return "<br/>".join(_escaped(line) for line in [agent.name, *tools])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
