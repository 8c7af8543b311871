"""What happens behind the customer's back, and stays there: every stream that a customer can read asks here."""

from __future__ import annotations

from handraise.core.log.facts import ABOUT_A_REQUEST, ABOUT_A_TICKET, ABOUT_AN_ENTRY, Event, ToolCalled, ToolFinished
from handraise.core.log.installation import ContentForgotten

BACKSTAGE = frozenset({"ask_human_agent", "ask_human"})
"""Tools by which an agent asks an operator, under the names they have by themselves: also a foreign agent's."""


def is_for_the_customer(event: Event) -> bool:
    """Return whether the customer may see an event: never an operator's request, nor what is left of one."""
    fact = event.fact
    if isinstance(fact, ABOUT_A_REQUEST):
        return fact.request.audience == "customer"
    if isinstance(fact, ToolCalled | ToolFinished):
        return not fact.backstage and fact.tool not in BACKSTAGE
    # Of what was forgotten it is no longer known whom it was for.
    return not isinstance(fact, (*ABOUT_A_TICKET, *ABOUT_AN_ENTRY, ContentForgotten))
