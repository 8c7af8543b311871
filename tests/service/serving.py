"""A service in this process, on real sockets, with settings and routes of the test's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from handraise.demo.shop import build_agent
from handraise.engine.engine import Engine
from handraise.insights.follower import CountsFollower
from handraise.knowledge.serving import KnowledgeBase
from handraise.service.app import create_app
from handraise.service.auth.authentication import Authentication
from handraise.service.live.feed import Feed
from handraise.service.server import Server, listen
from handraise.service.settings.settings import Settings
from handraise.store.opening import open_store


@asynccontextmanager
async def serving(
    folder: Path,
    settings: Settings | None = None,
    *,
    add_routes: Callable[[FastAPI], None] = lambda _: None,
    anonymous: bool = True,
) -> AsyncIterator[tuple[str, Engine]]:
    """Serve the demo's agent and yield the address and the engine."""
    settings = settings or Settings()
    url = f"sqlite:///{folder / 'handraise.db'}"
    engine = Engine(store=open_store(url), database_url=url, agents={"shop": build_agent(folder / "shop.db")})
    base = KnowledgeBase(engine.store)
    async with engine.store as store, base, engine, CountsFollower(store), Feed(store, engine.deltas) as feed:
        app = create_app(engine, feed, Authentication(store, settings, demo=True, anonymous=anonymous), base)
        add_routes(app)
        server = Server(app, feed, settings)
        ready = asyncio.Event()
        server.when_ready = ready.set
        taken = listen("127.0.0.1", 0)
        task = asyncio.create_task(server.serve(sockets=[taken]))
        await ready.wait()
        try:
            yield f"http://127.0.0.1:{taken.getsockname()[1]}", engine
        finally:
            feed.cut_all()
            server.should_exit = True
            await task
