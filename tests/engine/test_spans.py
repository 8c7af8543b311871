"""Traces: agents, tools and reviews as OpenTelemetry tells them, across a pause and a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from handraise.core.decisions import Approve
from handraise.core.errors import Misconfigured
from handraise.engine.runs.spans import Spans
from handraise.service.settings.settings import Tracing
from handraise.service.tracing import tracer_for
from tests.engine.world import ANN, Bank, ask, open_requests, paying_agent, running, until
from tests.patience import patiently


def tracing() -> tuple[Spans, InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return Spans(provider.get_tracer("test")), exporter


def by_name(exporter: InMemorySpanExporter) -> dict[str, list[ReadableSpan]]:
    found: dict[str, list[ReadableSpan]] = {}
    for span in exporter.get_finished_spans():
        found.setdefault(span.name, []).append(span)
    return found


async def ended(exporter: InMemorySpanExporter, name: str) -> None:
    """Wait for a span: it ends just after what it tells of is on record."""
    for _ in patiently():
        if name in by_name(exporter):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"no span {name} ended: {by_name(exporter)}")


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


async def test_a_span_ends_at_the_pause_and_the_resume_links_to_it(database_url: str, tmp_path: Path) -> None:
    bank = Bank(tmp_path / "bank.txt")
    spans, exporter = tracing()
    async with running(database_url, paying_agent(bank), spans=spans) as engine:
        session_id = await ask(engine)
        await until(engine, session_id, "request.opened")
        [request] = await open_requests(engine, session_id)
        await ended(exporter, "invoke_agent teller")
    [asking] = by_name(exporter)["invoke_agent teller"]
    assert attributes(asking)["gen_ai.operation.name"] == "invoke_agent"
    assert attributes(asking)["gen_ai.conversation.id"] == session_id
    assert attributes(asking)["hitl.paused"] is True
    assert [event.name for event in asking.events] == ["hitl.request"]

    # Another process goes on.
    spans, exporter = tracing()
    async with running(database_url, paying_agent(bank), spans=spans) as engine:
        await engine.inbox.decide(request.id, Approve(), by=ANN)
        await until(engine, session_id, "run.finished")
        await ended(exporter, "invoke_agent teller")
    found = by_name(exporter)
    [resumed], [review], [tool] = found["invoke_agent teller"], found["hitl.review pay"], found["execute_tool pay"]
    for linked in (resumed, review):
        [link] = linked.links
        assert asking.context is not None
        assert (link.context.trace_id, link.context.span_id) == (asking.context.trace_id, asking.context.span_id)
    assert attributes(resumed)["hitl.resumed"] is True
    said = attributes(review)
    assert (said["hitl.request.id"], said["hitl.decision.type"], said["hitl.decided_by.id"]) == (
        request.id,
        "approve",
        "ann",
    )
    assert resumed.context is not None
    assert tool.context is not None
    assert tool.context.trace_id == resumed.context.trace_id
    assert attributes(tool) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "pay",
        "gen_ai.tool.call.id": "call_1_0",
        "gen_ai.tool.type": "function",
    }


async def test_without_a_tracer_nothing_is_traced(sqlite_url: str, tmp_path: Path) -> None:
    async with running(sqlite_url, paying_agent(Bank(tmp_path / "bank.txt"))) as engine:
        session_id = await ask(engine)
        await until(engine, session_id, "request.opened")
        [run] = await engine.store.read(lambda tx: tx.runs.unfinished(session_id))
        assert run.trace is None


def test_tracing_is_off_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with tracer_for(Tracing()) as tracer:
        assert tracer is None
    with tracer_for(Tracing(enabled=True)) as tracer:
        assert tracer is not None
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(Misconfigured, match="handraise\\[otel\\]"), tracer_for(Tracing(enabled=True)):
        pass
