"""`/metrics`: the counts of all time in Prometheus' text format.

Labels are closed sets only, so that no series is ever added by what customers, agents or operators write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from handraise.insights.figures import figures_of
from handraise.store.connection import from_us
from handraise.store.measures import BOUNDS, DECISIONS, LAPSES, SECOND, TYPES, WAITS, Wait
from handraise.store.store import Store, Transaction
from handraise.store.tables.counts import CURSOR, Counts

router = APIRouter(tags=["Service"])

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Family = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily

_WAITS: Mapping[Wait, str] = {
    "response": "From opened to decided, of decided requests.",
    "claim": "From opened to the first claim, of claimed requests.",
    "handling": "From the decider's claim to the decision.",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot(Collector):
    """What the store says at one moment."""

    total: Counts
    types: Mapping[str, Counts]
    now: datetime
    oldest: datetime | None
    behind: int

    def collect(self) -> Iterator[Family]:
        """Yield every metric."""
        total = self.total
        yield _counter("sessions", "Sessions begun.", total.get("sessions", 0))
        yield _counter("sessions_assisted", "Sessions that asked a person.", total.get("assisted", 0))
        yield self._by_type("requests_opened", "Requests opened for operators.", "opened")
        decided = CounterMetricFamily(
            "handraise_requests_decided", "Requests decided.", labels=["question_type", "decision"]
        )
        for kind in TYPES:
            for decision in DECISIONS:
                decided.add_metric([kind, decision], self.types.get(kind, {}).get(decision, 0))
        yield decided
        expired = CounterMetricFamily(
            "handraise_requests_expired", "Requests nobody decided in time, by what came instead.", labels=["fallback"]
        )
        for lapse in LAPSES:
            expired.add_metric([lapse], total.get(f"expired_{lapse}", 0))
        yield expired
        yield _counter("requests_withdrawn", "Requests withdrawn before they were decided.", total.get("withdrawn", 0))
        lost = sum(total.get(f"expired_{lapse}", 0) for lapse in LAPSES) + total.get("given_up", 0)
        yield _counter("requests_unanswered", "Requests closed without an answer, expired or after 60 s.", lost)
        yield _counter("requests_doubted", "Calls whose outcome a crash hid.", total.get("doubted", 0))
        yield _counter("requests_claimed", "Requests claimed at least once.", total.get("claimed", 0))
        yield _counter("decisions_quick", "Decisions less than 2 s after the person had it.", total.get("quick", 0))
        yield _counter("questions_repeated", "Questions that had been asked before.", total.get("repeated", 0))
        yield _counter("knowledge_uses", "Entries given to agents.", total.get("uses", 0))
        yield _counter("knowledge_reuses", "Entries from people's answers given to agents.", total.get("reuses", 0))
        yield GaugeMetricFamily("handraise_requests_open", "Open requests.", value=figures_of(total).open)
        age = max(0.0, (self.now - self.oldest).total_seconds()) if self.oldest else 0.0
        yield GaugeMetricFamily("handraise_requests_open_oldest_seconds", "Age of the oldest open request.", value=age)
        yield GaugeMetricFamily("handraise_insights_behind_events", "Events not counted yet.", value=self.behind)
        for wait in WAITS:
            yield self._histogram(wait)

    def _by_type(self, name: str, text: str, measure: str) -> Family:
        family = CounterMetricFamily(f"handraise_{name}", text, labels=["question_type"])
        for kind in TYPES:
            family.add_metric([kind], self.types.get(kind, {}).get(measure, 0))
        return family

    def _histogram(self, wait: Wait) -> Family:
        family = HistogramMetricFamily(f"handraise_{wait}_seconds", _WAITS[wait], labels=["question_type"])
        bounds = [str(float(bound // SECOND)) for bound in BOUNDS] + ["+Inf"]
        for kind in TYPES:
            counts = self.types.get(kind, {})
            seen, buckets = 0, []
            for number, bound in enumerate(bounds):
                seen += counts.get(f"{wait}_{number}", 0)
                buckets.append((bound, seen))
            family.add_metric([kind], buckets, counts.get(f"{wait}_us", 0) / SECOND)
        return family


class Scrapes:
    """Reads the store for one scrape at a time: whoever scrapes meanwhile gets the same answer.

    So scrapes never hold more than one of the store's readers, and decisions find the others free.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._running: asyncio.Task[bytes] | None = None

    async def text(self) -> bytes:
        """Return the metrics."""
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._scrape(), name="handraise-scrape")
        # Shielded: one scraper that leaves must not take the answer from the others.
        return await asyncio.shield(self._running)

    async def _scrape(self) -> bytes:
        registry = CollectorRegistry(auto_describe=False)
        registry.register(await self._store.read(snapshot))
        return generate_latest(registry)


async def snapshot(tx: Transaction) -> Snapshot:
    """Read what there is to tell, in a handful of rows however long the history is."""
    return Snapshot(
        total=(await tx.insights.ever("all")).get("", {}),
        types=await tx.insights.ever("type"),
        now=await tx.now(),
        oldest=from_us(await tx.insights.oldest_open()),
        behind=await tx.events.head() - await tx.cursors.get(CURSOR),
    )


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def read_metrics(request: Request) -> Response:
    """Tell Prometheus the counts of all time; the setting `metrics` says who may read them without a key."""
    scrapes = request.app.state.scrapes
    if not isinstance(scrapes, Scrapes):
        raise TypeError("create_app puts Scrapes here")
    return Response(await scrapes.text(), media_type=CONTENT_TYPE)


def _counter(name: str, text: str, value: int) -> Family:
    return CounterMetricFamily(f"handraise_{name}", text, value=value)
