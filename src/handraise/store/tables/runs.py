"""Runs in the database: a queue for each session, with leases on the database's clock."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from handraise.core.errors import LeaseLost, NotFound
from handraise.core.runs import Run
from handraise.core.states import RUN_MOVES, UNFINISHED, RunMove, result_of, statuses_that
from handraise.store.connection import Connection, Row, from_us, one_of, to_json, to_text

_COLUMNS = (
    "id, seq, session_id, agent, input, status, not_before, owner, epoch, lease_until, attempts, error, "
    "created_at, finished_at, trace"
)


def unfinished(alias: str = "") -> str:
    """Return the condition that a run has not ended: as the partial index says it, so that both databases use it."""
    return one_of(f"{alias}status", UNFINISHED)


def _takes(move: RunMove, alias: str = "") -> str:
    """Return the condition that a run is where the table has this move."""
    before = statuses_that(RUN_MOVES, move)
    return one_of(f"{alias}status", before)


def _after(move: RunMove) -> str:
    """Return the change of status that a move makes."""
    return f"status = '{result_of(RUN_MOVES, move)}'"


_CLAIMABLE = f"{_takes('claim')} AND blocked = 0"
"""Exactly what the partial index says, so that both databases see that it fits."""

_OVER = one_of("status", (RUN_MOVES["running", "pause"], RUN_MOVES["running", "finish"], RUN_MOVES["running", "fail"]))
"""Where whoever claimed a run leaves it."""

_MOMENT = "CASE status WHEN 'running' THEN lease_until ELSE not_before END"
"""When a run may be claimed."""

_OF_AGENTS = f"{_CLAIMABLE} AND agent IN ({{agents}})"
_MILLISECOND = timedelta(milliseconds=1)

# A session is looked up by itself, for the one candidate: as a NOT EXISTS, PostgreSQL would read all of them first.
_CLAIM = f"""
UPDATE runs
SET {_after("claim")}, owner = :owner, epoch = epoch + 1, lease_until = now_us() + :lease
WHERE seq = (
    SELECT candidate.seq FROM runs AS candidate
    WHERE {_takes("claim", "candidate.")} AND candidate.blocked = 0 AND candidate.agent = :agent
      AND ((candidate.status = 'queued' AND candidate.not_before <= now_us())
           OR (candidate.status = 'running' AND candidate.lease_until <= now_us()))
      AND NOT EXISTS (
          SELECT 1 FROM runs AS earlier
          WHERE earlier.session_id = candidate.session_id AND earlier.seq < candidate.seq
            AND {unfinished("earlier.")})
      AND (SELECT taken_by FROM sessions WHERE sessions.id = candidate.session_id) IS NULL{{but_not}}
    ORDER BY candidate.seq LIMIT 1 /*skip locked*/)
RETURNING {_COLUMNS}
"""


_RUNNING = _after("claim")
HELD = f"SELECT 1 FROM runs WHERE id = :held_run AND epoch = :held_epoch AND {_RUNNING} /*for share*/"
"""Whether a process still owns a run; if so, nobody takes it before the transaction ends. Other statements embed it."""


class Runs:
    """A session's runs go in order: the oldest unfinished one first, whatever state it is in."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def enqueue(self, *, run_id: str, session_id: str, input: dict[str, Any]) -> None:
        """Add a run at the end of its session's queue. The session must be locked."""
        await self._connection.run(
            "INSERT INTO runs (id, session_id, agent, input, status, blocked, not_before, epoch, attempts, error, "
            "created_at) VALUES (:id, :session_id, "
            "COALESCE((SELECT agent FROM sessions WHERE id = :session_id), ''), :input, 'queued', "
            f"CASE WHEN EXISTS (SELECT 1 FROM runs WHERE session_id = :session_id AND {unfinished()}) "
            "THEN 1 ELSE 0 END, now_us(), 0, 0, '', now_us())",
            {"id": run_id, "session_id": session_id, "input": to_json(input)},
        )

    async def claim(self, *, owner: str, lease: timedelta, agent: str, but_not: Sequence[str] = ()) -> Run | None:
        """Take the oldest run of an agent that is for the taking, for as long as `lease`; its epoch rises.

        `but_not` are runs that this process is driving: it may have stood still past its own lease.
        """
        excluded = f"\n      AND candidate.id NOT IN ({_names(but_not)})" if but_not else ""
        row = await self._connection.one(
            _CLAIM.format(but_not=excluded),
            {"owner": owner, "lease": lease // timedelta(microseconds=1), "agent": agent, **_named(but_not)},
        )
        return None if row is None else _run(row)

    async def renew(self, run: Run, *, lease: timedelta) -> None:
        """Keep a run, or raise LeaseLost."""
        await self._owned(run, _RUNNING, "lease_until = now_us() + :lease", lease=lease // timedelta(microseconds=1))

    async def is_over(self, run: Run) -> bool:
        """Return whether whoever claimed a run has set it aside or ended it, and nobody claimed or stopped it since."""
        row = await self._connection.one(
            f"SELECT 1 FROM runs WHERE id = :id AND epoch = :epoch AND {_OVER}",
            {"id": run.id, "epoch": run.epoch},
        )
        return row is not None

    async def hold(self, run: Run) -> None:
        """Make sure that this process still owns the run, and that nobody takes it before this transaction ends."""
        if await self._connection.one(HELD, lease_of(run)) is None:
            raise LeaseLost.of(run.id, run.epoch)

    async def pause(self, run: Run, *, trace: str | None = None) -> None:
        """Set a run aside until its requests are closed; `trace` names the span that ends here."""
        changes = f"{_after('pause')}, owner = NULL, lease_until = NULL, attempts = 0, trace = :trace"
        await self._owned(run, _takes("pause"), changes, trace=trace)

    async def finish(self, run: Run) -> bool:
        """Record that a run came to its end. Return whether the one behind it can be claimed now."""
        return await self._end(run, "finish")

    async def fail(self, run: Run, *, error: str) -> None:
        """Record that a run gave up."""
        await self._end(run, "fail", ", error = :error", error=to_text(error))

    async def retry(self, run: Run, *, after: timedelta, error: str = "") -> None:
        """Put a run back at its place in the queue, not before some time from now. An error counts as a failure."""
        await self._owned(
            run,
            _takes("retry"),
            f"{_after('retry')}, owner = NULL, lease_until = NULL, not_before = now_us() + :after, error = :error, "
            "attempts = attempts + :failed",
            after=after // timedelta(microseconds=1),
            error=to_text(error),
            failed=int(bool(error)),
        )

    async def release(self, *, owner: str) -> int:
        """Put everything that a process holds back in the queue. Return how many runs that were."""
        return await self._connection.run(
            f"UPDATE runs SET {_after('retry')}, owner = NULL, lease_until = NULL, not_before = now_us() "
            f"WHERE {_takes('retry')} AND owner = :owner",
            {"owner": owner},
        )

    async def release_all(self) -> int:
        """Put everything that any process holds back in the queue: for one that is sure to be alone."""
        return await self._connection.run(
            f"UPDATE runs SET {_after('retry')}, owner = NULL, lease_until = NULL, not_before = now_us() "
            f"WHERE {_takes('retry')}"
        )

    async def until_next(self, *, agents: Sequence[str]) -> timedelta | None:
        """Return how long it is until there may be a run to claim: until a lease runs out or a run's time comes."""
        row = await self._connection.one(
            f"SELECT CASE WHEN EXISTS (SELECT 1 FROM runs WHERE {_OF_AGENTS} AND {_MOMENT} <= now_us()) THEN 0 "
            f"ELSE (SELECT MIN({_MOMENT}) - now_us() FROM runs WHERE {_OF_AGENTS}) END".format(agents=_names(agents)),
            _named(agents),
        )
        # One more millisecond: at the very moment it is not over yet.
        return None if row is None or row[0] is None else _microseconds(row[0]) + (row[0] > 0) * _MILLISECOND

    async def until_later(self, *, agents: Sequence[str]) -> timedelta | None:
        """Return the same, but of those that lie ahead: what is due and not for the taking may stay so for long."""
        row = await self._connection.one(
            f"SELECT MIN({_MOMENT}) - now_us() FROM runs WHERE {_OF_AGENTS} AND {_MOMENT} > now_us()".format(
                agents=_names(agents)
            ),
            _named(agents),
        )
        return None if row is None or row[0] is None else _microseconds(row[0]) + _MILLISECOND

    async def unserved(self, *, agents: Sequence[str], longer_than: timedelta) -> dict[str, int]:
        """Return how many runs have long been waiting for agents other than these, by the agent's name."""
        rows = await self._connection.all(
            f"SELECT agent, COUNT(*) FROM runs WHERE {_CLAIMABLE} AND agent NOT IN ({_names(agents)}) "
            "AND status = 'queued' AND not_before < now_us() - :longer_than "
            "AND (SELECT taken_by FROM sessions WHERE sessions.id = runs.session_id) IS NULL GROUP BY agent",
            {"longer_than": longer_than // timedelta(microseconds=1), **_named(agents)},
        )
        return {str(agent): int(count) for agent, count in rows}

    async def resume(self, run_id: str) -> bool:
        """Queue a paused run again, at its old place. Return False when it was not paused, or still waits for somebody.

        The session must be locked.
        """
        changed = await self._connection.run(
            f"UPDATE runs SET {_after('resume')}, not_before = now_us() WHERE id = :id AND {_takes('resume')} "
            "AND NOT EXISTS (SELECT 1 FROM requests WHERE run_id = :id AND status = 'open')",
            {"id": run_id},
        )
        return changed == 1

    async def stop(self, run: Run) -> bool:
        """Take a run out of the queue for good; whoever runs it loses it. Return False when it had ended."""
        changed = await self._connection.run(
            f"UPDATE runs SET {_after('stop')}, epoch = epoch + 1, owner = NULL, lease_until = NULL, "
            f"finished_at = now_us() WHERE id = :id AND {_takes('stop')}",
            {"id": run.id},
        )
        await self._unblock_next(run.session_id)
        return changed == 1

    async def unfinished(self, session_id: str) -> list[Run]:
        """Return a session's unfinished runs, the oldest first."""
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM runs WHERE session_id = :session_id AND {unfinished()} ORDER BY seq",
            {"session_id": session_id},
        )
        return [_run(row) for row in rows]

    async def get(self, run_id: str) -> Run:
        """Return a run, or raise NotFound."""
        row = await self._connection.one(f"SELECT {_COLUMNS} FROM runs WHERE id = :id", {"id": run_id})
        if row is None:
            raise NotFound("run", run_id)
        return _run(row)

    async def _owned(self, run: Run, where: str, changes: str, **params: Any) -> None:
        changed = await self._connection.run(
            f"UPDATE runs SET {changes} WHERE id = :id AND epoch = :epoch AND {where}",
            {"id": run.id, "epoch": run.epoch, **params},
        )
        if changed != 1:
            raise LeaseLost.of(run.id, run.epoch)

    async def _end(self, run: Run, move: RunMove, changes: str = "", **params: Any) -> bool:
        """End a run, and let the one behind it be claimed: most have none, which costs nothing to see."""
        row = await self._connection.one(
            f"UPDATE runs SET {_after(move)}, owner = NULL, lease_until = NULL, finished_at = now_us(){changes} "
            f"WHERE id = :id AND epoch = :epoch AND {_takes(move)} RETURNING EXISTS ("
            "SELECT 1 FROM runs AS behind WHERE behind.session_id = :session_id AND behind.blocked = 1 "
            f"AND {unfinished('behind.')})",
            {"id": run.id, "epoch": run.epoch, "session_id": run.session_id, **params},
        )
        if row is None:
            raise LeaseLost.of(run.id, run.epoch)
        if row[0]:
            await self._unblock_next(run.session_id)
        return bool(row[0])

    async def _unblock_next(self, session_id: str) -> None:
        """Let the run that is now the first of its session be claimed. The session must be locked."""
        await self._connection.run(
            "UPDATE runs SET blocked = 0 WHERE blocked = 1 AND seq = "
            f"(SELECT MIN(seq) FROM runs WHERE session_id = :session_id AND {unfinished()})",
            {"session_id": session_id},
        )


def lease_of(run: Run) -> dict[str, Any]:
    """Return the parameters of HELD."""
    return {"held_run": run.id, "held_epoch": run.epoch}


def _microseconds(count: int) -> timedelta:
    return timedelta(microseconds=max(0, int(count)))


def _names(listed: Sequence[str]) -> str:
    return ", ".join(f":{name}" for name in _named(listed))


def _named(listed: Sequence[str]) -> dict[str, str]:
    return {f"listed_{number}": each for number, each in enumerate(listed)}


def _run(row: Row) -> Run:
    names = _COLUMNS.split(", ")
    values = dict(zip(names, row, strict=True))
    values["input"] = json.loads(values["input"])
    for name in ("not_before", "lease_until", "created_at", "finished_at"):
        values[name] = from_us(values[name])
    return Run.model_validate(values)
