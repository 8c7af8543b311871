"""Effects in the database: the ledger of what was really executed."""

from __future__ import annotations

import json
from typing import Any

from pydantic import JsonValue

from handraise.core.effects.effect import Effect
from handraise.core.errors import NotFound
from handraise.core.runs import Run
from handraise.core.states import EFFECT_MOVES, result_of
from handraise.store.connection import Connection, Row, from_us, to_json, to_us
from handraise.store.tables.runs import HELD, lease_of

_COLUMNS = (
    "id, session_id, run_id, request_id, tool, tool_call_id, digest, status, epoch, doubts, result, "
    "started_at, finished_at"
)


class Effects:
    """One row for each call, however often it is tried."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def start(self, effect: Effect, *, run: Run) -> bool:
        """Record that an effect is about to run. Return False when it was started before, or `run` is another's by now.

        One statement, with the fence in it. The time is the database's, unless the effect has one.
        """
        names = [name for name in _COLUMNS.split(", ") if name not in ("started_at", "finished_at")]
        changed = await self._connection.run(
            f"INSERT INTO effects ({', '.join(names)}, started_at) "
            f"SELECT {', '.join(f':{name}' for name in names)}, COALESCE(:started_at, clock_us()) "
            f"WHERE EXISTS ({HELD}) ON CONFLICT DO NOTHING",
            {**_row(effect, *names, "started_at"), **lease_of(run)},
        )
        return changed == 1

    async def change(self, effect: Effect, *, expect: Effect) -> bool:
        """Store how an effect moved on. Return False when it is no longer as expected."""
        changed = await self._connection.run(
            "UPDATE effects SET status = :status, epoch = :epoch, doubts = :doubts, result = :result, "
            "started_at = :started_at, finished_at = :finished_at "
            "WHERE id = :id AND status = :expected_status AND epoch = :expected_epoch AND doubts = :expected_doubts",
            {
                **_row(effect, "id", "status", "epoch", "doubts", "result", "started_at", "finished_at"),
                "expected_status": expect.status,
                "expected_epoch": expect.epoch,
                "expected_doubts": expect.doubts,
            },
        )
        return changed == 1

    async def finish(self, effect_id: str, result: JsonValue, *, run: Run) -> bool:
        """Record what came of an effect that `run` started. Return False when it is another's by now.

        One statement, with the fence in it: nobody who finishes needs a view of anything else.
        """
        changed = await self._connection.run(
            f"UPDATE effects SET status = '{result_of(EFFECT_MOVES, 'finish')}', result = :result, "
            "finished_at = clock_us() "
            f"WHERE id = :id AND status = 'started' AND epoch = :held_epoch AND EXISTS ({HELD})",
            {"id": effect_id, "result": to_json(result), **lease_of(run)},
        )
        return changed == 1

    async def of_session(self, session_id: str) -> list[Effect]:
        """Return every effect of a session, in the order they started."""
        rows = await self._connection.all(
            f"SELECT {_COLUMNS} FROM effects WHERE session_id = :session_id ORDER BY started_at, id",
            {"session_id": session_id},
        )
        return [_effect(row) for row in rows]

    async def get(self, effect_id: str) -> Effect:
        """Return an effect, or raise NotFound."""
        row = await self._connection.one(f"SELECT {_COLUMNS} FROM effects WHERE id = :id", {"id": effect_id})
        if row is None:
            raise NotFound("effect", effect_id)
        return _effect(row)


def _row(effect: Effect, *names: str) -> dict[str, Any]:
    values = effect.model_dump(mode="json") | {
        "result": to_json(effect.result),
        "started_at": to_us(effect.started_at),
        "finished_at": to_us(effect.finished_at),
    }
    return {name: values[name] for name in names}


def _effect(row: Row) -> Effect:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    values["result"] = json.loads(values["result"])
    for name in ("started_at", "finished_at"):
        values[name] = from_us(values[name])
    return Effect.model_validate(values)
