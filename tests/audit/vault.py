"""A service in this process whose agent pays with 80 secrets, and everything that comes out of it."""

from __future__ import annotations

import asyncio
import io
import logging
import random
import string
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

import httpx
import structlog
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import BaseModel, Field

from handraise import HumanInTheLoopMiddleware
from handraise.core.masking import Secrets
from handraise.engine.engine import Engine
from handraise.engine.runs.spans import Spans
from handraise.knowledge.serving import KnowledgeBase
from handraise.service.app import create_app
from handraise.service.auth.authentication import Authentication
from handraise.service.channels import courier_of
from handraise.service.live.feed import Feed
from handraise.service.logs import set_up_logs
from handraise.service.server import Server, listen
from handraise.service.settings.settings import Channels, Logs, Settings
from handraise.store.opening import open_store
from handraise.store.store import Store, Transaction
from handraise.store.tables.people import new_secret
from handraise.testing import ScriptedModel
from tests.patience import PATIENCE
from tests.running import UNUSED

CALLS = 20
"""Each with four secrets."""


def _random(chance: random.Random, count: int) -> str:
    return "".join(chance.choices(string.ascii_letters + string.digits, k=count))


def a_card(chance: random.Random) -> str:
    """Return a card number that a bank could give."""
    digits = [4, *(chance.randrange(10) for _ in range(14))]
    doubled = [digit * 2 if place % 2 == 0 else digit for place, digit in enumerate(reversed(digits))]
    total = sum(digit - 9 if digit > 9 else digit for digit in doubled)
    return "".join(map(str, [*digits, -total % 10]))


def planted() -> list[dict[str, Any]]:
    """Return the arguments of each call: a card, a key, a token and a pass phrase with quotes in it."""
    chance = random.Random(80)
    return [
        {
            "card": {"number": a_card(chance), "holder": f"Holder {number}"},
            "api_key": f"sk-live-{_random(chance, 24)}",
            "accounts": [{"bank": "blue", "access_token": f"ghp_{_random(chance, 30)}"}],
            "pin": f'{_random(chance, 8)}"{_random(chance, 8)}',
            "amount": float(number),
        }
        for number in range(CALLS)
    ]


def secrets_in(args: dict[str, Any]) -> list[str]:
    return [args["card"]["number"], args["api_key"], args["accounts"][0]["access_token"], args["pin"]]


class Card(BaseModel):
    number: str = Field(json_schema_extra={"sensitive": True})
    holder: str


@dataclass
class Vault:
    """What the tool got, and what came out anywhere."""

    address: str = ""
    key: str = ""
    paid: list[dict[str, Any]] = field(default_factory=list)
    logs: io.StringIO = field(default_factory=io.StringIO)

    traces: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)

    def tracing(self) -> Spans:
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self.traces))
        return Spans(provider.get_tracer("vault"))

    def client(self, **headers: str) -> httpx.AsyncClient:
        given = headers or {"X-Api-Key": self.key}
        return httpx.AsyncClient(base_url=self.address, timeout=PATIENCE, headers=given, verify=UNUSED)


def paying_agent(vault: Vault, calls: Sequence[dict[str, Any]]) -> Any:
    @tool
    async def charge(
        card: Card,
        api_key: str,
        accounts: list[dict[str, str]],
        amount: float,
        pin: Annotated[str, Field(json_schema_extra={"format": "password"})],
    ) -> str:
        """Charge a card."""
        got = {"card": card.model_dump(), "api_key": api_key, "accounts": accounts, "pin": pin, "amount": amount}
        vault.paid.append(got)
        if int(amount) % 4 == 3:
            raise RuntimeError(f"the bank refused {got}")
        return f"charged {card.number} with {api_key}"

    def script(messages: Sequence[BaseMessage]) -> AIMessage:
        last = messages[-1]
        if isinstance(last, HumanMessage):
            args = calls[int(last.text.split()[-1])]
            return AIMessage("One moment.", tool_calls=[{"name": "charge", "args": args, "id": "call_1"}])
        return AIMessage("Done." if isinstance(last, ToolMessage) else "Nothing.")

    return create_agent(ScriptedModel(script=script), [charge], middleware=[HumanInTheLoopMiddleware({"charge": True})])


@asynccontextmanager
async def serving_vault(url: str, calls: Sequence[dict[str, Any]], *, webhook: str) -> AsyncIterator[Vault]:
    """Serve the agent, tell a webhook about everything, and log as JSON."""
    vault, secrets = Vault(), Secrets()
    channels = Channels(
        webhooks=(webhook,), webhook_secret="x" * 20, webhooks_may_be_private=True, tell=("new", "urgent", "soon_due")
    )
    settings = Settings(channels=channels, logs=Logs(format="json"))
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = [*root.handlers], root.level
    set_up_logs(settings.logs, secrets, to=vault.logs)
    engine = Engine(
        store=open_store(url),
        database_url=url,
        agents={"bank": paying_agent(vault, calls)},
        secrets=secrets,
        spans=vault.tracing(),
    )
    base = KnowledgeBase(engine.store)
    courier = courier_of(channels, engine.store, address="http://here")
    try:
        async with engine.store as store, base, engine, courier, Feed(store, engine.deltas) as feed:
            vault.key = await a_leads_key(store)
            app = create_app(engine, feed, Authentication(store, settings, demo=False, anonymous=True), base)
            server = Server(app, feed, settings)
            ready = asyncio.Event()
            server.when_ready = ready.set
            taken = listen("127.0.0.1", 0)
            vault.address = f"http://127.0.0.1:{taken.getsockname()[1]}"
            task = asyncio.create_task(server.serve(sockets=[taken]))
            await ready.wait()
            try:
                yield vault
            finally:
                feed.cut_all()
                server.should_exit = True
                await task
    finally:
        structlog.configure(**before)
        root.handlers[:], root.level = handlers, level


async def a_leads_key(store: Store) -> str:
    secret = new_secret("key")

    async def work(tx: Transaction) -> None:
        await tx.people.add_operator("ada", name="Ada", role="lead")
        await tx.people.issue("key", operator_id="ada", secret=secret)

    await store.write(work)
    return secret
