"""The dialects, in the order in which an interrupt is offered to them."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from handraise.core.decisions import DecisionKind
from handraise.core.digests import canonical
from handraise.core.errors import NotCanonical, NotFound
from handraise.core.requests import Request
from handraise.dialects.agent_inbox import AgentInbox, AgentInboxList
from handraise.dialects.breakpoint import Breakpoint
from handraise.dialects.chat_agent import ChatAgent
from handraise.dialects.dialect import Dialect, PauseContext, RawInterrupt
from handraise.dialects.free_form import FreeForm
from handraise.dialects.human_request import HumanRequests
from handraise.dialects.langchain import LangChainBatched, LangChainPerCall
from handraise.dialects.settlement import Settling

_FREE_FORM = FreeForm()

DIALECTS: tuple[Dialect, ...] = (
    LangChainBatched(),
    LangChainPerCall(),
    AgentInbox(),
    AgentInboxList(),
    HumanRequests(),
    Breakpoint(),
    ChatAgent(),
    Settling(),
    _FREE_FORM,
)


def read_requests(interrupt: RawInterrupt, /, *, asked: PauseContext) -> list[Request]:
    """Read an interrupt in the first dialect that understands it; what is malformed is read as free form."""
    dialect = next(dialect for dialect in DIALECTS if dialect.understands(interrupt.value))
    try:
        requests = dialect.read_requests(interrupt, asked=asked)
        for request in requests:
            canonical([request.tool, request.tool_call_id, request.description, request.agent, request.args_schema])
            canonical([request.question, request.context, [option.model_dump() for option in request.options]])
    except NotCanonical:
        # The shape is right, but something in it can be neither bound by a digest nor stored.
        return _FREE_FORM.read_requests(interrupt, asked=asked)
    # A request that offers nothing could never be closed by a person; as free form it takes the raw answer.
    return requests if all(map(offered, requests)) else _FREE_FORM.read_requests(interrupt, asked=asked)


def write_resume(requests: Sequence[Request], /) -> JsonValue:
    """Write the resume value of one interrupt, in the dialect that its requests were read in."""
    return dialect_named(requests[0].dialect).write_resume(requests)


def offered(request: Request, /) -> tuple[DecisionKind, ...]:
    """Return the decisions that the request allows and its dialect can express, in the request's order."""
    speaks = dialect_named(request.dialect).speaks
    return tuple(kind for kind in request.allowed if kind in speaks)


def dialect_named(name: str) -> Dialect:
    """Return the dialect of that name."""
    for dialect in DIALECTS:
        if dialect.name == name:
            return dialect
    raise NotFound("dialect", name)
