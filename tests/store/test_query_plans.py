"""The hot queries use their indexes when there is much to search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handraise.store.connection import Row
from handraise.store.store import Store, Transaction
from handraise.store.tables.request_lists import Filter
from handraise.store.tables.sessions import SessionFilter
from tests.store.samples import MINUTE

ROWS = 20_000

_NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS}) "

FILL = (
    (
        "INSERT INTO sessions (id, agent, status, customer, language, version, last_seq, created_at, updated_at) "
        "SELECT 's' || i, 'support', 'active', '', '', 1, 0, i, i FROM n"
    ),
    (
        "INSERT INTO requests (id, session_id, run_id, interrupt_id, position, kind, audience, tool, urgency, "
        "urgency_rank, asked, status, version, created_at, deadline, due) "
        "SELECT 'r' || i, 's' || i, 'run' || i, 'i', 0, 'approval', 'operator', 'refund', 'medium', i % 3, "
        """'{"dialect":"langchain","allowed":[]}', """
        "CASE WHEN i % 4 = 0 THEN 'decided' ELSE 'open' END, 1, i, i, i FROM n"
    ),
    (
        "INSERT INTO runs (id, session_id, agent, input, status, not_before, epoch, attempts, error, created_at) "
        "SELECT 'run' || i, 's' || i, CASE WHEN i % 400 = 0 THEN 'support' ELSE 'unserved' END, '{}', "
        "CASE WHEN i % 4 = 0 THEN 'queued' ELSE 'paused' END, 0, 0, 0, '', i FROM n"
    ),
)


class Recorder:
    """A connection that remembers what was asked of it."""

    def __init__(self, tx: Transaction) -> None:
        self._connection = tx.connection
        self.backend = tx.connection.backend
        self.asked: list[tuple[str, Mapping[str, Any] | None]] = []

    async def all(self, sql: str, params: Mapping[str, Any] | None = None) -> list[Row]:
        self.asked.append((sql, params))
        return await self._connection.all(sql, params)

    async def one(self, sql: str, params: Mapping[str, Any] | None = None) -> Row | None:
        self.asked.append((sql, params))
        return await self._connection.one(sql, params)

    async def run(self, sql: str, params: Mapping[str, Any] | None = None) -> int:
        self.asked.append((sql, params))
        return await self._connection.run(sql, params)


async def test_hot_queries_use_their_indexes(store: Store, database_url: str) -> None:
    explain = "EXPLAIN" if database_url.startswith("postgresql") else "EXPLAIN QUERY PLAN"

    async def fill(tx: Transaction) -> None:
        for statement in FILL:
            await tx.connection.run(_NUMBERS + statement)
            if explain == "EXPLAIN":
                # Its autovacuum does so by itself, later; without, each row looks through all that it may refer to.
                await tx.connection.run("ANALYZE")

    async def plans(tx: Transaction) -> dict[str, str]:
        cursor = (await tx.requests.list_open(Filter(), limit=50)).next_cursor
        claimed = await tx.runs.claim(owner="runner", lease=MINUTE, agent="support")
        assert claimed is not None
        recorder = Recorder(tx)
        spied = Transaction(recorder)
        found = {}
        for name, query in {
            "first page": spied.requests.list_open(Filter(audience="operator"), limit=50),
            "next page": spied.requests.list_open(Filter(), limit=50, cursor=cursor),
            "all by age": spied.requests.list_all(Filter(), status=None, limit=50),
            "sessions by age": spied.sessions.page(SessionFilter(), limit=50),
            "of one session": spied.requests.list_open(Filter(session_id="s7"), limit=50),
            "of one run": spied.requests.of_run("run7"),
            "overdue": spied.requests.due(limit=50),
            "next deadline": spied.requests.until_next_deadline(),
            "claim": spied.runs.claim(owner="runner", lease=MINUTE, agent="support"),
            "next claim": spied.runs.until_next(agents=["support", "sales"]),
            "later claim": spied.runs.until_later(agents=["support", "sales"]),
            "fence": spied.runs.hold(claimed),
        }.items():
            recorder.asked.clear()
            await query
            [(sql, params)] = recorder.asked
            found[name] = "\n".join(str(row[-1]) for row in await tx.connection.all(f"{explain} {sql}", params))
        return found

    await store.write(fill)
    found = await store.write(plans)
    for name, index in {
        "first page": "requests_inbox",
        "next page": "requests_inbox",
        "all by age": "requests_by_age",
        "sessions by age": "sessions_by_age",
        "of one session": "requests_of_session",
        "of one run": "requests_of_run",
        "overdue": "requests_due",
        "next deadline": "requests_due",
        "claim": "runs_claimable",
        "next claim": "runs_claimable",
        "later claim": "runs_claimable",
    }.items():
        assert index in found[name], f"{name}:\n{found[name]}"
    for plan in found.values():
        assert "Seq Scan" not in plan
    assert "Sort" not in found["first page"] + found["next page"]
    assert "TEMP B-TREE" not in found["first page"] + found["next page"]
