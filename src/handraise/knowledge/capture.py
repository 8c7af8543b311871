"""Capture: what people answer becomes knowledge.

A consumer of the event log: its cursor moves in the same transaction as what it writes, so that a crash loses no answer
and captures none twice, with any number of processes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta
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
from handraise.store.background import Background
from handraise.store.store import Store, Transaction

log = structlog.get_logger(__name__)

CURSOR = "knowledge.capture"
PAGE = 200
LONGEST_WAIT = timedelta(seconds=5)
LAG = 5_000
"""How many events may pass that concern nobody here before the cursor is written."""

CaptureMode = Literal["draft", "publish", "off"]
_Closed = RequestDecided | RequestExpired | RequestWithdrawn


class Capture(Background):
    """Follows the event log while it is entered. Questions and their answers become findable; gaps become entries."""

    name = "capture"

    def __init__(self, store: Store, *, mode: CaptureMode = "draft") -> None:
        super().__init__(store)
        self._mode = mode
        self._cursor = 0
        self._position = 0

    async def catch_up(self) -> None:
        """Deal with every event up to now."""
        while True:
            cursor, events = await self._store.read(self._unread)
            if cursor != self._cursor:  # at the start, and when another process was first
                self._cursor = self._position = cursor
            if not events:
                return
            concerned = [event for event in events if _concerns(event)]
            last = events[-1].seq
            if concerned or last - cursor > LAG:
                await self._deal_with(concerned, last)
            else:
                self._position = last

    async def _round(self) -> timedelta:
        await self.catch_up()
        return LONGEST_WAIT

    async def _unread(self, tx: Transaction) -> tuple[int, list[Event]]:
        cursor = await tx.cursors.get(CURSOR)
        after = self._position if cursor == self._cursor else cursor
        return cursor, await tx.events.since(after, limit=PAGE)

    async def _deal_with(self, events: Sequence[Event], last: int) -> None:
        was = self._cursor

        async def work(tx: Transaction) -> None:
            if await tx.cursors.move(CURSOR, was=was, to=last):
                for event in events:
                    await self._on(tx, event)

        # When another process was first the cursor is elsewhere, and the next read starts there.
        await self._store.write(work)

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


def _concerns(event: Event) -> bool:
    return isinstance(event.fact, RequestOpened | _Closed) and is_for_people(event.fact.request)
