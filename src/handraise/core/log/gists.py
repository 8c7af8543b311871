"""Gists: what remains of a fact when its content is forgotten: who did what kind of thing, and nobody's words."""

from __future__ import annotations

from typing import assert_never

from pydantic import JsonValue

from handraise.core.log import facts, installation
from handraise.core.requests import Request

Gist = dict[str, JsonValue]


def gist_of(fact: facts.Fact) -> Gist:
    """Return what remains of a fact. No argument, no text, and no digest that could be guessed from short ones."""
    match fact:
        case facts.SessionCreated(session=session):
            return {"agent": session.agent}
        case facts.SessionChanged(status=status):
            return {"status": status}
        case facts.MessageReceived(message_id=message_id, run_id=run_id):
            return {"message_id": message_id, "run_id": run_id}
        case facts.MessageSent(message_id=message_id, purpose=purpose):
            return {"message_id": message_id, "purpose": purpose}
        case facts.ToolCalled(tool_call_id=call_id, tool=tool):
            return {"tool": tool, "tool_call_id": call_id}
        case facts.ToolFinished(tool_call_id=call_id, tool=tool, status=outcome):
            return {"tool": tool, "tool_call_id": call_id, "status": outcome}
        case facts.RequestSettled(request=request, settlement=settlement):
            return {**_of_request(request), "settlement": settlement}
        case (
            facts.RequestOpened(request=request)
            | facts.RequestClaimed(request=request)
            | facts.RequestReleased(request=request)
            | facts.RequestDecided(request=request)
            | facts.RequestExpired(request=request)
            | facts.RequestWithdrawn(request=request)
            | facts.RequestReminded(request=request)
            | facts.RequestDoubted(request=request)
        ):
            return _of_request(request)
        case facts.TicketOpened(ticket=ticket) | facts.TicketAnswered(ticket=ticket):
            return {"ticket": ticket.number, "request_id": ticket.request_id, "status": ticket.status}
        case facts.SessionTaken() | facts.SessionReturned() | facts.HandoffMade() | facts.RunStopped():
            return fact.model_dump(mode="json", exclude={"name"})
        case facts.RunFailed(run_id=run_id, final=final):
            return {"run_id": run_id, "final": final}
        case facts.RunFinished(run_id=run_id):
            return {"run_id": run_id}
        case (
            facts.EntryDrafted(entry=entry)
            | facts.EntryPublished(entry=entry)
            | facts.EntryEdited(entry=entry)
            | facts.EntryMerged(entry=entry)
            | facts.EntryRetired(entry=entry)
        ):
            return {"entry_id": entry.id, "version": entry.version, "request_id": entry.request_id}
        case facts.EntryUsed(entry_id=entry_id):
            return {"entry_id": entry_id}
        case installation.ContentForgotten(gist=gist):
            return gist
        case (
            installation.OperatorAdded()
            | installation.OperatorRemoved()
            | installation.OperatorAdmitted()
            | installation.OperatorDeparted()
            | installation.LinkIssued()
            | installation.KeyAdded()
            | installation.KeyRevoked()
            | installation.TrailExported()
            | installation.SessionForgotten()
        ):
            return fact.model_dump(mode="json", exclude={"name"})
        case _ as never:
            assert_never(never)


def _of_request(request: Request) -> Gist:
    return {
        "request_id": request.id,
        "kind": request.kind,
        "audience": request.audience,
        "tool": request.tool,
        "status": request.status,
        "ruling": request.ruling.verdict if request.ruling else None,
        "rule": request.ruling.rule if request.ruling else None,
        "decision": request.decision.type if request.decision else None,
        "edited": list(request.edited_fields),
        "decided_by": str(request.decided_by) if request.decided_by else None,
    }
