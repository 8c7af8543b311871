"""Answer once: what was answered before is offered again, and one answer can serve all who ask the same.

Serving all is deciding each: every request gets its own decision, its own event and its own resumed run.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from pydantic import BaseModel

from handraise.core.actors import Actor
from handraise.core.decisions import Respond
from handraise.core.errors import HandraiseError, InvalidInput, NotFound
from handraise.core.requests import Request
from handraise.core.text.tokens import tokens
from handraise.knowledge.duplicates import same
from handraise.knowledge.questions import answer_of, is_for_people, key_of, subject_of
from handraise.knowledge.ranking import likeness
from handraise.knowledge.search import Passage, find_passages
from handraise.store.store import Store, Transaction

ALIKE = 0.5
"""How alike a past question must be for its answer to be offered."""

MOST_OFFERED = 5
MOST_COMPARED = 20
MOST_SERVED = 200


class PastAnswer(BaseModel):
    """What somebody answered before. `likeness` is 1 for the very same question."""

    request_id: str
    question: str
    answer: str
    selected_option: str | None
    decided_by: Actor | None
    decided_at: datetime | None
    likeness: float


class Similar(BaseModel):
    """All that may save an operator from writing the same again."""

    past_answers: list[PastAnswer]
    open_requests: list[Request]
    passages: list[Passage]


class Served(BaseModel):
    """What became of one of several requests: decided, or why not."""

    request_id: str
    request: Request | None = None
    code: str = ""
    detail: str = ""


class Decides(Protocol):
    """The engine's way of closing a request."""

    async def __call__(self, request_id: str, decision: Respond, /, *, by: Actor) -> Request: ...


async def similar_to(store: Store, request_id: str) -> Similar:
    """Return past answers to the same question, open requests that ask it too, and entries about it."""

    async def read(tx: Transaction) -> Similar:
        request = await tx.requests.get(request_id)
        if not is_for_people(request):
            return Similar(past_answers=[], open_requests=[], passages=[])
        return Similar(
            past_answers=await _past_answers(tx, request),
            open_requests=await _asking_the_same(tx, request),
            passages=await find_passages(tx, subject_of(request)),
        )

    return await store.read(read)


async def decide_for_all(
    store: Store,
    decide: Decides,
    request_id: str,
    answer: Respond,
    *,
    by: Actor,
    request_ids: Sequence[str] | None = None,
) -> list[Served]:
    """Answer a request and the open ones that ask the same: all of them, or those of `request_ids`.

    If the first cannot be decided nothing is. Each of the others stands for itself: one that somebody else was quicker
    with is reported, and takes nothing from the rest.
    """

    async def read(tx: Transaction) -> list[str]:
        request = await tx.requests.get(request_id)
        return [other.id for other in await _asking_the_same(tx, request)] if is_for_people(request) else []

    others = await store.read(read)
    if request_ids is not None:
        strangers = [each for each in request_ids if each not in {*others, request_id}]
        if strangers:
            raise InvalidInput(
                f"Request {strangers[0]} is not open, or does not ask the same as {request_id}.",
                fix="Nothing was decided; look again which requests ask the same, or answer that one by itself.",
                details={"request_ids": strangers},
            )
        others = [each for each in others if each in set(request_ids)]
    served = [Served(request_id=request_id, request=await decide(request_id, answer, by=by))]
    for other in others:
        try:
            served.append(Served(request_id=other, request=await decide(other, answer, by=by)))
        except HandraiseError as error:
            served.append(Served(request_id=other, code=error.code, detail=error.what))
    return served


async def _past_answers(tx: Transaction, request: Request) -> list[PastAnswer]:
    subject = subject_of(request)
    alike = dict.fromkeys(await tx.asked.same(key_of(request), answered=True, limit=MOST_OFFERED), 1.0)
    # Only a gap concerns everybody. What was answered about one customer must not be offered for another.
    gap = request.question_type == "knowledge_gap"
    words = tokens(subject)
    found = await tx.asked.find(words if gap else [])
    nearest = sorted(found.texts, key=lambda row: -likeness(words, found.texts[row].wordings[0]))
    ids = await tx.asked.of_rows(nearest[:MOST_COMPARED])
    offered: dict[str, PastAnswer] = {}
    for each in dict.fromkeys([*alike, *ids.values()]):
        past = await _past(tx, each)
        if past is None or (each not in alike and past.question_type != "knowledge_gap"):
            continue
        how = alike.get(each) or round(same(subject, subject_of(past)), 4)
        answer = answer_of(past)
        # The same answer is offered once, by the question that is most alike.
        if answer is None or how < ALIKE or (answer in offered and offered[answer].likeness >= how):
            continue
        offered[answer] = PastAnswer(
            request_id=past.id,
            question=subject_of(past),
            answer=answer,
            selected_option=getattr(past.decision, "selected_option", None),
            decided_by=past.decided_by,
            decided_at=past.decided_at,
            likeness=how,
        )
    return sorted(offered.values(), key=lambda each: -each.likeness)[:MOST_OFFERED]


async def _asking_the_same(tx: Transaction, request: Request) -> list[Request]:
    ids = await tx.asked.same(key_of(request), answered=False, limit=MOST_SERVED)
    found = [await _past(tx, each) for each in ids if each != request.id]
    return [each for each in found if each is not None and each.status == "open"]


async def _past(tx: Transaction, request_id: str) -> Request | None:
    try:
        return await tx.requests.get(request_id)
    except NotFound:  # its session was deleted since
        return None
