"""Identities: who is asking, as far as it is proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from handraise.core.actors import Actor
from handraise.core.people import Credential, Role, Scope

Asker = Literal["nobody"] | Role


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who is asking. `client` is whom limits are counted for; `by_cookie` means that a browser sent it by itself."""

    role: Asker
    id: str = ""
    name: str = ""
    session_id: str | None = None
    scopes: tuple[Scope, ...] = ()
    client: str = ""
    by_cookie: bool = False

    @property
    def is_person(self) -> bool:
        """Return whether this is somebody who answers requests."""
        return self.role in {"operator", "lead", "admin"}

    @property
    def leads(self) -> bool:
        """Return whether this is somebody who may step in for other operators."""
        return self.role in {"lead", "admin"}

    def actor(self, *, channel: str = "") -> Actor:
        """Return the identity as the actor of an event."""
        via = channel or ("console" if self.by_cookie else "api")
        match self.role:
            case "nobody" | "customer":
                return Actor(kind="customer", id=self.id, channel=channel or "chat")
            case "service":
                return Actor(kind="service", id=self.id, channel=via)
            case "operator" | "lead" | "admin":
                return Actor(kind="operator", id=self.id, channel=via)


def nobody(address: str) -> Identity:
    """Return the identity of somebody who proves nothing."""
    return Identity(role="nobody", client=f"address {address}")


def holder_of(credential: Credential, *, by_cookie: bool) -> Identity:
    """Return who holds a credential."""
    if credential.operator is not None:
        operator = credential.operator
        return Identity(
            role=operator.role,
            id=operator.id,
            name=operator.name,
            client=f"operator {operator.id}",
            by_cookie=by_cookie,
        )
    if credential.session_id is not None:
        session = credential.session_id
        return Identity(role="customer", session_id=session, client=f"session {session}", by_cookie=by_cookie)
    return Identity(
        role="service",
        id=credential.id,
        name=credential.name,
        scopes=credential.scopes,
        client=f"key {credential.id}",
        by_cookie=by_cookie,
    )
