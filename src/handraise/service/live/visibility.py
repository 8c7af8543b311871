"""What a customer may see of a session: each fact as it is, trimmed, or not at all. Every stream they read asks here.

Closed by default: a fact that is not named here cannot be type-checked, and is not shown.
"""

from __future__ import annotations

from typing import assert_never

from handraise.core.log import facts, installation
from handraise.core.log.facts import Event, Fact

BACKSTAGE = frozenset({"ask_human_agent", "ask_human"})
"""Tools by which an agent asks an operator, under the names they have by themselves: also a foreign agent's."""


def seen_by_customer(event: Event) -> Event | None:
    """Return an event as its customer may see it, or None when it is not for them."""
    shown = for_customer(event.fact)
    return None if shown is None else event.model_copy(update={"fact": shown})


def for_customer(fact: Fact) -> Fact | None:
    """Return a fact as a customer may see it, or None: never an operator's request, nor what is left of one."""
    match fact:
        case (
            facts.SessionCreated()
            | facts.SessionTaken()
            | facts.SessionReturned()
            | facts.HandoffMade()
            | facts.MessageReceived()
            | facts.MessageSent()
            | facts.RunStopped()
            | facts.RunFinished()
            | installation.SessionForgotten()
        ):
            return fact
        case facts.RunFailed():
            # What went wrong inside is for those who run the service; the customer is told that something did.
            return fact.model_copy(update={"error": ""})
        case facts.SessionChanged():
            return fact.model_copy(update={"reason": ""})
        case facts.ToolCalled(tool=tool, backstage=backstage) | facts.ToolFinished(tool=tool, backstage=backstage):
            return None if backstage or tool in BACKSTAGE else fact
        case (
            facts.RequestOpened(request=request)
            | facts.RequestClaimed(request=request)
            | facts.RequestReleased(request=request)
            | facts.RequestDecided(request=request)
            | facts.RequestExpired(request=request)
            | facts.RequestWithdrawn(request=request)
            | facts.RequestReminded(request=request)
            | facts.RequestDoubted(request=request)
            | facts.RequestSettled(request=request)
        ):
            return fact if request.audience == "customer" else None
        case (
            facts.TicketOpened()
            | facts.TicketAnswered()
            | facts.EntryDrafted()
            | facts.EntryPublished()
            | facts.EntryEdited()
            | facts.EntryMerged()
            | facts.EntryRetired()
            | facts.EntryUsed()
            | installation.OperatorAdded()
            | installation.OperatorRemoved()
            | installation.OperatorAdmitted()
            | installation.OperatorDeparted()
            | installation.LinkIssued()
            | installation.KeyAdded()
            | installation.KeyRevoked()
            | installation.TrailExported()
            # Of what was forgotten it is no longer known whom it was for.
            | installation.ContentForgotten()
        ):
            return None
        case _ as never:
            assert_never(never)
