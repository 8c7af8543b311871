"""Serving: from an engine to a running process that tells people where to look."""

from __future__ import annotations

import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

import uvicorn
from fastapi import FastAPI

from handraise.audit.retention import Retention
from handraise.audit.sealer import Sealer
from handraise.core.errors import Misconfigured
from handraise.engine.engine import Engine
from handraise.insights.follower import CountsFollower
from handraise.knowledge.serving import KnowledgeBase
from handraise.service.app import About, create_app
from handraise.service.auth.authentication import Authentication
from handraise.service.channels import courier_of
from handraise.service.first_run import Welcome, welcome
from handraise.service.live.feed import Feed
from handraise.service.settings.settings import LOOPBACK, Settings, is_loopback
from handraise.store.store import Store

TRIES = 50
STALLED_MS = 60_000
"""How long the system keeps a connection whose other end takes nothing, before it drops it."""


@dataclass(frozen=True, kw_only=True)
class Started:
    """What to tell whoever started the service, once it answers."""

    address: str
    port: int
    welcome: Welcome | None


async def serve(
    engine: Engine,
    settings: Settings,
    *,
    demo: bool,
    ready: Callable[[Started], None],
    about: About | None = None,
    prepare: Callable[[Store], Awaitable[None]] | None = None,
) -> None:
    """Serve until the process is told to stop. `prepare` fills the store first; `ready` is called once it answers."""
    local = is_loopback(settings.host)
    if demo and not local:
        raise _open_to_everyone(settings.host, "the demo lets everyone in", "Use --host 127.0.0.1.")
    async with engine.store as store:
        if not local:
            await _must_be_guarded(store, settings)
        taken = listen(settings.host, settings.port)
        first = await welcome(store, settings, demo=demo)
        anonymous = settings.anonymous == "always" or (settings.anonymous == "loopback" and local)
        authentication = Authentication(store, settings, demo=demo, anonymous=anonymous)
        kept = settings.knowledge
        base = KnowledgeBase(store, capture=kept.capture, embeddings=kept.embeddings or None)
        # The knowledge base before the engine: a run that waits in the queue may search it at once.
        async with base:
            if prepare is not None:
                await prepare(store)
            host, port = taken.getsockname()[:2]
            address = settings.public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
            retention = Retention(store, days=settings.audit.retention_days)
            courier = courier_of(settings.channels, store, address=address)
            sealer, counting = Sealer(store), CountsFollower(store)
            async with engine, courier, sealer, retention, counting, Feed(store, engine.deltas) as feed:
                server = Server(create_app(engine, feed, authentication, base, about), feed, settings)
                server.when_ready = lambda: ready(Started(address=address, port=port, welcome=first))
                with _quiet_after_stop():
                    await server.serve(sockets=[taken])


def listen(host: str, port: int) -> socket.socket:
    """Take `port`, or the next free one after it; 0 takes any."""
    last = port if port == 0 else min(port + TRIES, 65_535)
    for candidate in range(port, last + 1):
        taken = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
        try:
            taken.bind((host, candidate))
            taken.listen(2048)
        except PermissionError:
            taken.close()
            raise Misconfigured(f"Port {candidate} is reserved.", fix="Use one above 1023, e.g. --port 2024.") from None
        except socket.gaierror as error:
            taken.close()
            raise Misconfigured(f"The address {host} is unknown: {error}.", fix="Use --host 127.0.0.1.") from None
        except OSError:
            taken.close()
        else:
            return taken
    raise Misconfigured(
        f"No port from {port} to {last} is free on {host}.", fix="Name another with --port, or 0 for any."
    )


async def _must_be_guarded(store: Store, settings: Settings) -> None:
    if not settings.oidc.issuer and not await store.read(lambda tx: tx.people.anyone()):
        raise _open_to_everyone(
            settings.host,
            "this service has no authentication configured",
            "Run `handraise operators add NAME` first, or set oidc.issuer; or use --host 127.0.0.1.",
        )
    if settings.hosts == LOOPBACK and not settings.public_url:
        raise _open_to_everyone(
            settings.host,
            "no name is set under which it is reached",
            'Set public_url = "https://..." or hosts = ["..."] in handraise.toml.',
        )


def _open_to_everyone(host: str, why: str, fix: str) -> Misconfigured:
    return Misconfigured(f"The address {host} is not loopback, and {why}.", fix=fix)


class Server(uvicorn.Server):
    """Uvicorn, which cuts live streams when it is told to stop instead of waiting for their readers to go."""

    def __init__(self, app: FastAPI, feed: Feed, settings: Settings) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="off",
                log_level="warning",
                # Its lines go through our own logging.
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=5,
                ws_max_size=settings.limits.frame_bytes,
            )
        )
        self.when_ready: Callable[[], None] = lambda: None
        self._feed = feed

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.when_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._feed.cut_all()


@contextmanager
def _quiet_after_stop() -> Iterator[None]:
    """Uvicorn raises the signal again after a clean stop; by then there is nothing left to interrupt."""
    before = {sig: signal.signal(sig, lambda *_: None) for sig in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for sig, handler in before.items():
            signal.signal(sig, handler)
