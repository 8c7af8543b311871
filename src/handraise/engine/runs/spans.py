"""Spans: what agents, tools and reviewers do, as OpenTelemetry tells it. Nothing happens without a tracer.

Names follow the GenAI conventions (`gen_ai.*`); what concerns people has names of our own (`hitl.*`). A span has ids,
kinds and lengths: never an argument, a message or a result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from handraise.core.effects.ledger import EffectCall
from handraise.core.requests import Request
from handraise.core.runs import Run


class Spans:
    """Makes the spans of one engine. A run's span ends where the run pauses; the next one links to it."""

    def __init__(self, tracer: Any = None) -> None:
        self._tracer = tracer

    @contextmanager
    def agent(self, name: str, run: Run) -> Iterator[None]:
        """Trace an agent from where its run stands to its next pause or its end."""
        if self._tracer is None:
            yield
            return
        from opentelemetry.trace import SpanKind

        attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": name,
            "gen_ai.conversation.id": run.session_id,
            "hitl.run.id": run.id,
            "hitl.resumed": run.trace is not None,
        }
        with self._tracer.start_as_current_span(
            f"invoke_agent {name}",
            kind=SpanKind.INTERNAL,
            attributes=attributes,
            links=_links(run),
            # The words of an exception may be a customer's.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except BaseException as error:
                _failed(span, error)
                raise

    def context(self) -> str | None:
        """Return the current span as a run keeps it, so that its resume can link to it."""
        if self._tracer is None:
            return None
        from opentelemetry import trace

        context = trace.get_current_span().get_span_context()
        return f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"

    def paused(self, requests: Iterable[Request]) -> None:
        """Say on the current span what the run waits for."""
        if self._tracer is None:
            return
        from opentelemetry import trace

        span = trace.get_current_span()
        span.set_attribute("hitl.paused", True)
        for request in requests:
            span.add_event("hitl.request", {**_of_request(request), "hitl.request.status": request.status})

    def reviewed(self, run: Run, requests: Iterable[Request]) -> None:
        """Trace each review, from when it was asked to when it was decided, linked to the run that asked."""
        if self._tracer is None:
            return
        for request in requests:
            if request.decided_at is None or request.decided_by is None:
                continue
            span = self._tracer.start_span(
                f"hitl.review {request.tool or request.kind}",
                start_time=_ns(request.created_at),
                links=_links(run),
                attributes={
                    **_of_request(request),
                    "gen_ai.conversation.id": request.session_id,
                    "hitl.request.status": request.status,
                    "hitl.decision.type": request.decision.type if request.decision else request.status,
                    "hitl.decided_by.kind": request.decided_by.kind,
                    "hitl.decided_by.id": request.decided_by.id,
                    "hitl.channel": request.decided_by.channel,
                },
            )
            span.end(end_time=_ns(request.decided_at))

    def tool(self, call: EffectCall) -> Any:
        """Start the span of a tool that runs now; `ended` ends it."""
        if self._tracer is None:
            return None
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.tool,
            "gen_ai.tool.call.id": call.tool_call_id,
            "gen_ai.tool.type": "function",
        }
        return self._tracer.start_span(f"execute_tool {call.tool}", attributes=attributes)


def _of_request(request: Request) -> dict[str, str]:
    return {
        "hitl.request.id": request.id,
        "hitl.request.kind": request.kind,
        "hitl.audience": request.audience,
        "gen_ai.tool.name": request.tool,
    }


def _links(run: Run) -> list[Any]:
    """Return a link to the span that ended when this run paused, wherever and whenever that was."""
    if run.trace is None:
        return []
    from opentelemetry.trace import Link, SpanContext, TraceFlags

    _, trace_id, span_id, flags = run.trace.split("-")
    context = SpanContext(int(trace_id, 16), int(span_id, 16), is_remote=True, trace_flags=TraceFlags(int(flags, 16)))
    return [Link(context, {"hitl.link": "paused"})]


def _failed(span: Any, error: BaseException) -> None:
    from opentelemetry.trace import StatusCode

    span.set_attribute("error.type", type(error).__name__)
    span.set_status(StatusCode.ERROR)


def _ns(time: datetime) -> int:
    return int(time.timestamp() * 1_000_000) * 1000
