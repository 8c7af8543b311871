"""Facts about the installation: what people did outside of sessions, and what was forgotten of a session on purpose."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from handraise.core.people import OperatorRole, Scope


class _InstallationFact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OperatorAdded(_InstallationFact):
    name: Literal["operator.added"] = "operator.added"
    operator_id: str
    role: OperatorRole


class OperatorRemoved(_InstallationFact):
    """An operator may no longer sign in; what they decided stays theirs."""

    name: Literal["operator.removed"] = "operator.removed"
    operator_id: str


class OperatorAdmitted(_InstallationFact):
    name: Literal["operator.admitted"] = "operator.admitted"
    operator_id: str


class OperatorDeparted(_InstallationFact):
    name: Literal["operator.departed"] = "operator.departed"
    operator_id: str


class LinkIssued(_InstallationFact):
    """Somebody got a one-time link to sign in as an operator."""

    name: Literal["link.issued"] = "link.issued"
    operator_id: str


class KeyAdded(_InstallationFact):
    name: Literal["key.added"] = "key.added"
    key_id: str
    title: str
    operator_id: str | None = None
    scopes: tuple[Scope, ...] = ()


class KeyRevoked(_InstallationFact):
    name: Literal["key.revoked"] = "key.revoked"
    key_id: str


class TrailExported(_InstallationFact):
    """Somebody took a copy of the audit trail, or of the part that the filters name."""

    name: Literal["trail.exported"] = "trail.exported"
    filters: dict[str, JsonValue] = {}


class SessionForgotten(_InstallationFact):
    """What was said in a session was removed for good; who did what, and when, remains."""

    name: Literal["session.forgotten"] = "session.forgotten"
    reason: Literal["request", "retention"]
    up_to: int
    """The newest event whose content was removed, by its number in the session."""


class ContentForgotten(_InstallationFact):
    """What stands in for a fact whose content was removed. It is never stored: `was` names the fact that it was."""

    name: Literal["content.forgotten"] = "content.forgotten"
    was: str
    gist: dict[str, JsonValue]


InstallationFact = (
    OperatorAdded
    | OperatorRemoved
    | OperatorAdmitted
    | OperatorDeparted
    | LinkIssued
    | KeyAdded
    | KeyRevoked
    | TrailExported
    | SessionForgotten
    | ContentForgotten
)

ENDS_ACCESS = (OperatorDeparted, OperatorRemoved, KeyRevoked)
"""The facts after which somebody who was let in may no longer be."""
