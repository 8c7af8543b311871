"""Routes for the knowledge base: search, and what curators do with entries."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from handraise.core.actors import Actor
from handraise.core.knowledge import Changes, Entry
from handraise.core.states import EntryStatus
from handraise.knowledge.curation import NewEntry
from handraise.knowledge.duplicates import near_duplicates
from handraise.knowledge.search import Passage
from handraise.service.auth.authentication import IdentityHere
from handraise.service.dependencies import EngineHere, KnowledgeHere
from handraise.service.http.problems import Problem
from handraise.store.store import Transaction
from handraise.store.tables.knowledge import EntryFact

router = APIRouter(prefix="/api/v1/knowledge", tags=["Knowledge"], responses={422: {"model": Problem}})

CURATOR = Actor(kind="operator", id="operator", channel="console")
_MOVES: dict[int | str, dict[str, Any]] = {404: {"model": Problem}, 409: {"model": Problem}}


class EntryPage(BaseModel):
    """Entries, the newest first."""

    items: list[Entry]
    next_cursor: int | None


class Passages(BaseModel):
    """What may answer a question, the best first."""

    items: list[Passage]


class Change(BaseModel):
    """One change of an entry: what happened, the entry after it, and who did it."""

    fact: EntryFact
    by: Actor


class Seen(BaseModel):
    """The version that was on the screen; when it is no longer the newest, nothing is changed (409)."""

    model_config = ConfigDict(extra="forbid")

    version: int | None = Field(None, ge=1, examples=[1])


class Creation(NewEntry):
    """A new entry. One that is known already is refused (409), unless both are wanted."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"question": "How do points work?", "answer": "One point for each yuan.", "publish": True}]
        }
    )

    publish: bool = False
    even_if_similar: bool = False


class Edition(Seen):
    """What to change; what is left out stays."""

    question: str | None = Field(None, examples=["How do points work?"])
    answer: str | None = Field(None, examples=["One point for each yuan."])
    wordings: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    language: str | None = None
    source: str | None = None
    valid_until: AwareDatetime | None = None

    def changes(self) -> Changes:
        """Return what was sent. Only `valid_until` may be taken away by sending null."""
        sent = self.model_dump(exclude={"version"}, exclude_unset=True)
        changes: Changes = {}
        for name in sent:
            if sent[name] is not None or name == "valid_until":
                changes[name] = sent[name]  # type: ignore[literal-required]  # the fields above are its keys
        return changes


class Publication(Seen):
    """Whether to publish beside an entry that asks the same."""

    even_if_similar: bool = Field(default=False, examples=[False])


class Merger(Seen):
    """Which entry stays, and whether it takes over the answer of the one that goes."""

    into: str = Field(examples=["know_5f2b8c0d9e1a4b6c7d8e9f00"])
    take_answer: bool = False


@router.get("")
async def list_entries(
    engine: EngineHere,
    status: EntryStatus | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[int | None, Query(ge=1, le=2**62)] = None,
) -> EntryPage:
    """List entries: `status=draft` are those that wait for a curator."""
    page = await engine.store.read(lambda tx: tx.knowledge.list(status=status, limit=limit, cursor=cursor))
    return EntryPage(items=page.items, next_cursor=page.next_cursor)


@router.get("/search")
async def search_entries(
    knowledge: KnowledgeHere,
    q: Annotated[str, Query(min_length=1, max_length=2000, description="The question, in anybody's words.")],
    limit: Annotated[int, Query(ge=1, le=50)] = 5,
    drafts: bool = False,
    language: str | None = None,
) -> Passages:
    """Search as an agent does, without counting it as a use."""
    return Passages(items=await knowledge.search.find(q, limit=limit, drafts=drafts, language=language))


@router.post("", status_code=201, responses={409: {"model": Problem}})
async def create_entry(new: Creation, knowledge: KnowledgeHere, identity: IdentityHere) -> Entry:
    """Write an entry, as a draft unless it is to be published at once."""
    entry = NewEntry.model_validate(new.model_dump(exclude={"publish", "even_if_similar"}))
    return await knowledge.curation.draft(
        entry, by=identity.actor(), publish=new.publish, even_if_similar=new.even_if_similar
    )


@router.get("/{entry_id}", responses={404: {"model": Problem}})
async def read_entry(entry_id: str, engine: EngineHere) -> Entry:
    """Show an entry."""
    return await engine.store.read(lambda tx: tx.knowledge.get(entry_id))


@router.get("/{entry_id}/history", responses={404: {"model": Problem}})
async def read_history(entry_id: str, engine: EngineHere) -> list[Change]:
    """Show every version of an entry and who made it, the first one first."""

    async def read(tx: Transaction) -> list[Change]:
        await tx.knowledge.get(entry_id)
        return [Change(fact=fact, by=by) for by, fact in await tx.knowledge.history(entry_id)]

    return await engine.store.read(read)


@router.get("/{entry_id}/similar", responses={404: {"model": Problem}})
async def read_similar(entry_id: str, engine: EngineHere) -> list[Entry]:
    """Show the entries that ask the same, published ones first."""

    async def read(tx: Transaction) -> list[Entry]:
        entry = await tx.knowledge.get(entry_id)
        return await near_duplicates(tx, entry.question, besides=entry.id)

    return await engine.store.read(read)


@router.patch("/{entry_id}", responses=_MOVES)
async def edit_entry(entry_id: str, edition: Edition, knowledge: KnowledgeHere, identity: IdentityHere) -> Entry:
    """Change an entry's words; a published one stays published."""
    return await knowledge.curation.edit(entry_id, by=identity.actor(), version=edition.version, **edition.changes())


@router.post("/{entry_id}/publish", responses=_MOVES)
async def publish_entry(
    entry_id: str, publication: Publication, knowledge: KnowledgeHere, identity: IdentityHere
) -> Entry:
    """Let agents answer from a draft."""
    return await knowledge.curation.publish(
        entry_id, by=identity.actor(), version=publication.version, even_if_similar=publication.even_if_similar
    )


@router.post("/{entry_id}/merge", responses=_MOVES)
async def merge_entry(entry_id: str, merger: Merger, knowledge: KnowledgeHere, identity: IdentityHere) -> Entry:
    """Retire an entry in favour of another, and return the one that stays."""
    return await knowledge.curation.merge(
        entry_id, merger.into, by=identity.actor(), version=merger.version, take_answer=merger.take_answer
    )


@router.post("/{entry_id}/retire", responses=_MOVES)
async def retire_entry(entry_id: str, seen: Seen, knowledge: KnowledgeHere, identity: IdentityHere) -> Entry:
    """Take an entry out of use; it stays in the history."""
    return await knowledge.curation.retire(entry_id, by=identity.actor(), version=seen.version)
