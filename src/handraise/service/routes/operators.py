"""Routes for those who manage people: who the operators are, and which API keys there are."""

from __future__ import annotations

from fastapi import APIRouter, Response

from handraise.core.errors import NotFound
from handraise.core.log.chain import INSTALLATION
from handraise.core.log.installation import KeyRevoked
from handraise.core.people import Credential, Operator
from handraise.engine.desk.conversations import hand_back_all
from handraise.service.auth.authentication import IdentityHere
from handraise.service.dependencies import EngineHere
from handraise.store.store import Transaction

router = APIRouter(prefix="/api/v1", tags=["People"])


@router.get("/operators")
async def list_operators(engine: EngineHere) -> list[Operator]:
    """List the operators."""
    return await engine.store.read(lambda tx: tx.people.operators())


@router.get("/keys")
async def list_keys(engine: EngineHere) -> list[Credential]:
    """List the API keys, without their secrets."""
    return await engine.store.read(lambda tx: tx.people.keys())


@router.delete("/keys/{key_id}", status_code=204)
async def revoke_key(key_id: str, engine: EngineHere, identity: IdentityHere) -> Response:
    """Revoke an API key; it stops working at once, and what it had taken over is back with its agent."""

    async def revoke(tx: Transaction) -> None:
        if key_id not in {key.id for key in await tx.people.keys()} or not await tx.people.end(key_id):
            raise NotFound("key", key_id)
        await hand_back_all(tx, key_id, by=identity.actor())
        tx.events.append(INSTALLATION, KeyRevoked(key_id=key_id), by=identity.actor())

    await engine.store.write(revoke)
    return Response(status_code=204)
