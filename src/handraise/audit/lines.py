"""The lines of an exported trail, as JSON: first what it is, then events with the seals over them, last the head."""

from __future__ import annotations

from json import loads
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from handraise.core.log.chain import Head, Seal
from handraise.store.connection import to_json
from handraise.store.tables.trail import Stored


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TitleLine(_Line):
    """What this file is. Without filters it is the whole trail up to its head."""

    type: Literal["trail"] = "trail"
    version: Literal[1] = 1
    at: str
    filters: dict[str, JsonValue] = {}


class EventLine(_Line):
    """One event. `content` is what it says, as the stored text; null when that was forgotten."""

    type: Literal["event"] = "event"
    seq: int
    session_id: str
    session_seq: int
    at: int
    name: str
    key: str | None
    actor: dict[str, JsonValue]
    gist: dict[str, JsonValue]
    content: str | None
    salt: str
    digest: str
    previous: str
    hash: str

    def row(self) -> Stored:
        """Return the event as the database had it."""
        values = self.model_dump(exclude={"type", "content", "previous"})
        return Stored(
            **values | {"actor": to_json(self.actor), "gist": to_json(self.gist), "fact": self.content or ""},
        )


class SealLine(_Line):
    """A seal over the events above it."""

    type: Literal["seal"] = "seal"
    number: int
    at: int
    seq: int
    heads: list[tuple[str, int, str]]
    hash: str

    def seal(self) -> Seal:
        """Return the seal."""
        heads = tuple(Head(*head) for head in self.heads)
        return Seal(number=self.number, at=self.at, seq=self.seq, heads=heads, hash=self.hash)


class HeadLine(_Line):
    """The end: the newest seal of the store, and a digest of every line above, so that none can be left out."""

    type: Literal["head"] = "head"
    events: int
    seal: int
    seq: int
    hash: str
    lines: str


TrailLine = Annotated[TitleLine | EventLine | SealLine | HeadLine, Field(discriminator="type")]
line_adapter: TypeAdapter[TitleLine | EventLine | SealLine | HeadLine] = TypeAdapter(TrailLine)


def event_line(row: Stored, previous: str) -> dict[str, Any]:
    """Return the line of an event."""
    values = row._asdict()
    fact = values.pop("fact")
    return {
        "type": "event",
        **values,
        "actor": loads(row.actor),
        "gist": loads(row.gist),
        "content": fact or None,
        "previous": previous,
    }


def seal_line(seal: Seal) -> dict[str, Any]:
    """Return the line of a seal."""
    return {"type": "seal", **vars(seal), "heads": [list(head) for head in seal.heads]}
