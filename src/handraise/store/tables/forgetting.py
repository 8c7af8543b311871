"""Forgetting in the database: every copy of what was said in a session is removed; what the chain needs stays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import assert_never

from handraise.core.decisions import Approve, Edit, Reject, Respond
from handraise.core.errors import Conflict
from handraise.core.requests import Request
from handraise.store.connection import Connection
from handraise.store.tables.full_text import FullText
from handraise.store.tables.request_rows import COLUMNS, to_request, to_row
from handraise.store.tables.runs import unfinished

_CHECKPOINTS = ("checkpoints", "writes", "checkpoint_blobs", "checkpoint_writes")
"""LangGraph's tables, on both databases: an agent's memory of its sessions."""

_OF_SESSION = "SELECT id FROM requests WHERE session_id = :id"


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """What was removed, and what was not."""

    events: int
    requests: int
    drafts: int
    published: list[str]
    """Entries of the knowledge base that came from the session and that somebody has published: they stay."""


class Forgetting:
    """Remove what was said in a session. The session must be locked, and nothing may be running in it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def forget(self, session_id: str, *, up_to: int) -> Forgotten:
        """Remove the content of a session's events up to a number, and of everything that repeats it."""
        await self._must_be_at_rest(session_id)
        events = await self._connection.run(
            "UPDATE events SET fact = '', salt = '' WHERE session_id = :id AND session_seq <= :up_to "
            "AND fact <> '' AND name <> 'session.forgotten'",
            {"id": session_id, "up_to": up_to},
        )
        drafts, published = await self._entries(session_id)
        await self._questions(session_id)
        requests = await self._requests(session_id)
        for sql in (
            "UPDATE runs SET input = '{}', error = '' WHERE session_id = :id",
            "UPDATE effects SET result = 'null', digest = '' WHERE session_id = :id",
            "UPDATE tickets SET question = '', answer = '' WHERE session_id = :id",
            # A digest without a salt: who guesses the question could find it.
            "UPDATE request_facts SET question_key = NULL WHERE session_id = :id",
            "DELETE FROM replies WHERE answer LIKE '%' || :id || '%'",
            "DELETE FROM outbox WHERE notice LIKE '%' || :id || '%'",
            "DELETE FROM credentials WHERE session_id = :id",
            "UPDATE sessions SET customer = '', unheard = '[]', forgotten_at = updated_at WHERE id = :id",
        ):
            await self._connection.run(sql, {"id": session_id})
        for table in await self._checkpoint_tables():
            await self._connection.run(f"DELETE FROM {table} WHERE thread_id = :id", {"id": session_id})
        return Forgotten(events=events, requests=requests, drafts=drafts, published=published)

    async def old(self, *, older_than: timedelta, limit: int) -> list[str]:
        """Return sessions in which nothing has happened for long, and that still remember something."""
        rows = await self._connection.all(
            "SELECT id FROM sessions WHERE created_at > 0 AND updated_at < now_us() - :age "
            "AND (forgotten_at IS NULL OR forgotten_at < updated_at) AND NOT EXISTS ("
            f"SELECT 1 FROM runs WHERE runs.session_id = sessions.id AND {unfinished('runs.')}) "
            "ORDER BY updated_at LIMIT :limit",
            {"age": older_than // timedelta(microseconds=1), "limit": limit},
        )
        return [str(row[0]) for row in rows]

    async def count(self) -> int:
        """Return how many sessions were forgotten."""
        row = await self._connection.one("SELECT COUNT(*) FROM sessions WHERE forgotten_at IS NOT NULL")
        return int(row[0]) if row else 0

    async def _must_be_at_rest(self, session_id: str) -> None:
        row = await self._connection.one(
            f"SELECT 1 FROM runs WHERE session_id = :id AND {unfinished()} LIMIT 1",
            {"id": session_id},
        )
        if row is not None:
            raise Conflict(
                f"Session {session_id} is still going on.", fix="Nothing was forgotten; close the session first."
            )

    async def _entries(self, session_id: str) -> tuple[int, list[str]]:
        """Remove entries that were captured here and that nobody has published."""
        rows = await self._connection.all(
            f"SELECT id, seq, status FROM knowledge_entries WHERE request_id IN ({_OF_SESSION})", {"id": session_id}
        )
        words = FullText(self._connection, "knowledge")
        gone = [(entry_id, seq) for entry_id, seq, status in rows if status != "published"]
        for entry_id, seq in gone:
            await words.remove(seq)
            for sql in (
                "DELETE FROM knowledge_vectors WHERE seq = :seq",
                "DELETE FROM knowledge_history WHERE entry_id = :entry",
                "UPDATE knowledge_entries SET similar_to = NULL WHERE similar_to = :entry",
                "DELETE FROM knowledge_entries WHERE id = :entry",
            ):
                await self._connection.run(sql, {"seq": seq, "entry": entry_id})
        if gone:
            await words.forget_removed()
        return len(gone), [entry_id for entry_id, _, status in rows if status == "published"]

    async def _questions(self, session_id: str) -> None:
        words = FullText(self._connection, "asked")
        rows = await self._connection.all(
            f"DELETE FROM asked_questions WHERE request_id IN ({_OF_SESSION}) RETURNING seq", {"id": session_id}
        )
        for (seq,) in rows:
            await words.remove(seq)
        if rows:
            await words.forget_removed()

    async def _requests(self, session_id: str) -> int:
        rows = await self._connection.all(f"SELECT {COLUMNS} FROM requests WHERE session_id = :id", {"id": session_id})
        for row in rows:
            blank = to_row(_blank(to_request(row)))
            await self._connection.run(
                "UPDATE requests SET asked = :asked, decision = :decision, secrets = NULL WHERE id = :id",
                {name: blank[name] for name in ("asked", "decision", "id")},
            )
        return len(rows)

    async def _checkpoint_tables(self) -> list[str]:
        catalogue = (
            "SELECT name FROM sqlite_master WHERE type = 'table'"
            if self._connection.backend == "sqlite"
            else "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        )
        there = {row[0] for row in await self._connection.all(catalogue)}
        return [table for table in _CHECKPOINTS if table in there]


def _blank(request: Request) -> Request:
    """Return a request that says what kind of thing was asked and decided, and nothing more."""
    decision = request.decision
    match decision:
        case Edit():
            decision = Edit(args={})
        case Reject():
            decision = Reject()
        case Respond():
            decision = Respond()
        case Approve() | None:
            pass  # It has no words.
        case _ as never:
            assert_never(never)
    return request.model_copy(
        update={
            "args": {},
            "args_schema": None,
            "sensitive": (),
            "digest": "",
            "description": "",
            "question": "",
            "options": (),
            "context": {},
            "customer": "",
            "decision": decision,
        }
    )
