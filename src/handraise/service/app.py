"""The application: every route on one engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from handraise import __version__
from handraise.core.languages import Language
from handraise.engine.engine import Engine
from handraise.knowledge.serving import KnowledgeBase
from handraise.service.auth.authentication import Authentication, admit
from handraise.service.auth.permissions import check_permissions
from handraise.service.chat_api import routes as chat_routes
from handraise.service.help_desk_api import routes as help_desk_routes
from handraise.service.help_desk_api import socket as help_desk_socket
from handraise.service.http.bodies import LimitBodies
from handraise.service.http.headers import SecurityHeaders
from handraise.service.http.hosts import KnownHosts
from handraise.service.http.problems import EVERYWHERE, add_problem_handlers, problem_responses
from handraise.service.http.request_ids import RequestIds
from handraise.service.live.feed import Feed
from handraise.service.live.streams import CutStreams
from handraise.service.openapi import describe
from handraise.service.pages.api_docs import api_page
from handraise.service.routes import (
    audit,
    insights,
    knowledge,
    live,
    metrics,
    operators,
    past_answers,
    readiness,
    requests,
    sessions,
    sign_in,
    takeover,
    tickets,
)
from handraise.service.routes.console import add_pages
from handraise.service.settings.settings import Settings

PARTS = (
    sign_in,
    chat_routes,
    help_desk_routes,
    help_desk_socket,
    sessions,
    takeover,
    requests,
    past_answers,
    live,
    tickets,
    knowledge,
    insights,
    operators,
    audit,
    metrics,
    readiness,
)
"""Every module with routes, in the order in which the API's documentation shows them."""


class Info(BaseModel):
    """What this service is."""

    version: str
    agents: list[str]
    scripted: bool
    samples: dict[Language, list[str]] = Field(description="What a customer may want to write first, by language.")


@dataclass(frozen=True, kw_only=True)
class About:
    """What the pages say of the agents."""

    scripted: bool = False
    samples: Mapping[Language, list[str]] = field(default_factory=dict)


def create_app(
    engine: Engine, feed: Feed, authentication: Authentication, base: KnowledgeBase, about: About | None = None
) -> FastAPI:
    """Return the application on parts which its caller opens first and closes last."""
    app = FastAPI(
        title="Handraise",
        version=__version__,
        summary="The human side of AI agents.",
        # FastAPI's own page comes from another site, which a closed network does not reach; ours is below.
        docs_url=None,
        redoc_url=None,
        dependencies=[Depends(admit)],
        responses=problem_responses(*EVERYWHERE),
    )
    app.state.engine = engine
    app.state.feed = feed
    app.state.authentication = authentication
    app.state.knowledge = base
    app.state.scrapes = metrics.Scrapes(engine.store)
    _add_middleware(app, authentication.settings)
    add_problem_handlers(app)

    @app.head("/healthz", include_in_schema=False)
    @app.get("/healthz", tags=["Service"])
    async def healthz() -> dict[str, str]:
        """Say that the process answers."""
        return {"status": "ok"}

    @app.get("/api/v1/info", tags=["Service"])
    async def info() -> Info:
        """Say what this service is."""
        told = about or About()
        return Info(version=__version__, agents=engine.agent_names, scripted=told.scripted, samples=dict(told.samples))

    @app.head("/api/docs", include_in_schema=False)
    @app.get("/api/docs", include_in_schema=False)
    async def documentation(request: Request) -> HTMLResponse:
        """Show the API's documentation."""
        chinese = request.headers.get("accept-language", "").lower().startswith("zh")
        return HTMLResponse(api_page(app.openapi(), language="zh" if chinese else "en"))

    for part in PARTS:
        app.include_router(part.router)
    add_pages(app)
    check_permissions(app)
    describe(app)
    return app


def _add_middleware(app: FastAPI, settings: Settings) -> None:
    """Add the layers around the routes, the innermost first."""
    app.add_middleware(LimitBodies, at_most=settings.limits.body_bytes)
    public = urlsplit(settings.public_url).hostname
    app.add_middleware(KnownHosts, hosts=[*settings.hosts, *([public] if public else [])])
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestIds)
    limits = settings.limits
    app.add_middleware(CutStreams, stall_seconds=limits.stall_seconds, stream_seconds=limits.stream_seconds)
