"""Knowledge: questions with an answer, and every rule about keeping them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self, TypedDict, Unpack

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from handraise.core.actors import Actor
from handraise.core.digests import canonical
from handraise.core.errors import InvalidInput
from handraise.core.states import EntryMove, EntryStatus, next_entry_status
from handraise.core.text.tokens import plain

MAX_QUESTION = 2_000
MAX_ANSWER = 50_000
"""The longest question and answer, in characters: an entry is a passage that a model reads, not a manual."""

MAX_WORDINGS = 50
"""How many wordings an entry keeps; of more that are merged into it, the first ones."""


class Changes(TypedDict, total=False):
    """What an edit may change; what is left out stays."""

    question: str
    answer: str
    wordings: tuple[str, ...]
    tags: tuple[str, ...]
    language: str
    source: str
    valid_until: datetime | None


class Entry(BaseModel):
    """One question and its answer. Frozen: each move returns the entry as it is after it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[\w.-]{1,64}$")
    question: str
    wordings: tuple[str, ...] = Field((), description="Other ways in which the same question was asked.")
    answer: str
    tags: tuple[str, ...] = ()
    language: str = ""
    source: str = ""
    status: EntryStatus = "draft"
    valid_until: AwareDatetime | None = Field(None, description="From then on the entry is not found any more.")
    created_by: Actor
    request_id: str | None = Field(None, description="The request whose answer this is.")
    similar_to: str | None = Field(None, description="A published entry that asks the same and answers differently.")
    merged_into: str | None = None
    uses: int = Field(0, ge=0, le=2**53)
    version: int = Field(1, ge=1, le=2**53)
    created_at: AwareDatetime
    updated_at: AwareDatetime

    def checked(self) -> Self:
        """Return the entry if it can be kept, or say which field cannot."""
        wordings = (("wording", wording, MAX_QUESTION) for wording in self.wordings)
        for name, text, most in (
            ("question", self.question, MAX_QUESTION),
            ("answer", self.answer, MAX_ANSWER),
            *wordings,
        ):
            if not text.strip():
                raise InvalidInput(f"The {name} is empty.", fix=f"Write the {name} of the entry.")
            if len(text) > most:
                raise InvalidInput(
                    f"The {name} has {len(text):,} characters; {most:,} is the most.",
                    fix="Make several entries of it, each with a question of its own.",
                )
        if not plain(self.question):
            raise InvalidInput(
                f"The question {self.question!r} has no letters to search by.", fix="Write it as a customer would ask."
            )
        if len(self.wordings) > MAX_WORDINGS:
            raise InvalidInput(
                f"The entry has {len(self.wordings)} wordings; {MAX_WORDINGS} is the most.",
                fix="Keep those that differ most.",
            )
        canonical(self.model_dump(mode="json"))
        return self

    def publish(self, *, at: datetime) -> Self:
        """Return the entry as one that agents answer from."""
        return self._moved("publish", at, similar_to=None)

    def edit(self, *, at: datetime, **changes: Unpack[Changes]) -> Self:
        """Return the entry with other words."""
        return self._moved("edit", at, **changes).checked()

    def retire(self, *, at: datetime) -> Self:
        """Return the entry as one that is kept but never found again."""
        return self._moved("retire", at)

    def merge_into(self, entry_id: str, *, at: datetime) -> Self:
        """Return the entry as retired in favour of another."""
        if entry_id == self.id:
            raise InvalidInput(f"Entry {self.id} cannot be merged into itself.", fix="Name the entry that stays.")
        return self._moved("merge", at, merged_into=entry_id)

    def absorb(self, other: Entry, *, at: datetime, answer: str | None = None) -> Self:
        """Return the entry with the wordings and tags of another, and with a new answer when one is given."""
        known = {plain(self.question)}
        wordings = []
        for wording in (*self.wordings, other.question, *other.wordings):
            if plain(wording) not in known:
                known.add(plain(wording))
                wordings.append(wording)
        tags = tuple(dict.fromkeys((*self.tags, *other.tags)))
        return self.edit(
            at=at, wordings=tuple(wordings[:MAX_WORDINGS]), tags=tags, answer=self.answer if answer is None else answer
        )

    def _moved(self, move: EntryMove, at: datetime, **changes: Any) -> Self:
        status = next_entry_status(self.status, move)
        return self.model_copy(update={**changes, "status": status, "version": self.version + 1, "updated_at": at})
