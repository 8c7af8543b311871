"""Counts and what is known of each request, as one consumer of the event log keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from handraise.store.connection import Backend, Connection, to_json
from handraise.store.measures import GRAINS, MEASURES, Dimension, RequestFacts

CURSOR = "insights"

Counts = dict[str, int]
"""How many of each measure; one that is not there is 0."""

_FACTS = tuple(field.name for field in fields(RequestFacts))
_FLAGS = ("first", "repeated", "quick", "doubted", "settled")


class Cell(NamedTuple):
    """Where a count belongs: a value of a dimension, in the quarter of an hour that begins at `at`."""

    dimension: Dimension
    value: str
    at: int


class Segment(NamedTuple):
    """Some whole lengths of one grain, and the number of the group that their counts go into."""

    group: int
    grain: int
    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Edited:
    """A field of a tool's arguments that a person changed."""

    tool: str
    field: str
    created_at: int
    request_id: str


class Insights:
    """Writing happens in the transaction that moves the cursor `insights`, so that nothing is counted twice."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def facts_of(self, request_ids: Iterable[str]) -> dict[str, RequestFacts]:
        """Return what is known of these requests."""
        rows = await self._in(f"SELECT {', '.join(_FACTS)} FROM request_facts WHERE request_id", request_ids)
        return {str(row[0]): _facts(row) for row in rows}

    async def assisted(self, session_ids: Iterable[str]) -> set[str]:
        """Return which of these sessions have asked a person before."""
        rows = await self._in("SELECT DISTINCT session_id FROM request_facts WHERE session_id", session_ids)
        return {str(row[0]) for row in rows}

    async def asked(self, keys: Iterable[str]) -> set[str]:
        """Return which of these questions were asked before."""
        rows = await self._in("SELECT DISTINCT question_key FROM request_facts WHERE question_key", keys)
        return {str(row[0]) for row in rows}

    async def sessions(self, session_ids: Iterable[str]) -> dict[str, tuple[int, str]]:
        """Return when each session began, and its agent."""
        rows = await self._in("SELECT id, created_at, agent FROM sessions WHERE id", session_ids)
        return {str(row[0]): (int(row[1]), str(row[2])) for row in rows}

    async def captured(self, entry_ids: Iterable[str]) -> set[str]:
        """Return which of these entries a person's answer has become."""
        rows = await self._in("SELECT id FROM knowledge_entries WHERE request_id IS NOT NULL AND id", entry_ids)
        return {str(row[0]) for row in rows}

    async def add(self, counts: Mapping[Cell, Counts]) -> None:
        """Add counts to every grain that their quarter of an hour is in."""
        merged: dict[tuple[str, int, int, str], Counts] = {}
        for cell, counted in counts.items():
            for grain in GRAINS:
                into = merged.setdefault((cell.dimension, grain, cell.at - cell.at % grain, cell.value), {})
                for measure, count in counted.items():
                    into[measure] = into.get(measure, 0) + count
        rows = [
            {"dimension": dimension, "grain": grain, "at": at, "value": value, **counted}
            for (dimension, grain, at, value), counted in merged.items()
        ]
        added = ", ".join(f"{measure} = insight_counts.{measure} + excluded.{measure}" for measure in MEASURES)
        await self._save("insight_counts", ("dimension", "grain", "at", "value"), MEASURES, rows, added)

    async def save(self, facts: Iterable[RequestFacts]) -> None:
        """Keep what is known of requests now."""
        rows = [{**asdict(each), **{flag: int(getattr(each, flag)) for flag in _FLAGS}} for each in facts]
        kept = ", ".join(f"{name} = excluded.{name}" for name in _FACTS[1:])
        await self._save("request_facts", _FACTS, (), rows, kept)

    async def add_edits(self, edits: Iterable[Edited]) -> None:
        """Keep which fields were edited."""
        for edit in edits:
            await self._connection.run(
                "INSERT INTO edited_fields (tool, field, created_at, request_id) "
                "VALUES (:tool, :field, :created_at, :request_id) ON CONFLICT DO NOTHING",
                asdict(edit),
            )

    async def clear(self) -> None:
        """Forget everything, and begin again with the first event."""
        # The cursor first: whoever is adding counts now holds it, and what it adds must be there to be deleted.
        await self._connection.run("UPDATE counters SET value = 0 WHERE name = :name", {"name": CURSOR})
        for table in ("insight_counts", "request_facts", "edited_fields"):
            await self._connection.run(f"DELETE FROM {table}")

    async def counts(
        self,
        dimension: Dimension,
        segments: Sequence[Segment],
        *,
        measures: Sequence[str] = MEASURES,
        value: str | None = None,
    ) -> dict[tuple[int, str], Counts]:
        """Return the sums in each group of segments, for each value of a dimension or for one."""
        sums = ", ".join(f"CAST(SUM({measure}) AS BIGINT)" for measure in measures)
        only = "" if value is None else " AND value = :value"
        within = (
            "dimension = :dimension AND insight_counts.grain = wanted.grain "
            f"AND at >= wanted.low AND at < wanted.high{only}"
        )
        if self._connection.backend == "sqlite":
            joined = f"JOIN insight_counts ON {within}"
        else:
            # The OFFSET keeps PostgreSQL from turning one short index scan for each segment into one scan of them all.
            joined = f"CROSS JOIN LATERAL (SELECT * FROM insight_counts WHERE {within} OFFSET 0) AS counted"
        rows = await self._connection.all(
            f"SELECT wanted.number, value, {sums} FROM ({_segments(self._connection.backend)}) AS wanted "
            f"{joined} GROUP BY wanted.number, value",
            {"segments": to_json(segments), "dimension": dimension, "value": value},
        )
        return {(int(row[0]), str(row[1])): dict(zip(measures, row[2:], strict=True)) for row in rows}

    async def ever(self, dimension: Dimension) -> dict[str, Counts]:
        """Return the sums of all time for each value of a dimension."""
        sums = ", ".join(f"CAST(SUM({measure}) AS BIGINT)" for measure in MEASURES)
        rows = await self._connection.all(
            f"SELECT value, {sums} FROM insight_counts WHERE dimension = :dimension AND grain = :grain GROUP BY value",
            {"dimension": dimension, "grain": GRAINS[-1]},
        )
        return {str(row[0]): dict(zip(MEASURES, row[1:], strict=True)) for row in rows}

    async def young(self, *, since: int) -> list[RequestFacts]:
        """Return the open requests that were opened after a time."""
        rows = await self._connection.all(
            f"SELECT {', '.join(_FACTS)} FROM request_facts WHERE outcome = 'open' AND created_at > :since",
            {"since": since},
        )
        return [_facts(row) for row in rows]

    async def oldest_open(self) -> int | None:
        """Return when the oldest open request was opened."""
        row = await self._connection.one(
            "SELECT created_at FROM request_facts WHERE outcome = 'open' ORDER BY created_at LIMIT 1"
        )
        return None if row is None else int(row[0])

    async def _in(self, select: str, ids: Iterable[str]) -> list[Any]:
        wanted = sorted(set(ids))
        if not wanted:
            return []
        listed = (
            "SELECT value FROM json_each(:ids)"
            if self._connection.backend == "sqlite"
            else "SELECT json_array_elements_text(CAST(:ids AS json))"
        )
        return await self._connection.all(f"{select} IN ({listed})", {"ids": to_json(wanted)})

    async def _save(
        self, table: str, keys: Sequence[str], sums: Sequence[str], rows: Sequence[Mapping[str, Any]], change: str
    ) -> None:
        """Insert rows in one statement, or change those that are there."""
        if not rows:
            return
        if self._connection.backend == "sqlite":
            source, read = "json_each(:rows)", "json_extract(value, '$.{}')"
        else:
            source, read = f"json_populate_recordset(CAST(NULL AS {table}), CAST(:rows AS json))", "{}"
        selected = [read.format(name) for name in keys] + [f"COALESCE({read.format(name)}, 0)" for name in sums]
        unique = ", ".join(keys) if sums else keys[0]
        # Without its WHERE, SQLite takes the ON of what follows for one of a join.
        await self._connection.run(
            f"INSERT INTO {table} ({', '.join([*keys, *sums])}) SELECT {', '.join(selected)} FROM {source} WHERE true "
            f"ON CONFLICT ({unique}) DO UPDATE SET {change}",
            {"rows": to_json(rows)},
        )


def _segments(backend: Backend) -> str:
    if backend == "sqlite":
        source, read = "json_each(:segments)", "json_extract(value, '$[{}]')"
    else:
        source, read = "json_array_elements(CAST(:segments AS json)) AS listed", "CAST(listed->>{} AS bigint)"
    names = ("number", "grain", "low", "high")
    return f"SELECT {', '.join(f'{read.format(at)} AS {name}' for at, name in enumerate(names))} FROM {source}"


def _facts(row: Sequence[Any]) -> RequestFacts:
    values = dict(zip(_FACTS, row, strict=True))
    return RequestFacts(**{**values, **{flag: bool(values[flag]) for flag in _FLAGS}})
