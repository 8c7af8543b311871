"""Gists: what remains of a fact when its content is forgotten: who did what kind of thing, and nobody's words."""

from __future__ import annotations

from typing import assert_never

from pydantic import JsonValue

from handraise.core.decisions import Edit
from handraise.core.log import desk_facts as house
from handraise.core.log import facts as events
from handraise.core.requests import Request

Gist = dict[str, JsonValue]


def gist_of(fact: events.Fact) -> Gist:
    """Return what remains of a fact. No argument, no text, and no digest that could be guessed from short ones."""
    match fact:
        case events.SessionCreated(session=session):
            return {"agent": session.agent}
        case events.SessionChanged(status=status):
            return {"status": status}
        case events.MessageReceived(message_id=message_id, run_id=run_id):
            return {"message_id": message_id, "run_id": run_id}
        case events.MessageSent(message_id=message_id, purpose=purpose):
            return {"message_id": message_id, "purpose": purpose}
        case events.ToolCalled(tool_call_id=call_id, tool=tool):
            return {"tool": tool, "tool_call_id": call_id}
        case events.ToolFinished(tool_call_id=call_id, tool=tool, status=outcome):
            return {"tool": tool, "tool_call_id": call_id, "status": outcome}
        case events.RequestSettled(request=request, settlement=settlement):
            return {**_of_request(request), "settlement": settlement}
        case (
            events.RequestOpened(request=request)
            | events.RequestClaimed(request=request)
            | events.RequestReleased(request=request)
            | events.RequestDecided(request=request)
            | events.RequestExpired(request=request)
            | events.RequestWithdrawn(request=request)
            | events.RequestReminded(request=request)
            | events.RequestDoubted(request=request)
        ):
            return _of_request(request)
        case events.TicketOpened(ticket=ticket) | events.TicketAnswered(ticket=ticket):
            return {"ticket": ticket.number, "request_id": ticket.request_id, "status": ticket.status}
        case events.SessionTaken() | events.SessionReturned() | events.HandoffMade() | events.RunStopped():
            return fact.model_dump(mode="json", exclude={"name"})
        case events.RunFailed(run_id=run_id, final=final):
            return {"run_id": run_id, "final": final}
        case events.RunFinished(run_id=run_id):
            return {"run_id": run_id}
        case (
            events.EntryDrafted(entry=entry)
            | events.EntryPublished(entry=entry)
            | events.EntryEdited(entry=entry)
            | events.EntryMerged(entry=entry)
            | events.EntryRetired(entry=entry)
        ):
            return {"entry_id": entry.id, "version": entry.version, "request_id": entry.request_id}
        case events.EntryUsed(entry_id=entry_id):
            return {"entry_id": entry_id}
        case house.ContentForgotten(gist=gist):
            return gist
        case (
            house.OperatorAdded()
            | house.OperatorRemoved()
            | house.OperatorAdmitted()
            | house.OperatorDeparted()
            | house.LinkIssued()
            | house.KeyAdded()
            | house.KeyRevoked()
            | house.TrailExported()
            | house.SessionForgotten()
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
        "edited": list(edited_fields(request)),
        "decided_by": str(request.decided_by) if request.decided_by else None,
    }


def edited_fields(request: Request) -> tuple[str, ...]:
    """Return the names of the arguments that an edit changed, added or removed."""
    if not isinstance(request.decision, Edit):
        return ()
    before, after = request.args, request.decision.args
    return tuple(
        name
        for name in sorted(before.keys() | after.keys())
        if (name in before) != (name in after) or before.get(name) != after.get(name)
    )
