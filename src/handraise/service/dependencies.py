"""How a route gets at the engine, the feed and the knowledge base of its application."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from handraise.engine.engine import Engine
from handraise.knowledge.serving import KnowledgeBase
from handraise.service.live.feed import Feed


def engine_of(connection: HTTPConnection) -> Engine:
    """Return the application's engine."""
    engine = connection.app.state.engine
    if not isinstance(engine, Engine):
        raise TypeError("create_app puts an Engine here")
    return engine


def feed_of(connection: HTTPConnection) -> Feed:
    """Return the application's feed."""
    feed = connection.app.state.feed
    if not isinstance(feed, Feed):
        raise TypeError("create_app puts a Feed here")
    return feed


def knowledge_of(connection: HTTPConnection) -> KnowledgeBase:
    """Return the application's knowledge base."""
    knowledge = connection.app.state.knowledge
    if not isinstance(knowledge, KnowledgeBase):
        raise TypeError("create_app puts a KnowledgeBase here")
    return knowledge


EngineHere = Annotated[Engine, Depends(engine_of)]
FeedHere = Annotated[Feed, Depends(feed_of)]
KnowledgeHere = Annotated[KnowledgeBase, Depends(knowledge_of)]
