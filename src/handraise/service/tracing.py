"""Tracing: a tracer that sends spans over OTLP, where settings ask for one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from handraise import __version__
from handraise.core.errors import Misconfigured
from handraise.service.settings.settings import Tracing


@contextmanager
def tracer_for(settings: Tracing) -> Iterator[Any]:
    """Yield a tracer, or None when tracing is off. What was traced is sent before this ends."""
    if not settings.enabled:
        yield None
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError as error:
        raise Misconfigured(
            f"Tracing needs the package {error.name!r}, which is not installed.",
            fix="Run: pip install 'handraise[otel]', or set tracing.enabled = false.",
        ) from None
    provider = TracerProvider(resource=Resource.create({"service.name": "handraise", "service.version": __version__}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    try:
        yield provider.get_tracer("handraise", __version__)
    finally:
        provider.shutdown()
