"""Idempotency: under one key a call is made once, and answered the same every time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import BaseModel

from handraise.store.store import Transaction
from handraise.store.tables.idempotency import IdempotentCall

M = TypeVar("M", bound=BaseModel)


async def once(tx: Transaction, call: IdempotentCall | None, kind: type[M], work: Callable[[], Awaitable[M]]) -> M:
    """Do `work` unless this call did it before; then return what it returned. Both are in one transaction."""
    if call is None:
        return await work()
    before = await tx.idempotency_keys.reserve(call)
    if before is not None:
        return kind.model_validate_json(before)
    result = await work()
    await tx.idempotency_keys.keep(call, result.model_dump_json())
    return result
