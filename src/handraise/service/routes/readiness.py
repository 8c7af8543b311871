"""`/readyz`: whether this process can do its work now, and what keeps it from it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from handraise.core.errors import HandraiseError
from handraise.engine.engine import Engine
from handraise.service.dependencies import EngineHere
from handraise.store.migrations import MIGRATIONS

router = APIRouter(tags=["Service"])

PATIENCE = 3.0
"""How long the database may take to answer, in seconds."""

Part = Literal["database", "migrations", "worker", "sweeper"]


class Readiness(BaseModel):
    """`ready` when every part is `ok`; else what is wrong with each."""

    status: Literal["ready", "not ready"]
    parts: dict[Part, str]


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz", responses={503: {"model": Readiness, "description": "Something keeps it from working."}})
async def readyz(engine: EngineHere, response: Response) -> Readiness:
    """Return whether this process can work: database, schema, and the loops that run agents and keep deadlines."""
    checks: dict[Part, Callable[[Engine], Awaitable[str]]] = {
        "database": _database,
        "migrations": _migrations,
        "worker": _worker,
        "sweeper": _sweeper,
    }
    parts = {part: await check(engine) for part, check in checks.items()}
    ready = all(state == "ok" for state in parts.values())
    response.status_code = 200 if ready else 503
    return Readiness(status="ready" if ready else "not ready", parts=parts)


async def _database(engine: Engine) -> str:
    try:
        async with asyncio.timeout(PATIENCE):
            await engine.store.read(lambda tx: tx.now())
    except TimeoutError:
        return f"does not answer within {PATIENCE:g} s"
    except HandraiseError:
        return "is not available; the log says why"
    return "ok"


async def _migrations(engine: Engine) -> str:
    try:
        async with asyncio.timeout(PATIENCE):
            applied = await engine.store.read(lambda tx: tx.schema())
    except (TimeoutError, HandraiseError):
        return "cannot be read"
    if applied == len(MIGRATIONS):
        return "ok"
    return f"the schema is {applied}, and this version works with {len(MIGRATIONS)}"


async def _worker(engine: Engine) -> str:
    return "ok" if engine.worker_alive else "does not run; start this process again"


async def _sweeper(engine: Engine) -> str:
    return "ok" if engine.deadlines.alive else "does not run; start this process again"
