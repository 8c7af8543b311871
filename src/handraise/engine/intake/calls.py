"""Which tool call a request is about, where the pause itself does not say: LangChain's own middleware names no ids."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from langchain_core.messages import AIMessage, BaseMessage

from handraise.core.digests import digest
from handraise.core.errors import NotCanonical
from handraise.core.requests import Request


def with_call_ids(requests: Sequence[Request], messages: Sequence[BaseMessage]) -> list[Request]:
    """Return the requests with the ids of the model's last calls that have the same tool and arguments, in order."""
    last = next((message for message in reversed(messages) if isinstance(message, AIMessage)), None)
    if last is None:
        return list(requests)
    known = {request.tool_call_id for request in requests}
    calls = [(call["id"], _digest(call["name"], call["args"])) for call in last.tool_calls if call["id"] not in known]
    named = []
    for request in requests:
        found = next((call for call in calls if call[1] == request.digest), None)
        if not request.is_review or request.tool_call_id or found is None:
            named.append(request)
            continue
        calls.remove(found)
        named.append(request.model_copy(update={"tool_call_id": found[0] or ""}))
    return _as_called(named, [call["id"] for call in last.tool_calls])


def _as_called(requests: list[Request], call_ids: list[str | None]) -> list[Request]:
    """Return requests in the order of their calls, a microsecond apart: every list then shows them in that order."""
    order = {call_id: number for number, call_id in enumerate(call_ids)}
    requests.sort(key=lambda request: order.get(request.tool_call_id, len(order)))
    return [
        request.model_copy(update={"created_at": request.created_at + timedelta(microseconds=number)})
        for number, request in enumerate(requests)
    ]


def _digest(tool: str, args: dict[str, object]) -> str:
    try:
        return digest(tool, args)
    except NotCanonical:
        return ""
