"""Public: what an inbox of one's own needs, to read any pause as requests and to answer in the words it expects."""

from __future__ import annotations

from handraise.core.actors import Actor
from handraise.core.decisions import Approve, Decision, DecisionKind, Edit, Reject, Respond
from handraise.core.requests import Option, Request
from handraise.dialects.dialect import PauseContext, RawInterrupt
from handraise.dialects.registry import offered, read_requests, write_resume
from handraise.graphs.breakpoints import StateUpdate, stopped_before_tools, update_for

__all__ = [
    "Actor",
    "Approve",
    "Decision",
    "DecisionKind",
    "Edit",
    "Option",
    "PauseContext",
    "RawInterrupt",
    "Reject",
    "Request",
    "Respond",
    "StateUpdate",
    "offered",
    "read_requests",
    "stopped_before_tools",
    "update_for",
    "write_resume",
]
