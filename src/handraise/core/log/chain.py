"""The chain: how each event is bound to the one before it in its session, and all sessions to one chain of seals.

Everything here can be recomputed by others: SHA-256 over canonical JSON (RFC 8785). What an event says is hashed by
itself, with a salt of its own, so that it can be forgotten while the chain stays whole; see docs/audit.md.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

START = "0" * 64
"""What stands in for the hash before the first one."""

INSTALLATION = "house"
"""The session that holds what people did outside of sessions; no customer has it, and no list shows it.

It is called `house` in every database, every chain and every export there is, so the name stays.
"""


class Head(NamedTuple):
    """The newest event of a session."""

    session_id: str
    session_seq: int
    hash: str


@dataclass(frozen=True, kw_only=True)
class Link:
    """An event as the chain binds it: `digest` stands for what it says, `gist` remains when that is forgotten."""

    seq: int
    session_id: str
    session_seq: int
    at: int
    name: str
    key: str | None
    actor: Mapping[str, Any]
    gist: Mapping[str, Any]
    digest: str

    def hash(self, previous: str) -> str:
        """Return the hash that binds this event to the one before it."""
        return _hash(
            {
                "type": "handraise.event.1",
                "seq": self.seq,
                "session_id": self.session_id,
                "session_seq": self.session_seq,
                "at": self.at,
                "name": self.name,
                "key": self.key,
                "actor": dict(self.actor),
                "gist": dict(self.gist),
                "digest": self.digest,
                "previous": previous,
            }
        )


@dataclass(frozen=True, kw_only=True)
class Seal:
    """A link of the store's one chain: it covers every event up to `seq`, by the heads of the sessions that moved."""

    number: int
    at: int
    seq: int
    heads: tuple[Head, ...]
    hash: str = ""

    @property
    def is_sound(self) -> bool:
        """Return whether its numbers are numbers: SQLite keeps whatever somebody writes into a column."""
        return all(isinstance(number, int) for number in (self.number, self.at, self.seq))

    def seal(self, previous: str) -> str:
        """Return the hash that binds this seal to the one before it."""
        return _hash(
            {
                "type": "handraise.seal.1",
                "number": self.number,
                "at": self.at,
                "seq": self.seq,
                "heads": [list(head) for head in self.heads],
                "previous": previous,
            }
        )


def heads_of(links: Sequence[Head]) -> tuple[Head, ...]:
    """Return the last of each session, in the order of session ids."""
    return tuple(head for _, head in sorted({head.session_id: head for head in links}.items()))


def new_salt() -> str:
    """Return a salt that keeps short content from being guessed by its digest."""
    return secrets.token_hex(16)


def content_digest(salt: str, content: str) -> str:
    """Return the digest that stands for what an event says: over the salt and the stored text, as they are."""
    return hashlib.sha256(f"{salt}{content}".encode()).hexdigest()


def canonical_text(value: dict[str, Any]) -> str:
    """Return the canonical JSON (RFC 8785) of an object whose keys are ASCII and that has no fractions.

    For such objects the standard library writes the same, ten times as fast: every event pays for it under a lock.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)


def _hash(value: dict[str, Any]) -> str:
    return hashlib.sha256(canonical_text(value).encode()).hexdigest()
