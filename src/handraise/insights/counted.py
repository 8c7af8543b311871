"""Which facts add to the counts, and which do not."""

from __future__ import annotations

from typing import TypeGuard, assert_never

from handraise.core.log import facts, installation
from handraise.core.log.facts import Fact

Counted = (
    facts.RequestOpened
    | facts.RequestClaimed
    | facts.RequestReleased
    | facts.RequestDecided
    | facts.RequestExpired
    | facts.RequestWithdrawn
    | facts.RequestDoubted
    | facts.RequestSettled
    | facts.SessionCreated
    | facts.EntryUsed
)
"""The facts that add to the counts."""


def is_counted(fact: Fact) -> TypeGuard[Counted]:
    """Return whether a fact adds to the counts: of every kind of fact it is said here."""
    match fact:
        case (
            facts.RequestOpened()
            | facts.RequestClaimed()
            | facts.RequestReleased()
            | facts.RequestDecided()
            | facts.RequestExpired()
            | facts.RequestWithdrawn()
            | facts.RequestDoubted()
            | facts.RequestSettled()
            | facts.SessionCreated()
            | facts.EntryUsed()
        ):
            return True
        case (
            facts.SessionChanged()
            | facts.SessionTaken()
            | facts.SessionReturned()
            | facts.HandoffMade()
            | facts.MessageReceived()
            | facts.MessageSent()
            | facts.ToolCalled()
            | facts.ToolFinished()
            | facts.RequestReminded()
            | facts.TicketOpened()
            | facts.TicketAnswered()
            | facts.RunStopped()
            | facts.RunFailed()
            | facts.RunFinished()
            | facts.EntryDrafted()
            | facts.EntryPublished()
            | facts.EntryEdited()
            | facts.EntryMerged()
            | facts.EntryRetired()
            | installation.OperatorAdded()
            | installation.OperatorRemoved()
            | installation.OperatorAdmitted()
            | installation.OperatorDeparted()
            | installation.LinkIssued()
            | installation.KeyAdded()
            | installation.KeyRevoked()
            | installation.TrailExported()
            | installation.SessionForgotten()
            | installation.ContentForgotten()
        ):
            return False
        case _ as never:
            assert_never(never)
