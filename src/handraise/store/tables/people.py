"""Operators and credentials in the database. A secret is kept only as its hash: what is stolen opens nothing."""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from datetime import timedelta
from typing import Any

from handraise.core.errors import NotFound
from handraise.core.people import Credential, CredentialKind, Operator, OperatorRole, Scope
from handraise.store.connection import Connection, Row, from_us, to_json

PREFIXES: dict[CredentialKind, str] = {"key": "hrk_", "cookie": "hrc_", "link": "hrl_", "session": "hrs_"}
"""How each kind of secret begins, so that a leaked one is recognised for what it is."""

_SELECT = (
    "SELECT c.id, c.kind, c.name, c.session_id, c.scopes, c.created_at, c.expires_at, c.ended_at, "
    "o.id, o.name, o.role, o.created_at FROM credentials c LEFT JOIN operators o ON o.id = c.operator_id"
)
_VALID = "c.ended_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now_us()) AND o.removed_at IS NULL"


class People:
    """Who may act here, and how they prove it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def add_operator(self, operator_id: str, *, name: str, role: OperatorRole) -> bool:
        """Store an operator unless there is one of that id. Return whether it is new; a removed one comes back."""
        changed = await self._connection.run(
            "INSERT INTO operators (id, name, role, created_at) VALUES (:id, :name, :role, now_us()) "
            "ON CONFLICT (id) DO UPDATE SET name = :name, role = :role, removed_at = NULL "
            "WHERE operators.removed_at IS NOT NULL",
            {"id": operator_id, "name": name, "role": role},
        )
        return changed == 1

    async def operator(self, operator_id: str) -> Operator:
        """Return an operator, or raise NotFound."""
        for operator in await self.operators():
            if operator.id == operator_id:
                return operator
        raise NotFound("operator", operator_id)

    async def operators(self) -> list[Operator]:
        """Return every operator, by id."""
        rows = await self._connection.all(
            "SELECT id, name, role, created_at FROM operators WHERE removed_at IS NULL ORDER BY id"
        )
        return [_operator(row) for row in rows]

    async def remove_operator(self, operator_id: str) -> bool:
        """Remove an operator and end all that speaks for them. What they decided stays theirs."""
        changed = await self._connection.run(
            "UPDATE operators SET removed_at = now_us() WHERE id = :id AND removed_at IS NULL", {"id": operator_id}
        )
        await self._connection.run(
            "UPDATE credentials SET ended_at = now_us() WHERE operator_id = :id AND ended_at IS NULL",
            {"id": operator_id},
        )
        return changed == 1

    async def anyone(self) -> bool:
        """Return whether there is an operator or a key, so that somebody can prove who they are."""
        row = await self._connection.one(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM operators WHERE removed_at IS NULL) "
            "OR EXISTS (SELECT 1 FROM credentials WHERE kind = 'key' AND ended_at IS NULL)"
        )
        return row is not None

    async def issue(
        self,
        kind: CredentialKind,
        *,
        name: str = "",
        operator_id: str | None = None,
        session_id: str | None = None,
        scopes: tuple[Scope, ...] = (),
        lifetime: timedelta | None = None,
        secret: str,
    ) -> str:
        """Store a credential and return its id. `secret` comes from `new_secret`, outside the transaction."""
        credential_id = f"{kind}_{uuid.uuid4().hex[:12]}"
        await self._connection.run(
            "INSERT INTO credentials (id, hash, kind, name, operator_id, session_id, scopes, created_at, expires_at) "
            "VALUES (:id, :hash, :kind, :name, :operator_id, :session_id, :scopes, now_us(), "
            f"{'NULL' if lifetime is None else 'now_us() + :lifetime'})",
            {
                "id": credential_id,
                "hash": hash_of(secret),
                "kind": kind,
                "name": name,
                "operator_id": operator_id,
                "session_id": session_id,
                "scopes": to_json(scopes),
                **({} if lifetime is None else {"lifetime": lifetime // timedelta(microseconds=1)}),
            },
        )
        return credential_id

    async def find(self, secret: str) -> Credential | None:
        """Return what a secret stands for, or None when it is unknown, over, revoked, or its operator is gone."""
        row = await self._connection.one(f"{_SELECT} WHERE c.hash = :hash AND {_VALID}", {"hash": hash_of(secret)})
        return None if row is None else _credential(row)

    async def use_link(self, secret: str) -> Credential | None:
        """Return what a one-time link stands for and end it, so that only the first caller gets in."""
        found = await self.find(secret)
        if found is None or found.kind != "link" or not await self.end(found.id):
            return None
        return found

    async def end(self, credential_id: str) -> bool:
        """End a credential at once. Return False when it was over already."""
        changed = await self._connection.run(
            "UPDATE credentials SET ended_at = now_us() WHERE id = :id AND ended_at IS NULL", {"id": credential_id}
        )
        return changed == 1

    async def keys(self) -> list[Credential]:
        """Return every API key, the oldest first, also those that are over."""
        rows = await self._connection.all(f"{_SELECT} WHERE c.kind = 'key' ORDER BY c.created_at, c.id")
        return [_credential(row) for row in rows]

    async def forget_old(self, *, older_than: timedelta) -> int:
        """Delete cookies, links and session tokens that ran out long ago. Return how many."""
        return await self._connection.run(
            "DELETE FROM credentials WHERE kind <> 'key' AND expires_at IS NOT NULL AND expires_at < now_us() - :age",
            {"age": older_than // timedelta(microseconds=1)},
        )


def new_secret(kind: CredentialKind) -> str:
    """Return a new secret with 256 bits of chance."""
    return PREFIXES[kind] + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Return what the database keeps of a secret. One round is enough: nobody can guess 256 bits."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _operator(row: Row) -> Operator:
    values: dict[str, Any] = dict(zip(("id", "name", "role", "created_at"), row, strict=True))
    return Operator.model_validate(values | {"created_at": from_us(values["created_at"])})


def _credential(row: Row) -> Credential:
    names = ("id", "kind", "name", "session_id", "scopes", "created_at", "expires_at", "ended_at")
    values: dict[str, Any] = dict(zip(names, row[:8], strict=True))
    values["scopes"] = json.loads(values["scopes"])
    for name in ("created_at", "expires_at", "ended_at"):
        values[name] = from_us(values[name])
    return Credential.model_validate(values | {"operator": None if row[8] is None else _operator(row[8:])})
