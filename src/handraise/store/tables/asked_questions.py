"""Questions that agents asked people, by what they ask: a reading of the event log, kept by its consumer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from handraise.store.connection import Connection, to_json
from handraise.store.tables.full_text import Found, FullText, Text, numbers


class AskedQuestions:
    """Find requests that ask the same."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._words = FullText(connection, "asked")

    async def add(self, *, request_id: str, key: str, question: str) -> None:
        """Keep a question that was opened, once."""
        row = await self._connection.one(
            "INSERT INTO asked_questions (request_id, key, answered) VALUES (:request_id, :key, 0) "
            "ON CONFLICT DO NOTHING RETURNING seq",
            {"request_id": request_id, "key": key},
        )
        if row is not None:
            await self._words.add({row[0]: Text.of(question)})

    async def close(self, request_id: str, *, answered: bool) -> None:
        """Keep that a question was answered; forget it when it was closed without an answer."""
        if answered:
            await self._connection.run(
                "UPDATE asked_questions SET answered = 1 WHERE request_id = :request_id", {"request_id": request_id}
            )
            return
        row = await self._connection.one(
            "DELETE FROM asked_questions WHERE request_id = :request_id RETURNING seq", {"request_id": request_id}
        )
        if row is not None:
            await self._words.remove(row[0])

    async def same(self, key: str, *, answered: bool, limit: int) -> list[str]:
        """Return the ids of requests with this key: answered ones the newest first, open ones the oldest first."""
        rows = await self._connection.all(
            "SELECT request_id FROM asked_questions WHERE key = :key AND answered = :answered "
            f"ORDER BY seq {'DESC' if answered else 'ASC'} LIMIT :limit",
            {"key": key, "answered": int(answered), "limit": limit},
        )
        return [str(row[0]) for row in rows]

    async def find(self, terms: Iterable[str]) -> Found:
        """Return answered questions that share words with another."""
        return await self._words.find(terms, among="asked_questions WHERE answered = 1")

    async def of_rows(self, rows: Sequence[int]) -> Mapping[int, str]:
        """Return the ids of the requests that were found."""
        listed = numbers(self._connection.backend, "rows")
        found = await self._connection.all(
            f"SELECT seq, request_id FROM asked_questions WHERE seq IN ({listed})", {"rows": to_json(list(rows))}
        )
        return {int(seq): str(request_id) for seq, request_id in found}
