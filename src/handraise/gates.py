"""Public: what a gate of one's own needs, so that what people approved runs exactly so, and once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from langchain.agents.middleware.types import ToolCallRequest

from handraise.agents.gate.asking import task_id
from handraise.agents.gate.execution import Approved, ToolResult, aexecute, execute
from handraise.core.digests import digest

__all__ = ["ToolResult", "arun_approved", "digest", "run_approved"]


def run_approved(
    request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolResult], *, shown: str
) -> ToolResult:
    """Run a call in `wrap_tool_call` that people approved; `shown` is the `digest` of what they were shown.

    A call that is no longer what was shown does not run: its result says so. The same approval runs it once, also when
    the session is resumed twice.
    """
    return execute(_approved(request, shown), handler)


async def arun_approved(
    request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]], *, shown: str
) -> ToolResult:
    """`run_approved` for `awrap_tool_call`."""
    return await aexecute(_approved(request, shown), handler)


def _approved(request: ToolCallRequest, shown: str) -> Approved:
    return Approved(request=request, digest=shown, effect=(task_id(), str(request.tool_call["id"])))
