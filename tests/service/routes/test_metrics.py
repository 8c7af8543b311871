"""`/metrics`: what Prometheus' own parser reads, whom it is for, and that reading it keeps nobody from deciding."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from threading import Event as ThreadEvent

import httpx
import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from handraise.core.decisions import Approve
from handraise.core.requests import Request
from handraise.engine.desk.inbox import Inbox
from handraise.insights.follower import CountsFollower
from handraise.service.routes import metrics
from handraise.service.routes.metrics import Scrapes, Snapshot
from handraise.service.settings.settings import Settings
from handraise.store.store import Store, Transaction
from handraise.store.tables.people import new_secret
from tests.insights.histories import History, on_record, write
from tests.insights.test_counts import EVERYTHING
from tests.patience import PATIENCE
from tests.service.desk import RunningDesk
from tests.service.serving import serving
from tests.store.samples import ANN, a_request, add_sessions, open_requests

pytestmark = pytest.mark.real

SCRAPERS = 12


@pytest.fixture
def scraped(desk: RunningDesk) -> str:
    """What a scraper without a key reads on this machine."""
    answer = httpx.get(f"{desk.address}/metrics", timeout=PATIENCE)
    assert answer.headers["content-type"] == metrics.CONTENT_TYPE
    return answer.text


def families(text: str) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(text)}


def test_the_official_parser_reads_it_and_sixty_seconds_is_a_bound(scraped: str) -> None:
    found = families(scraped)

    response = found["handraise_response_seconds"]
    assert response.type == "histogram"
    assert "60.0" in {sample.labels.get("le") for sample in response.samples}
    for family in found.values():
        assert family.name.startswith("handraise_")
        assert family.documentation


def test_labels_are_closed_sets_that_name_nobody(scraped: str) -> None:
    labels = {
        (name, value)
        for family in families(scraped).values()
        for sample in family.samples
        for name, value in sample.labels.items()
        if name != "le"
    }

    assert {name for name, _ in labels} == {"question_type", "decision", "fallback"}
    assert len(labels) == 4 + 4 + 4


async def test_the_metrics_are_the_counts_of_all_time(store: Store) -> None:
    history = History().play(EVERYTHING)
    await write(store, history)
    with on_record(history):
        await CountsFollower(store).catch_up()
        found = families((await Scrapes(store).text()).decode())

    def value(name: str, **labels: str) -> float:
        [sample] = [
            sample for family in found.values() for sample in family.samples
            if sample.name == f"handraise_{name}" and sample.labels == labels
        ]  # fmt: skip
        return sample.value

    assert value("sessions_total") == 2
    assert value("sessions_assisted_total") == 2
    assert value("requests_open") == 2
    assert value("requests_opened_total", question_type="knowledge_gap") == 2
    assert value("requests_decided_total", question_type="risk_confirmation", decision="edit") == 1
    assert value("requests_expired_total", fallback="inform") == 1
    assert value("requests_unanswered_total") == 2
    assert value("knowledge_reuses_total") == 1
    assert value("response_seconds_bucket", question_type="risk_confirmation", le="60.0") == 1
    assert value("response_seconds_sum", question_type="risk_confirmation") == 4
    assert value("insights_behind_events") == 0


async def test_where_metrics_need_a_key_nobody_else_reads_them(tmp_path: Path) -> None:
    async with serving(tmp_path, Settings(metrics="key")) as (address, engine):
        secret = new_secret("key")
        await engine.store.write(lambda tx: tx.people.issue("key", scopes=("insights",), secret=secret))
        async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
            assert (await client.get("/metrics")).status_code == 401
            allowed = await client.get("/metrics", headers={"X-Api-Key": secret})
            assert allowed.status_code == 200


class Held:
    """Scrapes that are held inside the database's read, one thread or connection each, until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reads = 0
        self._entered = asyncio.Semaphore(0)
        self._loop = asyncio.get_running_loop()
        self._let_go, self._let_thread_go = asyncio.Event(), ThreadEvent()
        real = metrics.snapshot

        async def held(tx: Transaction) -> Snapshot:
            self.reads += 1
            self._loop.call_soon_threadsafe(self._entered.release)
            if tx.connection.backend == "sqlite":
                self._let_thread_go.wait(60)  # a read of SQLite has a thread to itself
            else:
                await self._let_go.wait()
            return await real(tx)

        monkeypatch.setattr(metrics, "snapshot", held)

    async def hold(self, scrapes: int) -> None:
        """Wait until so many scrapes are held."""
        for _ in range(scrapes):
            await self._entered.acquire()

    def let_go(self) -> None:
        self._let_go.set()
        self._let_thread_go.set()


@pytest.fixture
async def held(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Held]:
    found = Held(monkeypatch)
    yield found
    found.let_go()


async def ask(store: Store) -> None:
    await add_sessions(store, "s1")
    await open_requests(store, *(a_request(f"r{number}") for number in range(5)))


def decide(store: Store) -> asyncio.Future[list[Request]]:
    inbox = Inbox(store)
    return asyncio.gather(*(inbox.decide(f"r{number}", Approve(), by=ANN) for number in range(5)))


async def test_decisions_go_on_while_scrapes_are_in_flight(store: Store, held: Held) -> None:
    await ask(store)
    scrapes = Scrapes(store)
    scrapers = [asyncio.create_task(scrapes.text()) for _ in range(SCRAPERS)]
    await held.hold(1)

    decided = await decide(store)

    assert {request.status for request in decided} == {"decided"}
    assert not any(scrape.done() for scrape in scrapers)
    held.let_go()
    assert len(set(await asyncio.gather(*scrapers))) == 1
    assert held.reads == 1


async def test_scrapes_that_each_read_for_themselves_keep_decisions_waiting(store: Store, held: Held) -> None:
    """The control: the same scrapes, not shared, take every reader that the store has."""
    await ask(store)
    readers = 4 if await _backend(store) == "sqlite" else 10
    scrapers = [asyncio.create_task(Scrapes(store).text()) for _ in range(SCRAPERS)]
    await held.hold(readers)

    deciding = decide(store)
    done, _ = await asyncio.wait([deciding], timeout=0.3)

    assert not done
    held.let_go()
    await asyncio.gather(deciding, *scrapers)


async def _backend(store: Store) -> str:
    async def name(tx: Transaction) -> str:
        return tx.connection.backend

    return await store.read(name)
