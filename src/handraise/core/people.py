"""People and what proves who they are: operators, and the credentials that operators, customers and programs hold."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

OperatorRole = Literal["operator", "lead", "admin"]
Role = Literal["customer", "operator", "lead", "admin", "service"]
Scope = Literal["chat", "inbox", "insights", "people"]
"""What a program's key is for: talking as customers, answering requests, reading figures, managing people."""

CredentialKind = Literal["key", "cookie", "link", "session"]


class Operator(BaseModel):
    """A person who answers requests."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9._@-]{0,62}$")
    name: str = Field(min_length=1, max_length=100)
    role: OperatorRole = "operator"
    created_at: datetime


class Credential(BaseModel):
    """A secret that somebody holds, without the secret. It speaks for an operator, a session, or a program."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: CredentialKind
    name: str = ""
    operator: Operator | None = None
    session_id: str | None = None
    scopes: tuple[Scope, ...] = ()
    created_at: datetime
    expires_at: datetime | None = None
    ended_at: datetime | None = None
