"""Capture: what people answer becomes knowledge.

It follows the event log, so that a crash loses no answer and captures none twice, with any number of processes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

import structlog

from handraise.core.actors import SERVICE
from handraise.core.errors import HandraiseError
from handraise.core.knowledge import Entry
from handraise.core.log.facts import (
    EntryDrafted,
    EntryPublished,
    Event,
    RequestDecided,
    RequestExpired,
    RequestOpened,
    RequestWithdrawn,
)
from handraise.core.requests import Request
from handraise.core.text.tokens import language_of
from handraise.knowledge.curation import record_fact, save
from handraise.knowledge.duplicates import near_duplicates, same_answer
from handraise.knowledge.questions import answer_of, is_for_people, key_of, subject_of
from handraise.store.following import LogFollower
from handraise.store.store import Store, Transaction

log = structlog.get_logger(__name__)

CURSOR = "knowledge.capture"
CaptureMode = Literal["draft", "publish", "off"]
_Closed = RequestDecided | RequestExpired | RequestWithdrawn


class Capture(LogFollower):
    """Follows the event log while it is entered. Questions and their answers become findable; gaps become entries."""

    name = "capture"
    cursor = CURSOR
    lag = 5_000

    def __init__(self, store: Store, *, mode: CaptureMode = "draft") -> None:
        super().__init__(store)
        self._mode = mode

    def _concerns(self, event: Event) -> bool:
        return isinstance(event.fact, RequestOpened | _Closed) and is_for_people(event.fact.request)

    async def _handle(self, tx: Transaction, events: Sequence[Event]) -> None:
        for event in events:
            await self._on(tx, event)

    async def _on(self, tx: Transaction, event: Event) -> None:
        match event.fact:
            case RequestOpened(request=request):
                await tx.asked.add(request_id=request.id, key=key_of(request), question=subject_of(request))
            case RequestDecided(request=request):
                await tx.asked.close(request.id, answered=answer_of(request) is not None)
                if self._mode != "off" and request.question_type == "knowledge_gap":
                    await self._learn(tx, request)
            case RequestExpired(request=request) | RequestWithdrawn(request=request):
                await tx.asked.close(request.id, answered=False)
            case _:
                pass

    async def _learn(self, tx: Transaction, request: Request) -> None:
        try:
            entry = await _entry(tx, request)
        except HandraiseError as error:
            # An answer that cannot be kept must not keep the next ones from being learned.
            log.warning("capture.refused", request_id=request.id, error=str(error))
            return
        if entry is None or await tx.knowledge.of_request(request.id):
            return
        known = await near_duplicates(tx, entry.question)
        if any(same_answer(each.answer, entry.answer) for each in known):
            log.info("capture.known", request_id=request.id, entry_id=known[0].id)
            return
        if known:
            entry = entry.model_copy(update={"similar_to": known[0].id})
        fact = EntryDrafted(entry=entry)
        await tx.knowledge.add([fact], by=entry.created_by)
        await record_fact(tx, fact, by=entry.created_by)
        if self._mode == "publish" and not known:
            await save(tx, EntryPublished(entry=entry.publish(at=entry.updated_at)), by=SERVICE)


async def _entry(tx: Transaction, request: Request) -> Entry | None:
    answer = answer_of(request)
    if answer is None or request.decided_by is None:
        return None
    at = await tx.now()
    question = subject_of(request)
    session = await tx.sessions.get(request.session_id)
    return Entry(
        id=f"kb_{hashlib.sha256(request.id.encode()).hexdigest()[:24]}",
        question=question,
        answer=answer,
        language=session.language or language_of(question),
        source=f"answered by {request.decided_by}",
        created_by=request.decided_by,
        request_id=request.id,
        created_at=at,
        updated_at=at,
    ).checked()
