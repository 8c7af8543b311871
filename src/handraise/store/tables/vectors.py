"""Vectors of entries, for search by meaning. Each belongs to one version of an entry and one embedding model."""

from __future__ import annotations

import base64
from array import array
from collections.abc import Mapping, Sequence

from handraise.store.connection import Connection, to_json
from handraise.store.tables.full_text import numbers

_CURRENT = (
    "FROM knowledge_entries AS entry JOIN knowledge_vectors AS kept ON kept.seq = entry.seq "
    "AND kept.version = entry.version AND kept.model = :model "
    "WHERE entry.status = 'published' AND (entry.valid_until IS NULL OR entry.valid_until > now_us())"
)


class Vectors:
    """Keep and read vectors."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def missing(self, model: str, *, limit: int) -> list[tuple[int, int, str]]:
        """Return row, version and text of published entries that have no vector of this model yet."""
        rows = await self._connection.all(
            "SELECT seq, version, question, answer FROM knowledge_entries AS entry WHERE status = 'published' "
            "AND NOT EXISTS (SELECT 1 FROM knowledge_vectors AS kept WHERE kept.model = :model "
            "AND kept.seq = entry.seq AND kept.version = entry.version) ORDER BY seq LIMIT :limit",
            {"model": model, "limit": limit},
        )
        return [(seq, version, f"{question}\n{answer}") for seq, version, question, answer in rows]

    async def put(self, model: str, *, row: int, version: int, vector: Sequence[float]) -> None:
        """Keep a vector in place of the one of an older version."""
        await self._connection.run(
            "INSERT INTO knowledge_vectors (model, seq, version, vector) VALUES (:model, :seq, :version, :vector) "
            "ON CONFLICT (model, seq) DO UPDATE SET version = excluded.version, vector = excluded.vector",
            {
                "model": model,
                "seq": row,
                "version": version,
                "vector": base64.b64encode(array("f", vector).tobytes()).decode(),
            },
        )

    async def current(self, model: str) -> Mapping[int, int]:
        """Return the rows that can be found by meaning, with their versions."""
        rows = await self._connection.all(f"SELECT entry.seq, entry.version {_CURRENT}", {"model": model})
        return {int(seq): int(version) for seq, version in rows}

    async def get(self, model: str, rows: Sequence[int]) -> Mapping[int, array[float]]:
        """Return vectors by their rows."""
        listed = numbers(self._connection.backend, "rows")
        found = await self._connection.all(
            f"SELECT seq, vector FROM knowledge_vectors WHERE model = :model AND seq IN ({listed})",
            {"model": model, "rows": to_json(list(rows))},
        )
        return {int(seq): array("f", base64.b64decode(vector)) for seq, vector in found}
