"""The OpenAPI document, without starting anything."""

from __future__ import annotations

from typing import Any

from handraise.engine.engine import Engine
from handraise.knowledge.serving import KnowledgeBase
from handraise.service.app import create_app
from handraise.service.auth.authentication import Authentication
from handraise.service.live.feed import Feed
from handraise.service.settings.settings import Settings
from handraise.store.opening import open_store


def document() -> dict[str, Any]:
    """Return the document that a running service has at /openapi.json."""
    engine = Engine(store=open_store("unused.db"), database_url="unused.db", agents={})
    authentication = Authentication(engine.store, Settings(), demo=False, anonymous=True)
    feed, base = Feed(engine.store, engine.deltas), KnowledgeBase(engine.store)
    return create_app(engine, feed, authentication, base).openapi()
